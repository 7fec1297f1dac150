"""Matches between evaluators."""

from __future__ import annotations

import pytest

from fogtree.arena.record import GameRecord
from fogtree.errors import OptionError
from fogtree.games.fog_chess.training.contest import contestant, pair_interval


def test_an_evaluator_means_the_search_with_it():
    assert contestant("simple") == "search(threads=1, evaluator=simple)"
    assert contestant("net:some.fognet") == "search(threads=1, evaluator=net:some.fognet)"
    assert contestant("net:a, b") == 'search(threads=1, evaluator="net:\\"a, b\\"")'
    assert contestant("search") == "search(threads=1)"
    assert contestant("search(solving=0.2)") == "search(threads=1, solving=0.2)"
    assert contestant("search(threads=2)") == "search(threads=2)"
    assert contestant("greedy") == "greedy"


def test_the_interval_is_of_pairs():
    def record(*returns):
        return GameRecord("fog_chess", ("a", "b"), "0", (), returns)

    # The first agent is White in the first game of a pair and Black in the second.
    always_white = [record(1.0, -1.0), record(1.0, -1.0)] * 10
    found = pair_interval(always_white)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)
    wins = [record(1.0, -1.0), record(-1.0, 1.0)] * 3 + [record(0.0, 0.0)] * 2
    found = pair_interval(wins)
    assert found.value == pytest.approx(0.875)
    assert found.low < 0.875 < found.high
    with pytest.raises(OptionError):
        pair_interval(wins[:1])
