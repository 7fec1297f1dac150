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
    engines: int = 16
    """Unfinished games in memory in which an agent keeps a search tree."""
    searches: int = 12
    """Searches of agents at the same time; further ones wait. Every search ends on time: if many
    run, each does less work, and none is late."""
    scripted: int = 4
    """Agents that answer at once, at the same time."""
    search_bytes: int = 512_000_000
    """Memory of the search trees of all agents together; each gets the same share."""
    match_search_bytes: int = 128_000_000
    """Memory of the search tree of one agent in a match."""
    look_bytes: int = 96_000_000
    """Memory of the search tree of one look."""
    search_threads: int = 2
    """Threads of one search."""
    belief_positions: int = 100_000
    """Positions that the belief of one search lists."""
    looks: int = 4
    """Looks into the fog at the same time."""
    look_seconds: float = 10.0
    """The longest search of one look."""
    jobs: int = 4
    """Solves, matches, training runs and analyses at the same time."""
    unwatched_seconds: float = 30.0
    """Seconds without a visitor after which an analysis may be stopped for another job."""
    ended_jobs: int = 50
    """Ended jobs whose results are kept; the oldest is forgotten first."""
    solution_bytes: int = 5_000_000
    """Size of the strategies of one solve that outlive the server; larger ones do not."""
    finished_games: int = 2000
    """Finished games that are kept; the one that ended first is removed first."""
    opened_records: int = 200
    """Games opened from files that are kept; the oldest is removed first."""
    analyses: int = 200
    """Analyses of finished games that are kept; the oldest is removed first."""
    study_threads: int = 4
    """Requests of the lab, the walk-through and the arena that are worked on at the same time."""
    compile_bytes: int = 1_000_000_000
    """Memory that compiling a game of the lab may take."""
    training_minutes: float = 240.0
    """The longest training run that can be asked for at once."""
    own_code_bytes: int = 100_000
    """Size of a visitor's Python file."""
    own_code_files: int = 20
    """Python files kept; the oldest is forgotten first."""
    own_code_seconds: float = 60.0
    """Seconds that the code of a visitor's file may run before it is stopped."""
    own_code_processes: int = 2
    """Processes that run visitors' files at the same time."""
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
    over_seconds: float = 5.0
    """Seconds without a connected person after which a finished game leaves memory."""
    agent_seconds: float = 0.3
    """Seconds after which the move of an agent that does not search is published."""
    slot_seconds: float = 0.05
    """A move that comes late is published at the next multiple of this."""
    unsent_events: int = 2000
    """Events that wait for a slow connection before it is closed."""
    hello_seconds: float = 10.0
    """Seconds in which a connection must say who it is."""
    most_move_seconds: float = 60.0
    """The longest time per move that can be asked for."""


class RateLimit:
    """A token bucket: allows bursts, and a mean rate in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """Allow ``rate`` messages per second in the long run and ``burst`` at once, beginning at
        the moment ``now``, in seconds of any clock."""
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
