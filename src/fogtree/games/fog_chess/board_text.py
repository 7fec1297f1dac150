"""Boards and endings in words, for terminals."""

from __future__ import annotations

from fogtree.game import State
from fogtree.games.fog_chess.game import FogChessState

COLORS = ("white", "black")
PIECE_NAMES = {
    "p": "pawn",
    "n": "knight",
    "b": "bishop",
    "r": "rook",
    "q": "queen",
    "k": "king",
}


def whole_board(state: State, player: int = 0) -> str:
    """The true board, which nobody may see before the game is over; the player's side below."""
    assert isinstance(state, FogChessState)
    rows = range(7, -1, -1) if player == 0 else range(8)
    files = range(8) if player == 0 else range(7, -1, -1)
    letter = state.position.letter_at
    lines = [
        f"{row + 1} " + " ".join(letter(8 * row + file) or "." for file in files) for row in rows
    ]
    return "\n".join([*lines, "  " + " ".join("abcdefgh"[file] for file in files)])


def ending(state: State, resigned: int | None = None) -> str:
    """Who won and why."""
    assert isinstance(state, FogChessState)
    if resigned is not None:
        return f"{COLORS[1 - resigned].capitalize()} wins: {COLORS[resigned]} resigned"
    outcome = state.outcome
    if outcome is None:
        return "The game is not over"
    if outcome.winner is None:
        return f"Drawn: {outcome.reason}"
    return f"{COLORS[outcome.winner].capitalize()} wins: {outcome.reason}"
