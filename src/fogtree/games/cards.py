"""Names of playing cards."""

from __future__ import annotations

_RANKS = "23456789TJQKA"

MOST_RANKS = len(_RANKS)


def rank_names(count: int) -> str:
    """Names of ``count`` ranks from the lowest, one letter each; the highest is the king if there
    are at most three, else the ace.

    >>> rank_names(3), rank_names(5)
    ('JQK', 'TJQKA')
    """
    return "JQK"[-count:] if count <= 3 else _RANKS[-count:]
