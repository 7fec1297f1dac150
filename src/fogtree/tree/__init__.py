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
from fogtree.tree.streamed_tree import compile_to_solve

__all__ = [
    "AnyGame",
    "CompileProgress",
    "GameTree",
    "Sizes",
    "clearly_too_large",
    "compile",
    "compile_to_solve",
    "game_of",
]
