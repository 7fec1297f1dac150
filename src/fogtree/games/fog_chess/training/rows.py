"""One row of training data: a position as its mover sees the board, and what it may be worth.

A board is 64 numbers, a1 first as the mover sees it (Black's board is turned over): 0 is an empty
square, others are pieces in the order of ``PIECES``, the mover's own in capitals. Two numbers are
packed into one byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessPosition, fog_chess_pack_boards

PIECES = ".PpNnBbRrQqKk"
"""A piece's number is its place here; planes of the network are in the same order."""
UNKNOWN = 2
"""The result of a row whose position did not occur in the game, or of a game without a result."""
ALMOST_WON = 0.9995
"""From this value on a position is all but won, or a king can be taken: it is left out."""

Rows = NDArray[Any]
"""An array of type ``ROW``."""
Boards = NDArray[np.uint8]


class Kind(IntEnum):
    """The origin of a position: played, or a root or node of a search; of quick games the children
    that were valued and not played are leaves."""

    played = 0  # it occurred in the game
    root = 1  # the searching player could not rule it out
    leaf = 2  # a leaf of the search tree, where the evaluator was asked
    inner = 3  # an expanded node of the search tree


ROW = np.dtype(
    [
        ("board", np.uint8, (32,)),
        ("kind", np.uint8),
        ("result", np.int8),  # the mover's: 1, 0, -1, or UNKNOWN
        ("ply", "<u2"),  # of the decision at which the position was met
        ("search", "<f2"),  # the search's own value for the mover; NaN if it has none
        # The evaluator's value: of a node of the tree or, for positions played by searches and
        # their roots, of the best move there.
        ("teacher", "<f2"),
    ]
)
"""The type of a row."""


def packed(positions: Sequence[FogChessPosition]) -> Boards:
    """The boards of positions, two squares in a byte: (n, 32)."""
    return fog_chess_pack_boards(list(positions)).reshape(-1, 32)


def unpacked(boards: Boards) -> Boards:
    """Boards with one number for every square: (n, 64)."""
    out = np.empty((len(boards), 64), np.uint8)
    out[:, ::2], out[:, 1::2] = boards & 15, boards >> 4
    return out


def position_of(board: NDArray[Any]) -> FogChessPosition:
    """A position with this board (64 numbers), White to move and without castling rights. The
    network gives it the value of the position that the board was made of: it reads the board from
    the mover's side and nothing else."""
    rows = ["".join(PIECES[number] for number in board[at : at + 8]) for at in range(56, -1, -8)]
    ranks = []
    for row in rows:
        text = row
        for gap in range(8, 0, -1):
            text = text.replace("." * gap, str(gap))
        ranks.append(text)
    return FogChessPosition(f"{'/'.join(ranks)} w - - 0 1")
