"""Games without fog and search, as training data."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fogtree._core import FogChessPosition
from fogtree.errors import OptionError
from fogtree.games.fog_chess.evaluators import NativeEvaluator, load_evaluator
from fogtree.games.fog_chess.training.quick_play import QUIET, play_quickly
from fogtree.games.fog_chess.training.rows import (
    ALMOST_WON,
    UNKNOWN,
    Kind,
    position_of,
    unpacked,
)
from fogtree.games.fog_chess.training.self_play import SelfPlay, play_one
from fogtree.games.fog_chess.training.shards import statistics
from tests.support.fog_chess_boards import board_of


class Recorder(NativeEvaluator):
    """An evaluator that keeps the boards of all children that it valued, with their values."""

    def __init__(self, inner):
        super().__init__(inner.name, inner.native)
        self.asked, self.values = [], {}

    def mover_values(self, position):
        values = super().mover_values(position)
        self.asked.append(position)
        for move, value in zip(position.moves(), values, strict=True):
            self.values.setdefault(board_of(position.play(move)), set()).add(np.float16(-value))
        return values


@pytest.fixture
def evaluator():
    return Recorder(load_evaluator("net"))


def test_rows_are_children_with_the_evaluators_values(evaluator):
    rows = play_quickly(evaluator, FogChessPosition(), 1000, np.random.default_rng(3))
    boards = unpacked(rows["board"])
    assert len(rows) > 200
    for board, value in zip(boards, rows["teacher"], strict=True):
        assert value in evaluator.values[bytes(board)]
    assert (np.abs(rows["teacher"]) < ALMOST_WON).all()
    assert set(rows["result"]) == {UNKNOWN}
    assert np.isnan(rows["search"]).all()


def test_played_rows_are_the_positions_of_the_game(evaluator):
    rows = play_quickly(evaluator, FogChessPosition(), 1000, np.random.default_rng(3))
    played = rows[rows["kind"] == Kind.played]
    boards = [board_of(position) for position in evaluator.asked]
    assert len(played) > 10
    for board, ply in zip(unpacked(played["board"]), played["ply"], strict=True):
        if ply < len(boards):  # the last one was not asked about
            assert bytes(board) == boards[ply]


def test_positions_in_which_captures_matter_are_rare():
    with load_evaluator("net") as net:
        rows = play_quickly(net, FogChessPosition(), 1000, np.random.default_rng(4))
        standing = [
            math.tanh(net.native.evaluate(position_of(board)) / net.native.unit)
            for board in unpacked(rows["board"])
        ]
    loud = np.abs(np.array(standing) - rows["teacher"]) >= QUIET + 1e-3
    assert 0 < loud.mean() < 0.25


def test_games_depend_on_seed_and_number_alone():
    options = SelfPlay(quick=True, leaves=5)
    one, same, other = (play_one(options, number) for number in (1, 1, 2))
    assert one.tobytes() == same.tobytes() != other.tobytes()
    assert max(np.bincount(one["ply"])) <= 5


def test_quick_games_have_no_search():
    with pytest.raises(OptionError, match="quick games have no searches"):
        SelfPlay(quick=True, steps=10)


def test_counts_of_quick_games(tmp_path):
    from fogtree.games.fog_chess.training.generate import generate

    options = replace(SelfPlay(quick=True), leaves=3)
    assert generate(tmp_path, options, games=3, workers=1) == 3
    found = statistics(tmp_path)
    assert (found["won"], found["drawn"], found["search_to_teacher"]) == (0, 0, None)
    assert found["rows"] == found["played"] + found["leaf"] > 20
