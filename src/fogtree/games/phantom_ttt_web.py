"""Phantom tic-tac-toe in the browser: crosses and noughts, and the line that won."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from fogtree.games.hidden_board import HiddenBoardState
from fogtree.games.hidden_board_web import HiddenBoardView


class PhantomView(HiddenBoardView):
    """The browser's view of phantom tic-tac-toe."""

    kind = "phantom_ttt"
    marks = ("X", "O")
    verbs = ("mark", "marks")
    participle = "marked"

    def more(self, game: Any) -> dict[str, Any]:
        """Further data for the page: the number of marks in a row that win."""
        return {"in_a_row": game.line}

    def winning_squares(self, state: HiddenBoardState, winner: int) -> int:
        """The squares of all full lines of the winner, as bits."""
        own = state.marks[winner]
        through = {line for lines in state.game.lines.values() for line in lines}
        return reduce(or_, [line for line in through if line & own == line], 0)


VIEW = PhantomView()
