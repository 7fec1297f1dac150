"""Board games for two in which neither player sees the other's marks.

A player tries a square. If it is free, it is the player's; if the other has it, the player is told
so and, in the classical game, tries again; in the *abrupt* game the turn passes.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from fogtree import _core
from fogtree.game import TERMINAL, Action, InfosetKeys, State
from fogtree.game.parameters import ParameterGame
from fogtree.games.squares import MOST_NATIVE_SQUARES, replaced, squares

MOST_WALKED_SQUARES = 9
"""Squares of the largest board whose best responses are computed."""


class HiddenBoard(ParameterGame):
    """The base of games on a hidden board. A subclass has the parameters ``rows``, ``columns`` and
    ``abrupt``, and decides who has won."""

    players = 2
    reading = (
        "the squares you tried, one after the other; with a question mark if the other "
        "had it already"
    )
    rows: int
    columns: int
    abrupt: bool

    @cached_property
    def squares(self) -> dict[str, int]:
        """The bit of each square by its name, row by row from a1."""
        return squares(self.rows, self.columns)

    def trying(self, yours: str, place: str = "square") -> str:
        """The rule of trying a square in words; ``yours`` says what happens on a free one, and
        ``place`` is what a square is called."""
        after = "the turn passes all the same" if self.abrupt else "try again"
        return (
            f"You try a {place}: if it is free, {yours} and the turn passes; if the other has it, "
            f"you are told so and {after}."
        )

    @property
    def plies(self) -> int:
        """The number of marks of both players together after which the game ends, if nobody has won
        before."""
        return self.rows * self.columns

    @abstractmethod
    def won(self, marks: int, player: int, last: int) -> bool:
        """Whether a player has won with these marks, given as bits; ``last`` is the bit of the mark
        that was set last."""

    @abstractmethod
    def native_board(self) -> _core.HiddenBoard | None:
        """Make the native rules of this board; None if it has none."""

    def all_actions(self) -> Sequence[Action]:
        """The names of all squares, each of which may be tried."""
        return tuple(self.squares)

    def root(self) -> HiddenBoardState:
        """The empty board, with the first player to move."""
        return HiddenBoardState(self, (0, 0), (0, 0), ("", ""), self.plies, 0, 0)

    @cached_property
    def native(self) -> _core.HiddenBoard | None:
        """The native rules, made once; None if the board is too large or has none."""
        return self.native_board() if len(self.squares) <= MOST_NATIVE_SQUARES else None

    def tree_source(self) -> _core.NativeWalk | None:
        """The native walk over all histories, by which the game is compiled; None if the board has
        no native rules."""
        return None if self.native is None else self.native.walk()

    def simulator(self, abstraction: str | None = None) -> _core.SimulatedGame | None:
        """The native simulator for sampled solvers; None if the board has no native rules."""
        del abstraction  # there is none
        return None if self.native is None else self.native.simulator()

    def table_keys(self, player: int, abstraction: str | None = None) -> InfosetKeys | None:
        """An object that computes the keys of a player's information sets in a sampled solver's
        table; None if the board has no native rules."""
        del abstraction
        return None if self.native is None else HiddenBoardKeys(self, self.native, player)

    def responses(self) -> _core.ResponseGame | None:
        """Native best responses without compiling; only for boards that are neither too large nor
        cut off after some plies."""
        whole = self.plies == len(self.squares) and 4 <= len(self.squares) <= MOST_WALKED_SQUARES
        return self.native.responses() if whole and self.native is not None else None

    def tried(self, view: Hashable) -> list[int]:
        """A view as the native rules take it: for each square tried in order, twice its number,
        plus 1 if the other had it."""
        numbers = {name: 2 * number for number, name in enumerate(self.squares)}
        words = "" if view is None else str(view)
        return [numbers[word.rstrip("?")] + word.endswith("?") for word in words.split()]


@dataclass(slots=True, eq=False)
class HiddenBoardState(State):
    """Marks, knowledge and views of both players, the first player's first."""

    game: Any  # a HiddenBoard
    marks: tuple[int, int]  # the squares of each player, as bits
    known: tuple[int, int]  # squares each player knows to be taken by either, as bits
    views: tuple[str, str]  # the squares each player tried, "?" after those the other had
    left: int  # marks until the end
    winner: int  # 1: the first player, -1: the second, 0: nobody
    player: int

    def actions(self) -> Sequence[Action]:
        """The squares that the player has neither marked nor found taken."""
        known = self.known[self.player]
        return [name for name, bit in self.game.squares.items() if not bit & known]

    def child(self, action: Action) -> Self:
        """The state after a square is tried: if it is taken, only the mover learns that."""
        game, me, bit = self.game, self.player, self.game.squares[str(action)]
        known = replaced(self.known, me, self.known[me] | bit)
        kind = type(self)
        if bit & self.marks[1 - me]:
            views = replaced(self.views, me, f"{self.views[me]} {action}?")
            after = 1 - me if game.abrupt else me
            return kind(game, self.marks, known, views, self.left, 0, after)
        views = replaced(self.views, me, f"{self.views[me]} {action}")
        mine = self.marks[me] | bit
        won = game.won(mine, me, bit)
        marks, left = replaced(self.marks, me, mine), self.left - 1
        winner = (1 - 2 * me) * won
        after = TERMINAL if won or not left else 1 - me
        return kind(game, marks, known, views, left, winner, after)

    def returns(self) -> tuple[float, float]:
        """1 for the winner and -1 for the loser; 0 each for a draw."""
        return float(self.winner), float(-self.winner)

    def observation(self, player: int) -> Hashable:
        """The squares that the player has tried, as text such as ``" a1 b2?"``."""
        return self.views[player]

    def name(self) -> str:
        """The mover's information set: the player and the squares that the player has tried."""
        return f"P{self.player}{self.views[self.player]}"


class HiddenBoardKeys(InfosetKeys):
    """Computes keys of information sets from the last view, which shows all that a player knows:
    the squares tried."""

    def __init__(self, game: HiddenBoard, native: _core.HiddenBoard, player: int) -> None:
        self._game, self._native, self._player = game, native, player
        self._view: Hashable = None

    def notice(self, view: Hashable) -> None:
        """Keep the player's last view."""
        self._view = view

    def key(self, actions: Sequence[Action]) -> int:
        """The key of the information set: a hash of the player and of the squares tried."""
        del actions
        return self._native.key(self._player, self._game.tried(self._view))
