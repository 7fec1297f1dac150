"""Phantom tic-tac-toe in the browser: the board with the own marks and the squares that were
refused, made from the seat's observation alone."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from fogtree.game import Action, State
from fogtree.games.hidden_board import HiddenBoardState
from fogtree.games.phantom_ttt import PhantomTicTacToe
from fogtree.games.squares import drawn_squares
from fogtree.games.table_log import happened

_MARKS = "XO"
"""The marks of the first and of the second player."""


class PhantomView:
    """The browser's view of phantom tic-tac-toe."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The squares that this seat has tried: its own marks, and the other's that it ran into."""
        assert isinstance(state, HiddenBoardState)
        tried = str(state.observation(seat)).split()
        marks = {one.rstrip("?"): _MARKS[seat ^ one.endswith("?")] for one in tried}
        moves = [happened(_sentence(one, abrupt=state.game.abrupt)) for one in tried]
        return _board(state.game, marks) | {"player": seat, "moves": moves}

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """A square to be marked."""
        del state, seat
        return f"Mark {action}"

    def review_label(self, state: State, action: Action) -> str:
        """The square that a player tried, and whether it was taken."""
        assert isinstance(state, HiddenBoardState)
        taken = state.game.squares[str(action)] & state.marks[1 - state.player]
        return f"Try {action}, which is taken" if taken else f"Mark {action}"

    def full_view(self, state: State) -> dict[str, Any]:
        """All marks and, if somebody won, the line."""
        assert isinstance(state, HiddenBoardState)
        squares = state.game.squares
        marks = {
            name: mark
            for name, bit in squares.items()
            for mark, own in zip(_MARKS, state.marks, strict=True)
            if bit & own
        }
        won = state.marks[0 if state.winner > 0 else 1] if state.winner else 0
        through = {line for lines in state.game.lines.values() for line in lines}
        found = reduce(or_, [line for line in through if line & won == line], 0)
        line = [name for name, bit in squares.items() if bit & found]
        return _board(state.game, marks) | {"player": None, "line": line}


def _board(game: PhantomTicTacToe, marks: dict[str, str]) -> dict[str, Any]:
    """The data that the page draws: the board's size, its squares from the top, and the marks on
    them."""
    return {
        "kind": "phantom_ttt",
        "columns": game.columns,
        "squares": drawn_squares(game.rows, game.columns),
        "marks": marks,
        "in_a_row": game.line,
        "abrupt": game.abrupt,
    }


def _sentence(tried: str, *, abrupt: bool) -> str:
    """The player's last attempt in words."""
    if tried.endswith("?"):
        then = "Your turn is over." if abrupt else "Try again."
        return f"You try {tried[:-1]}: the other has it already. {then}"
    return f"You mark {tried}."


VIEW = PhantomView()
