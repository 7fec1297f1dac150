"""A clock with increment, and how much of it a move may take.

*Deviations:* plain shares of what is left, as most chess programs use; nothing is published on how
the method of Zhang & Sandholm (2025) would divide a clock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fogtree.errors import OptionError

MOVES_AHEAD = 30
"""Moves that the remaining time must be enough for, if nobody says."""
GAIN_SHARE = 0.75
"""Of the increment, which comes back after every move."""
MOST = 0.8
"""Of what is left, for a single move."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds for the whole game, and what each move adds."""

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        if not (0 < self.seconds < float("inf") and 0 <= self.increment < float("inf")):
            raise OptionError("a clock needs seconds above 0 and an increment of at least 0")

    @classmethod
    def read(cls, text: str) -> Clock:
        """``60`` or ``60+0.5``."""
        seconds, _, increment = text.partition("+")
        try:
            return cls(float(seconds), float(increment or 0))
        except ValueError:
            raise OptionError(f"a clock is written like 60+0.5, not '{text[:40]}'") from None


def time_for_move(left: float, increment: float = 0.0, moves: int = 0) -> float:
    """Seconds that a move may take of what is left; ``moves`` until there is more, 0 if never."""
    share = left / (moves or MOVES_AHEAD) + GAIN_SHARE * increment
    return max(0.0, min(share, MOST * left))


class RunningClock:
    """What is left of a player's clock; without one, nothing runs."""

    def __init__(self, clock: Clock | None) -> None:
        self._clock = clock
        self.left = clock.seconds if clock is not None else 0.0

    def time_for_move(self) -> float | None:
        """Seconds that the next move may take; None without a clock."""
        if self._clock is None:
            return None
        return max(0.001, time_for_move(max(0.0, self.left), self._clock.increment))

    @contextmanager
    def running(self) -> Iterator[None]:
        """While a move is thought about; the increment is for one that is made."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.left -= time.perf_counter() - began
        if self._clock is not None:
            self.left += self._clock.increment
