"""Boards of training data written in Python from a position's FEN, to compare native ones with."""

from __future__ import annotations

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.training.rows import PIECES

# In a FEN, a digit stands for as many empty squares, and "/" separates ranks.
_SPREAD = str.maketrans({str(gap): "." * gap for gap in range(1, 9)} | {"/": None})
_NUMBERS = bytes(max(PIECES.find(chr(code)), 0) for code in range(256))  # by character


def board_of(position: FogChessPosition) -> bytes:
    """The 64 numbers of a position, as its mover sees the board."""
    ranks = position.fen.split(" ", 1)[0].split("/")
    if position.side == 0:
        ranks.reverse()
        return "".join(ranks).translate(_SPREAD).encode().translate(_NUMBERS)
    return "".join(ranks).swapcase().translate(_SPREAD).encode().translate(_NUMBERS)
