"""Helpers of the small board games: squares as bits, and pairs with one item per player."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

MOST_NATIVE_SQUARES = 64
"""Squares of the largest board that is walked natively."""


def squares(rows: int, columns: int) -> dict[str, int]:
    """The bit of each square by its name, a letter for the column and a number for the row; row by
    row from a1.

    >>> squares(2, 2)
    {'a1': 1, 'b1': 2, 'a2': 4, 'b2': 8}
    """
    names = [f"{'abcdefghij'[column]}{row + 1}" for row in range(rows) for column in range(columns)]
    return {name: 1 << number for number, name in enumerate(names)}


def drawn_squares(rows: int, columns: int) -> list[str]:
    """The names of the squares in the order in which a page draws them: from the highest row down
    to row 1, which is at the bottom.

    >>> drawn_squares(2, 2)
    ['a2', 'b2', 'a1', 'b1']
    """
    names = list(squares(rows, columns))
    return [
        name for row in range(rows)[::-1] for name in names[row * columns : (row + 1) * columns]
    ]


def replaced(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """A copy of a pair with one item per player, in which the player's item is ``value``."""
    return (value, pair[1]) if player == 0 else (pair[0], value)
