"""Compiled games: any game as flat arrays, which everything native runs on."""

from fogtree.tree.game_tree import AnyGame, CompileProgress, GameTree, Sizes, compile, game_of

__all__ = ["AnyGame", "CompileProgress", "GameTree", "Sizes", "compile", "game_of"]
