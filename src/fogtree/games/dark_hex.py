"""Dark hex: Hex in which neither player sees the other's stones.

OpenSpiel's game of the same name, with "cdh" (classical) and "adh" (abrupt); the 3 × 3 board is one
of the games of M. Rudolph et al., "Reevaluating policy gradient methods for imperfect-information
games", 2025.
*Deviations:* in OpenSpiel's classical game the information state also tells how many squares both
players tried together; here a player knows only what it tried itself, as in phantom tic-tac-toe.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fogtree import _core
from fogtree.game.parameters import parameter
from fogtree.games.hidden_board import HiddenBoard
from fogtree.registry import GameEntry
from fogtree.text.counts import listed

_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
"""Rows and columns from a hexagon to each of its neighbours."""


@dataclass(frozen=True)
class DarkHex(HiddenBoard):
    """Dark hex: connect your two sides of the board without seeing the other's stones."""

    short_name = "dark_hex"
    rows: int = parameter(2, "rows of the board", minimum=1, maximum=10)
    columns: int = parameter(3, "columns of the board", minimum=1, maximum=10)
    abrupt: bool = parameter(False, "whether trying an occupied square ends the turn")

    @cached_property
    def touching(self) -> dict[int, int]:
        """The squares that touch each square, six inside the board; keys and values are bits."""
        rows, columns = self.rows, self.columns
        return {
            1 << row * columns + column: sum(
                1 << (row + down) * columns + column + right
                for down, right in _STEPS
                if 0 <= row + down < rows and 0 <= column + right < columns
            )
            for row in range(rows)
            for column in range(columns)
        }

    @cached_property
    def sides(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The two sides that each player connects, as bits: the first and the last row for player
        0, the first and the last column for player 1."""
        row = (1 << self.columns) - 1
        column = sum(1 << number * self.columns for number in range(self.rows))
        last_row, last_column = self.columns * (self.rows - 1), self.columns - 1
        return (row, row << last_row), (column, column << last_column)

    def won(self, marks: int, player: int, last: int) -> bool:
        """Whether the chain of marks that contains the last one connects the player's two sides."""
        return self.connects(self.chain(marks, last), player)

    def chain(self, marks: int, start: int) -> int:
        """The connected group of marks that contains the mark ``start``; all are bits."""
        chain = fresh = start
        while fresh:
            around = 0
            for bit, near in self.touching.items():
                around |= near if bit & fresh else 0
            fresh = around & marks & ~chain
            chain |= fresh
        return chain

    def connects(self, chain: int, player: int) -> bool:
        """Whether a chain of marks touches both sides of a player."""
        return all(chain & side for side in self.sides[player])

    def native_board(self) -> _core.HiddenBoard | None:
        """The native rules; None for a class derived from this one, which may have other rules."""
        if type(self) is not DarkHex:  # another class may have other rules
            return None
        return _core.HiddenBoard.chain(list(self.squares), self.rows, self.columns, self.abrupt)


def _rules(game: DarkHex) -> str:
    """The rules for this board, in words."""
    return (
        f"Hex on {game.rows} × {game.columns} hexagons in which neither player sees the other's "
        "stones. The first player connects the lowest row with the highest, the second the left "
        f"column with the right one. Two hexagons touch if they share a side{_example(game)}. "
        f"{game.trying('your stone stays there', 'hexagon')}"
    )


def _example(game: DarkHex) -> str:
    """The hexagons that touch the first one with the most neighbours, by name; empty on a board of
    a single hexagon."""
    middle = max(game.touching, key=lambda one: game.touching[one].bit_count())
    near = [name for name, bit in game.squares.items() if bit & game.touching[middle]]
    name = next(name for name, bit in game.squares.items() if bit == middle)
    return f": {name} touches {listed(near)}" if near else ""


_FULL = {"rows": "3", "columns": "3"}
ENTRY = GameEntry(
    name="dark_hex",
    game=DarkHex,
    agents=(),
    rules=_rules,
    sizes={
        "3 × 3": _FULL,
        "3 × 3, abrupt: an occupied square costs the turn": {**_FULL, "abrupt": "true"},
        "2 × 3, small enough to be solved": {},
    },
    training="fogtree.games.hidden_board_training:training_support",
    web="fogtree.games.dark_hex_web:VIEW",
)
