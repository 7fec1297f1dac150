"""Battleship by its own rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable

import pytest

from fogtree.registry import load_game
from tests.support.history_walk import measure, walk


@pytest.mark.parametrize("player", [0, 1])
def test_battleship_shows_own_results_and_the_squares_shot_at(player: int) -> None:
    """A view is a function of own ships, all shots, and how one's own shots went."""
    views: dict[Hashable, set[Hashable]] = defaultdict(set)
    for visit in walk(load_game("battleship")):
        ships, shots = visit.path[:2], visit.path[2:]
        key: list[Hashable] = [ships[player] if len(ships) > player else None]
        if len(ships) == 2:
            target = str(ships[1 - player]).split("-")
            for turn, square in enumerate(shots):
                mine = turn % 2 == player
                sunk = set(target) <= set(shots[player : turn + 1 : 2])
                key.append((square, mine and square in target, mine and sunk))
        views[tuple(key)].add(visit.state.observation(player))
    assert all(len(found) == 1 for found in views.values())


def test_sizes() -> None:
    """Counted in OpenSpiel 2.0.2's game of the same rules."""
    assert measure(load_game("battleship")).row() == (52_095, 41_748, [512, 2395])
