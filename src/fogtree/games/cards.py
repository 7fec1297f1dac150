"""Names of playing cards."""

from __future__ import annotations

_RANKS = "23456789TJQKA"

_WORDS = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}

MOST_RANKS = len(_RANKS)


def rank_names(count: int) -> str:
    """Names of ``count`` ranks from the lowest, one letter each; the highest is the king if there
    are at most three, else the ace.

    >>> rank_names(3), rank_names(5)
    ('JQK', 'TJQKA')
    """
    return "JQK"[-count:] if count <= 3 else _RANKS[-count:]


def rank_words(count: int) -> list[str]:
    """Words for ``count`` ranks from the lowest.

    >>> rank_words(4)
    ['jack', 'queen', 'king', 'ace']
    """
    return [_WORDS.get(name, name) for name in rank_names(count)]
