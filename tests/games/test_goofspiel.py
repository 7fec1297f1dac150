"""Goofspiel by its own rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from math import factorial

import pytest

from fogtree.game import TERMINAL
from fogtree.registry import load_game
from tests.support.history_walk import measure, walk


@pytest.mark.parametrize("player", [0, 1])
def test_hidden_bids_of_goofspiel_show_only_who_won(player: int) -> None:
    """Equal own bids and equal results make equal views, and nothing else does."""
    views: dict[Hashable, set[Hashable]] = defaultdict(set)
    for visit in walk(load_game("goofspiel")):
        bids = visit.path
        tricks = list(zip(bids[::2], bids[1::2], strict=False))
        if visit.state.player != TERMINAL:
            own = tuple(trick[player] for trick in tricks)
            results = tuple((first > second) - (first < second) for first, second in tricks)
            views[own, results].add(visit.state.observation(player))
    assert all(len(found) == 1 for found in views.values())
    assert len(set().union(*views.values())) == len(views)


@pytest.mark.parametrize(
    ("spec", "row"),
    [
        ("goofspiel(cards=3)", (67, 36, [8, 8])),
        ("goofspiel", (1077, 576, [81, 81])),
        ('goofspiel(points="random")', (26_773, 13_824, [1804, 1804])),
    ],
)
def test_sizes(spec: str, row: tuple[int, int, list[int]]) -> None:
    """Counted in OpenSpiel 2.0.2's game of the same rules."""
    assert measure(load_game(spec)).row() == row


@pytest.mark.parametrize("cards", [2, 3, 4])
def test_each_player_bids_its_cards_in_any_order(cards: int) -> None:
    assert measure(load_game(f"goofspiel(cards={cards})")).endings == factorial(cards) ** 2
