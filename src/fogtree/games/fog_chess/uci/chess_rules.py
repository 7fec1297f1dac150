"""Moves that chess allows: for chess programs that know no variant but chess.

A move that leaves the own king to be taken, and castling out of, through or into attack, are moves
of Fog-of-War chess and not of chess.
"""

from __future__ import annotations

from fogtree._core import FogChessPosition


def chess_moves(position: FogChessPosition) -> tuple[str, ...]:
    """The moves of the side to move that are legal in chess; none after mate and stalemate."""
    side = position.side
    safe = []
    for move, text in zip(position.moves(), position.uci_moves(), strict=True):
        after = position.play(move)
        if after.has_king(1 - side) and not can_take_king(after):
            safe.append(text)
    return tuple(
        text
        for text in safe
        if not _castles(position, text) or (_passes(text) in safe and not _in_check(position))
    )


def can_take_king(position: FogChessPosition) -> bool:
    """Whether the side to move can take the other side's king."""
    other = 1 - position.side
    return not all(position.play(move).has_king(other) for move in position.moves())


def _in_check(position: FogChessPosition) -> bool:
    """Whether the king of the side to move is attacked."""
    board, side, castling, _, *counters = position.fen.split()
    other = {"w": "b", "b": "w"}[side]
    return can_take_king(FogChessPosition(" ".join([board, other, castling, "-", *counters])))


def _castles(position: FogChessPosition, text: str) -> bool:
    """Whether a move is castling: a king that moves two files."""
    square = "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)
    far = abs("abcdefgh".index(text[0]) - "abcdefgh".index(text[2])) == 2
    return far and position.letter_at(square) in "Kk"


def _passes(text: str) -> str:
    """The king's step onto the square that it passes when it castles."""
    return text[:2] + ("f" if text[2] == "g" else "d") + text[3]
