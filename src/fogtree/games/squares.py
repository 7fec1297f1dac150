"""Small boards for two: squares as bits, and one thing per player as a pair."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")

MOST_NATIVE_SQUARES = 64
"""Squares of the largest board that is walked natively."""


def squares(rows: int, columns: int) -> dict[str, int]:
    """The bit of each square, row by row.

    >>> squares(2, 2)
    {'a1': 1, 'b1': 2, 'a2': 4, 'b2': 8}
    """
    names = [f"{'abcdefghij'[column]}{row + 1}" for row in range(rows) for column in range(columns)]
    return {name: 1 << number for number, name in enumerate(names)}


def drawn_squares(rows: int, columns: int) -> list[str]:
    """The names of the squares as they are drawn, row by row from the top: the first row is at the
    bottom.

    >>> drawn_squares(2, 2)
    ['a2', 'b2', 'a1', 'b1']
    """
    names = list(squares(rows, columns))
    return [
        name for row in range(rows)[::-1] for name in names[row * columns : (row + 1) * columns]
    ]


def replaced(pair: tuple[T, T], player: int, value: T) -> tuple[T, T]:
    """The pair with another value for one player."""
    return (value, pair[1]) if player == 0 else (pair[0], value)
