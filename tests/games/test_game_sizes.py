"""Sizes of the default games: (histories, endings, information sets of each player).

Source: OpenSpiel 2.0.2's games of the same rules, counted history by history; for phantom_ttt,
whose small board OpenSpiel does not have, this package's own count, so that it cannot drift.
"""

from __future__ import annotations

import pytest

from fogtree.registry import load_game
from tests.support.history_walk import measure

SIZES = {
    "rock_paper_scissors": (13, 9, [1, 1]),
    "matching_pennies": (7, 4, [1, 1]),
    "kuhn_poker": (58, 30, [6, 6]),
    "kuhn_poker(players=3)": (617, 312, [16, 16, 16]),
    "leduc_poker": (9457, 5520, [468, 468]),
    "leduc_poker(suit_isomorphism=True)": (1939, 1116, [144, 144]),
    "goofspiel(cards=3)": (67, 36, [8, 8]),
    "goofspiel": (1077, 576, [81, 81]),
    'goofspiel(points="random")': (26_773, 13_824, [1804, 1804]),
    "liars_dice": (294_883, 147_420, [12_288, 12_288]),
    "battleship": (52_095, 41_748, [512, 2395]),
    "phantom_ttt": (416_545, 329_280, [4153, 801]),
}


@pytest.mark.parametrize(("spec", "row"), SIZES.items())
def test_sizes(spec: str, row: tuple[int, int, list[int]]) -> None:
    assert measure(load_game(spec)).row() == row
