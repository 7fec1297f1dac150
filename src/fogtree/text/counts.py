"""Numbers and lists of things as sentences have them: "one card", "12 cards", "a, b and c"."""

from __future__ import annotations

from collections.abc import Sequence

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def figure(number: float) -> str:
    """A number in digits, none of which is left out.

    >>> figure(1234567), figure(2.0), figure(0.5)
    ('1,234,567', '2', '0.5')
    """
    return f"{number:,}".removesuffix(".0")


def number_word(number: int) -> str:
    """A number in letters from one to ten, others in digits.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _WORDS[number - 1] if 0 < number <= len(_WORDS) else figure(number)


def counted(number: float, thing: str) -> str:
    """A number of things, in digits.

    >>> counted(1, "chip"), counted(3, "chip"), counted(0.5, "chip")
    ('1 chip', '3 chips', '0.5 chips')
    """
    return f"{figure(number)} {_plural(number, thing)}"


def counted_in_words(number: int, thing: str) -> str:
    """A number of things, in letters up to ten.

    >>> counted_in_words(1, "card"), counted_in_words(2, "more card")
    ('one card', 'two more cards')
    """
    return f"{number_word(number)} {_plural(number, thing)}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words one after the other.

    >>> listed(["jack", "queen", "king"], "or"), listed(["jack"])
    ('jack, queen or king', 'jack')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _plural(number: float, thing: str) -> str:
    """The thing, with an s unless there is one of it."""
    return thing if number == 1 else f"{thing}s"
