"""Small games that are compiled once for all tests."""

from __future__ import annotations

from functools import cache

from fogtree import GameTree, compile, load_game

SMALL_GAMES = (
    "rock_paper_scissors",
    "matching_pennies",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice(sides=3)",
    "goofspiel(cards=3)",
    "goofspiel(cards=4)",
)


@cache
def compiled(spec: str) -> GameTree:
    return compile(load_game(spec))
