"""Numbers of things in the rules of games: "one card", "12 cards"."""

from __future__ import annotations

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """A number as a sentence has it: in letters up to ten.

    >>> number_word(3), number_word(12)
    ('three', '12')
    """
    return _WORDS[number] if 0 < number < len(_WORDS) else str(number)


def counted(number: float, thing: str) -> str:
    """A number of things.

    >>> counted(1, "chip"), counted(3, "chip"), counted(0.5, "chip")
    ('1 chip', '3 chips', '0.5 chips')
    """
    return f"{number:g} {thing}" if number == 1 else f"{number:g} {thing}s"


def listed(words: list[str], last: str = "and") -> str:
    """Words one after the other, as a sentence has them.

    >>> listed(["jack", "queen", "king"], "or"), listed(["jack"])
    ('jack, queen or king', 'jack')
    """
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
