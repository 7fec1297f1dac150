"""A game clock with increment, and the share of it that one move may take.

*Deviations:* each move gets a share of the remaining time, as in most chess programs; Zhang &
Sandholm (2025) do not say how they divide a clock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fogtree.errors import OptionError

MOVES_AHEAD = 30
"""Moves that the remaining time is divided among by default."""
GAIN_SHARE = 0.75
"""The part of the increment that a move may use."""
MAX_SHARE = 0.8
"""The largest part of the remaining time that a move may use."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds for all of a player's moves, and the seconds that each move adds."""

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a clock without time, or with a negative increment."""
        if not (0 < self.seconds < float("inf") and 0 <= self.increment < float("inf")):
            raise OptionError("a clock needs seconds above 0 and an increment of at least 0")

    @classmethod
    def read(cls, text: str) -> Clock:
        """Read a clock from ``60`` or ``60+0.5``."""
        seconds, _, increment = text.partition("+")
        try:
            return cls(float(seconds), float(increment or 0))
        except ValueError:
            raise OptionError(f"a clock is written like 60+0.5, not '{text[:40]}'") from None


def time_for_move(left: float, increment: float = 0.0, moves: int = 0) -> float:
    """The seconds that a move may take out of those ``left``; ``moves`` is the number of moves
    until time is added, 0 if it never is."""
    share = left / (moves or MOVES_AHEAD) + GAIN_SHARE * increment
    return max(0.0, min(share, MAX_SHARE * left))


class RunningClock:
    """The remaining time of a player; without a clock it counts but limits nothing."""

    def __init__(self, clock: Clock | None) -> None:
        self._clock = clock
        self.left = clock.seconds if clock is not None else 0.0

    def time_for_move(self) -> float | None:
        """Seconds that the next move may take, at least a millisecond; None without a clock."""
        if self._clock is None:
            return None
        return max(0.001, time_for_move(max(0.0, self.left), self._clock.increment))

    @contextmanager
    def running(self, before: float = 0.0) -> Iterator[None]:
        """Run the clock during the block, which makes a decision; ``before`` seconds of it have
        passed already. The increment is added unless the block fails."""
        began = time.perf_counter() - before
        try:
            yield
        finally:
            self.left -= time.perf_counter() - began
        if self._clock is not None:
            self.left += self._clock.increment
