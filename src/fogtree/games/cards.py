"""Names of playing cards."""

from __future__ import annotations

_RANKS = "23456789TJQKA"

MOST_RANKS = len(_RANKS)


def rank_names(count: int) -> str:
    """The lowest to the highest of ``count`` ranks, one letter each; up to three end in the king.

    >>> rank_names(3), rank_names(5)
    ('JQK', 'TJQKA')
    """
    return "JQK"[-count:] if count <= 3 else _RANKS[-count:]
