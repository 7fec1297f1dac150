"""Boards and colours in words, for terminals."""

from __future__ import annotations

from fogtree._core import FogChessPosition

COLORS = ("white", "black")
PIECE_NAMES = {
    "p": "pawn",
    "n": "knight",
    "b": "bishop",
    "r": "rook",
    "q": "queen",
    "k": "king",
}


def whole_board(position: FogChessPosition, player: int = 0) -> str:
    """The true board as text, with the player's side at the bottom; no player may see it before the
    game is over."""
    rows = range(7, -1, -1) if player == 0 else range(8)
    files = range(8) if player == 0 else range(7, -1, -1)
    letter = position.letter_at
    lines = [
        f"{row + 1} " + " ".join(letter(8 * row + file) or "." for file in files) for row in rows
    ]
    return "\n".join([*lines, "  " + " ".join("abcdefgh"[file] for file in files)])
