"""The part of a position that a view shows, as a position of its own.

Own moves are the same in every position that gives the same view, so this is enough to read and
write own moves in standard notation.
"""

from __future__ import annotations

import re

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.observation import SQUARES, FogObservation
from fogtree.games.fog_chess.rules import as_notation_errors

_STAND_IN = "n"  # for an unknown piece in front of a pawn
_MOST_PIECES = 16  # of one side
_NEIGHBOURS = {
    (square, files, rows): SQUARES[SQUARES.index(square) + files + 8 * rows]
    for square in SQUARES
    for files in (-1, 0, 1)
    for rows in (-1, 1)
    if 0 <= "abcdefgh".index(square[0]) + files < 8 and 1 <= int(square[1]) + rows <= 8
}
"""By (square, files, rows): the square that lies that many files to the right and rows up, if it is
on the board."""


def known_position(view: FogObservation) -> FogChessPosition:
    """A position with only the pieces that a view shows, in which the viewer has the same moves.

    The viewer is to move. A knight stands in front of own pawns that are blocked by something
    unseen. The other king, if unseen, is put where none of the viewer's pieces can go: on an empty
    square, or in place of such a knight if the other side has all its pieces on the board already.
    """
    placement, _, own_rights, en_passant = view.fog_fen.split()[:4]
    seen = _seen_board(placement)
    board = dict(seen)
    own_king, other_king = ("K", "k") if view.player == 0 else ("k", "K")
    other = _STAND_IN if view.player == 0 else _STAND_IN.upper()
    pawns = [square for square, piece in board.items() if piece == ("P", "p")[view.player]]
    stand_ins = [square for square in _in_front(pawns, seen, view.player) if board[square] is None]
    board |= dict.fromkeys(stand_ins, other)
    side = "wb"[view.player]
    if en_passant != "-":  # under some rules the pawn that can be taken is not shown
        board[f"{en_passant[0]}{'54'[view.player]}"] = "pP"[view.player]
    if own_king in board.values() and other_king not in board.values():
        board[_king_square(board, seen, pawns, other)] = other_king
    with as_notation_errors():
        return FogChessPosition(f"{_placement(board)} {side} {own_rights} {en_passant} 0 1")


def _seen_board(placement: str) -> dict[str, str | None]:
    """The content of every square in a fog FEN, by its name: a piece's letter, empty if none stands
    there, None if not seen."""
    for size in "12345678":
        placement = placement.replace(size, "." * int(size))
    marks = "".join(reversed(placement.split("/")))
    contents = {".": "", "?": None, "#": None}
    return {square: contents.get(mark, mark) for square, mark in zip(SQUARES, marks, strict=True)}


def _in_front(pawns: list[str], seen: dict[str, str | None], player: int) -> list[str]:
    """The squares straight ahead of own pawns, to which they could advance if these were empty."""
    step, home = (1, "2") if player == 0 else (-1, "7")
    squares = []
    for square in pawns:
        ahead = _NEIGHBOURS.get((square, 0, step))
        if ahead is not None:
            squares.append(ahead)
            if square[1] == home and seen[ahead] == "":
                squares.append(_NEIGHBOURS[ahead, 0, step])
    return squares


def _king_square(
    board: dict[str, str | None], seen: dict[str, str | None], pawns: list[str], stand_in: str
) -> str:
    """A square for the opponent's king, which is not seen: out of sight, not attacked by own pawns,
    and empty. If there is none, or the opponent has all its pieces already, one with a
    ``stand_in``, the knight that stands for a piece in front of a pawn."""
    step = 1 if stand_in.islower() else -1
    attacked = {_NEIGHBOURS.get((square, side, step)) for square in pawns for side in (-1, 1)}
    free = [square for square in SQUARES if seen[square] is None and square not in attacked]
    empty = [square for square in free if board[square] is None]
    others = sum(piece.isupper() == stand_in.isupper() for piece in board.values() if piece)
    if empty and others < _MOST_PIECES:
        return empty[0]
    return next(square for square in free if board[square] == stand_in)


def _placement(board: dict[str, str | None]) -> str:
    """A board as the first field of a FEN; unseen squares are written as empty."""
    marks = "".join(board[square] or " " for square in SQUARES)
    rows = "/".join(marks[8 * row : 8 * row + 8] for row in range(7, -1, -1))
    return re.sub(" +", lambda gap: str(len(gap[0])), rows)
