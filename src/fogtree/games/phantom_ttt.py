"""Phantom tic-tac-toe: neither player sees the other's marks.

V. Lisý, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret minimization for
search in imperfect information games", AAMAS 2015; OpenSpiel's game of the same name.
*Deviations:* any board and line; a game can be cut short as a draw, so that it can be enumerated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.game.parameters import parameter
from fogtree.games.hidden_board import HiddenBoard
from fogtree.registry import GameEntry
from fogtree.text.counts import counted, counted_in_words


@dataclass(frozen=True)
class PhantomTicTacToe(HiddenBoard):
    """Phantom tic-tac-toe: an occupied square is known only by trying it, then one tries again."""

    short_name = "phantom_ttt"
    rows: int = parameter(2, "rows of the board", minimum=1, maximum=10)
    columns: int = parameter(4, "columns of the board", minimum=1, maximum=10)
    line: int = parameter(3, "marks in a row that win", minimum=2, maximum=10)
    max_plies: int = parameter(5, "marks after which the game is a draw", minimum=1)
    abrupt: bool = parameter(False, "whether trying an occupied square ends the turn")

    def __post_init__(self) -> None:
        """Refuse a winning line that is longer than the board."""
        super().__post_init__()
        if self.line > max(self.rows, self.columns):
            raise OptionError(f"phantom_ttt: a line of {self.line} does not fit on the board")

    @cached_property
    def lines(self) -> dict[int, list[int]]:
        """The winning lines through each square; squares and lines are bits."""
        rows, columns, reach = self.rows, self.columns, self.line - 1
        lines = [
            sum(1 << (r + i * down) * columns + c + i * right for i in range(self.line))
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            for r in range(rows - reach * down)
            for c in range(columns)
            if 0 <= c + reach * right < columns
        ]
        return {bit: [line for line in lines if line & bit] for bit in self.squares.values()}

    @property
    def plies(self) -> int:
        """The number of marks after which the game ends: ``max_plies``, or a full board before."""
        return min(self.max_plies, self.rows * self.columns)

    def won(self, marks: int, player: int, last: int) -> bool:
        """Whether these marks fill a line through the square ``last``, which was marked last."""
        del player
        return any(line & marks == line for line in self.lines[last])

    def native_board(self) -> _core.HiddenBoard | None:
        """The native rules; None for a class derived from this one, which may have other rules."""
        if type(self) is not PhantomTicTacToe:  # another class may have other rules
            return None
        lines = list(self.lines.values())
        return _core.HiddenBoard.lines(list(self.squares), lines, self.plies, self.abrupt)


def _rules(game: PhantomTicTacToe) -> str:
    """The rules for this board, line and end, in words."""
    if game.plies < game.rows * game.columns:
        end = f"Without one the game is a draw after {counted(game.plies, 'mark')}."
    else:
        end = "Without one the game is a draw when the board is full."
    line = counted_in_words(game.line, "own mark")
    return (
        f"Tic-tac-toe on {game.rows} × {game.columns} squares in which neither player sees the "
        f"other's marks. {game.trying('it is yours')} A line of {line} along a row, "
        f"a column or a diagonal wins. {end}"
    )


_FULL = {"rows": "3", "columns": "3", "max_plies": "9"}
ENTRY = GameEntry(
    name="phantom_ttt",
    game=PhantomTicTacToe,
    agents=(),
    rules=_rules,
    sizes={
        "3 × 3": _FULL,
        "3 × 3, abrupt: an occupied square costs the turn": {**_FULL, "abrupt": "true"},
        "2 × 4, small enough to be solved": {},
    },
    training="fogtree.games.hidden_board_training:training_support",
    web="fogtree.games.phantom_ttt_web:VIEW",
)
