"""Fog-of-War chess for learners of other libraries: a list of all moves, and views as numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import require
from fogtree.games.fog_chess.observation import SQUARES, FogObservation


def _all_moves() -> Iterator[str]:
    """All moves that a queen or a knight could make on an empty board, then all promotions, in UCI
    notation."""
    for start in range(64):
        rank, file = divmod(start, 8)
        for end in range(64):
            up, right = end // 8 - rank, end % 8 - file
            straight = up == 0 or right == 0 or abs(up) == abs(right)
            if start != end and (straight or {abs(up), abs(right)} == {1, 2}):
                yield SQUARES[start] + SQUARES[end]
    for before, after in ((6, 7), (1, 0)):
        for file in range(8):
            for target in range(max(file - 1, 0), min(file + 2, 8)):
                for piece in "qrbn":
                    yield SQUARES[8 * before + file] + SQUARES[8 * after + target] + piece


ALL_MOVES = tuple(_all_moves())
"""Every move of chess in UCI notation; castling is a move of the king by two squares."""

_MARKS = "PNBRQKpnbrqk.?#"
"""What a square can show: own men, the other's men, nothing, not seen, taken by something."""

SIZE = 64 * len(_MARKS) + 1 + 1 + 2 + 8
"""Squares, the colour of the viewer, whether the viewer is to move, the viewer's castling rights,
and the file on which a pawn can be taken en passant."""


def features(view: Hashable) -> NDArray[np.float32]:
    """A view as ``SIZE`` zeros and ones, seen from the viewer's side of the board; Black's own men
    have the same places as White's own."""
    require(view, FogObservation, "a view of fog_chess")
    assert isinstance(view, FogObservation)
    black = view.player == 1
    out = np.zeros(SIZE, dtype=np.float32)
    for square, mark in enumerate(view.marks()):
        place = square ^ 56 if black else square  # ^ 56 turns the ranks over
        shown = mark.swapcase() if black else mark
        out[place * len(_MARKS) + _MARKS.index(shown)] = 1
    at = 64 * len(_MARKS)
    out[at] = black
    out[at + 1] = view.side == view.player
    _, _, rights, en_passant, *_ = view.fog_fen.split()
    out[at + 2] = "k" in rights.lower()
    out[at + 3] = "q" in rights.lower()
    if en_passant != "-":
        out[at + 4 + "abcdefgh".index(en_passant[0])] = 1
    return out
