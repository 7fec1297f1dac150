"""Boards of training data."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.evaluators import net_evaluator
from fogtree.games.fog_chess.network.check import random_positions
from fogtree.games.fog_chess.training.rows import (
    PIECES,
    ROW,
    packed,
    position_of,
    unpacked,
)
from tests.support.fog_chess_boards import board_of


def test_a_board_is_seen_by_its_mover():
    start = FogChessPosition()
    board = board_of(start)
    assert "".join(PIECES[number] for number in board[:16]) == "RNBQKBNRPPPPPPPP"
    black = start.play(start.read_uci("e2e4"))
    seen = "".join(PIECES[number] for number in board_of(black))
    assert seen[:16] == "rnbqkbnrpppppppp".swapcase()
    assert seen[8 * 4 + 4] == "p"  # e4 is on the mover's fifth rank
    assert seen[8 * 6 + 4] == "."


def test_packing_loses_nothing():
    positions = random_positions(50, seed=5)
    boards = unpacked(packed(positions))
    assert [bytes(board) for board in boards] == [board_of(position) for position in positions]
    assert ROW.itemsize == 40


@pytest.mark.parametrize("seed", [1, 2])
def test_a_board_has_all_that_the_network_looks_at(seed):
    native = net_evaluator(quiescence=False).native
    positions = random_positions(40, seed=seed)
    assert len({position.side for position in positions}) == 2
    again = [position_of(np.frombuffer(board_of(one), np.uint8)) for one in positions]
    assert [native.evaluate(one) for one in again] == [native.evaluate(one) for one in positions]
