"""One-shot games in the browser: the own choice and, at the end, the other's."""

from __future__ import annotations

from typing import Any

from fogtree.game import TERMINAL, Action, State
from fogtree.games.matrix import MatrixState


class MatrixView:
    """The browser's view of a game in which both choose at once."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the own choice and, once the game is over, the
        other's."""
        assert isinstance(state, MatrixState)
        over = state.player == TERMINAL
        seen = [one if over or number == seat else None for number, one in enumerate(state.chosen)]
        return _view(state, seen) | {"player": seat}

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """A choice as the page writes it: ``Rock``."""
        del state, seat
        return str(action).capitalize()

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws with nothing hidden: both choices."""
        assert isinstance(state, MatrixState)
        return _view(state, list(state.chosen)) | {"player": None}


def _view(state: MatrixState, chosen: list[Action | None]) -> dict[str, Any]:
    """The data that the page draws: the choice of each player, None if there is none or it is
    hidden."""
    return {"kind": "choice", "options": list(state.labels), "chosen": [*chosen, None, None][:2]}


VIEW = MatrixView()
