"""Bounds of the server: what one process accepts before it answers that it is full."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """All bounds of a server in one place."""

    games: int = 1000
    """Unfinished games kept at the same time."""
    loaded_games: int = 200
    """Games held in memory; others are loaded when somebody connects."""
    searches: int = 2
    """Agents that think at the same time; others wait for their turn."""
    search_bytes: int = 256_000_000
    """Memory of one search tree."""
    jobs: int = 4
    """Solves, matches and training runs at the same time."""
    message_bytes: int = 16_384
    """Size of one message or request body."""
    upload_bytes: int = 4_000_000
    """Size of an uploaded record file."""
    messages_per_second: float = 20.0
    """Messages of one connection, averaged over a few seconds."""
    message_burst: int = 60
    """Messages that one connection may send at once."""
    sockets: int = 400
    """Open websockets."""
    sockets_per_seat: int = 8
    """Open websockets of one seat: browser tabs of one person."""
    idle_seconds: float = 60.0
    """Seconds without a connected person after which a game's agents are closed."""
    agent_seconds: float = 0.3
    """Seconds after which the move of an agent that does not search is published."""
    most_move_seconds: float = 60.0
    """The longest time per move that can be asked for."""


class RateLimit:
    """A token bucket: allows bursts, and a mean rate in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._last = float(burst), now

    def allow(self, now: float) -> bool:
        """Whether one more message is allowed at this moment."""
        self._tokens = min(self._burst, self._tokens + (now - self._last) * self._rate)
        self._last = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
