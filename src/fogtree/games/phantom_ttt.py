"""Phantom tic-tac-toe: neither player sees the other's marks.

V. Lisý, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret minimization for
search in imperfect information games", AAMAS 2015; OpenSpiel's game of the same name.
*Deviations:* any board and line; a game can be cut short as a draw, so that it can be enumerated.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.game import TERMINAL, Action, State
from fogtree.game.parameters import ParameterGame, parameter
from fogtree.games.squares import MOST_NATIVE_SQUARES, replaced, squares
from fogtree.registry import GameEntry


@dataclass(frozen=True)
class PhantomTicTacToe(ParameterGame):
    """Phantom tic-tac-toe: an occupied square is known only by trying it, then one tries again."""

    short_name = "phantom_ttt"
    reading = (
        "the squares you tried, one after the other; with a question mark if the other "
        "had it already"
    )
    players = 2
    rows: int = parameter(2, "rows of the board", minimum=1, maximum=10)
    columns: int = parameter(4, "columns of the board", minimum=1, maximum=10)
    line: int = parameter(3, "marks in a row that win", minimum=2, maximum=10)
    max_plies: int = parameter(5, "marks after which the game is a draw", minimum=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.line > max(self.rows, self.columns):
            raise OptionError(f"phantom_ttt: a line of {self.line} does not fit on the board")

    @cached_property
    def squares(self) -> dict[str, int]:
        """The bit of each square, row by row."""
        return squares(self.rows, self.columns)

    @cached_property
    def lines(self) -> dict[int, list[int]]:
        """All winning lines through each square, as bits."""
        rows, columns, reach = self.rows, self.columns, self.line - 1
        lines = [
            sum(1 << (r + i * down) * columns + c + i * right for i in range(self.line))
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            for r in range(rows - reach * down)
            for c in range(columns)
            if 0 <= c + reach * right < columns
        ]
        return {bit: [line for line in lines if line & bit] for bit in self.squares.values()}

    def all_actions(self) -> Sequence[Action]:
        return tuple(self.squares)

    def root(self) -> PhantomState:
        plies = min(self.max_plies, self.rows * self.columns)
        return PhantomState(self, (0, 0), (0, 0), ("", ""), plies, 0, 0)

    def tree_source(self) -> _core.NativeWalk | None:
        if type(self) is not PhantomTicTacToe or len(self.squares) > MOST_NATIVE_SQUARES:
            return None  # another class may have other rules
        plies, lines = self.root().left, list(self.lines.values())
        return _core.phantom_ttt_walk(list(self.squares), lines, plies)


@dataclass(slots=True, eq=False)
class PhantomState(State):
    """Marks, knowledge and views of both players, the first player's first."""

    game: PhantomTicTacToe
    marks: tuple[int, int]
    known: tuple[int, int]  # squares each player knows to be taken
    views: tuple[str, str]
    left: int  # marks until the end
    winner: int  # 1: the first player, -1: the second
    player: int

    def actions(self) -> Sequence[Action]:
        known = self.known[self.player]
        return [name for name, bit in self.game.squares.items() if not bit & known]

    def child(self, action: Action) -> PhantomState:
        game, me, bit = self.game, self.player, self.game.squares[str(action)]
        known = replaced(self.known, me, self.known[me] | bit)
        if bit & self.marks[1 - me]:
            views = replaced(self.views, me, f"{self.views[me]} {action}?")
            return PhantomState(game, self.marks, known, views, self.left, 0, me)
        views = replaced(self.views, me, f"{self.views[me]} {action}")
        mine = self.marks[me] | bit
        won = any(line & mine == line for line in game.lines[bit])
        marks, left = replaced(self.marks, me, mine), self.left - 1
        winner = (1 - 2 * me) * won
        after = TERMINAL if won or not left else 1 - me
        return PhantomState(game, marks, known, views, left, winner, after)

    def returns(self) -> tuple[float, float]:
        return float(self.winner), float(-self.winner)

    def observation(self, player: int) -> Hashable:
        return self.views[player]

    def name(self) -> str:
        return f"P{self.player}{self.views[self.player]}"


ENTRY = GameEntry(
    name="phantom_ttt",
    game=PhantomTicTacToe,
    agents=(),
    rules=(
        "Tic-tac-toe in which neither player sees the other's marks. You try a square: if it is "
        "free, it is yours and the turn passes; if the other has it, you are told so and try "
        "again. Three marks in a row win, a full board is a draw; the small version for solvers "
        "ends as a draw after five marks."
    ),
    sizes={
        "3 × 3": {"rows": "3", "columns": "3", "max_plies": "9"},
        "2 × 4, small enough to be solved": {},
    },
    web="fogtree.games.phantom_ttt_web:VIEW",
)
