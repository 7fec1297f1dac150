"""Compiled games: any game as flat arrays, which everything native runs on."""

from fogtree.tree.game_tree import (
    AnyGame,
    CompileProgress,
    GameTree,
    Sizes,
    clearly_too_large,
    compile,
    game_of,
)

__all__ = [
    "AnyGame",
    "CompileProgress",
    "GameTree",
    "Sizes",
    "clearly_too_large",
    "compile",
    "game_of",
]
