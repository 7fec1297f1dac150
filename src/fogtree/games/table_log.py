"""Lines of the log that the browser shows beside a game: who did what, in words."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]


def did(seat: int, verb: str, rest: str = "") -> Line:
    """A line of the log about something that one player did. The page writes ``text`` after that
    player's name, or ``yours`` after "You" if the reader is that player.

    >>> did(1, "bid", "two 5s")
    {'seat': 1, 'text': 'bids two 5s', 'yours': 'bid two 5s'}
    """
    after = f" {rest}" if rest else ""
    return {"seat": seat, "text": f"{verb}s{after}", "yours": f"{verb}{after}"}


def happened(text: str) -> Line:
    """A line of the log about something that no player did, such as a card that was turned up."""
    return {"seat": None, "text": text}
