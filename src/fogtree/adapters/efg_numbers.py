"""Exact numbers in Gambit's files: whole numbers, fractions and decimals."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_MOST_LETTERS = 340  # of a number's text
_MOST_BITS = 1100
"""Bits of a numerator or denominator, enough for every floating-point number that is not tiny."""

_NUMBER = re.compile(r"[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)")
_LARGEST = 10**300
_SIMPLE = 1_000_000
"""The largest denominator that is tried for a number of a game, such as 1/3."""


def read_number(text: str) -> Fraction | None:
    """The number that a text stands for; None if it is no number, or has too many digits."""
    if len(text) > _MOST_LETTERS or not _NUMBER.fullmatch(text):
        return None
    try:
        number = Fraction(text)
    except ZeroDivisionError:
        return None
    return number if is_moderate(number) else None


def is_moderate(number: Fraction) -> bool:
    """Whether a number has a bounded size in memory, and is in the range of floating point."""
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return bits <= _MOST_BITS and abs(number) < _LARGEST


def exact(value: float) -> Fraction:
    """A fraction that rounds to this floating-point number: one with a small denominator, such as
    1/3, if there is one, else the number's exact value."""
    simple = Fraction(value).limit_denominator(_SIMPLE)
    return simple if float(simple) == value else Fraction(value)


def exact_shares(values: list[float]) -> list[Fraction]:
    """Probabilities as fractions that sum to 1 exactly, as Gambit wants them."""
    shares = [exact(value) for value in values]
    rest = 1 - sum(shares)
    if rest:
        largest = max(range(len(shares)), key=shares.__getitem__)
        shares[largest] += rest
    return shares


def is_probability_mix(shares: list[Fraction]) -> bool:
    """Whether probabilities are at least 0 and sum to 1, up to the rounding of decimals."""
    return all(share >= 0 for share in shares) and math.isclose(sum(shares), 1, abs_tol=1e-9)
