"""When a run stops and when its answer is measured."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from fogtree.errors import OptionError
from fogtree.runs.progress import Progress

Stopped = Literal["iterations", "until", "seconds", "memory", "interrupted", "terminated"]
"""Why a run ended."""

Every = int | Callable[[int], int]
"""Iterations between two measurements, or a function from an iteration to the next measured one."""

DEFAULT_ITERATIONS = 1000
"""Iterations of a run that was given no limit."""


def never(iteration: int) -> int:
    """The schedule (see :data:`Every`) of a run whose answer is not measured: the next measurement
    is never reached."""
    del iteration
    return sys.maxsize


@dataclass(frozen=True, slots=True)
class Limits:
    """A run stops after ``iterations``, at exploitability ``until`` or after ``seconds``, whichever
    comes first. Its answer is measured every ``every`` iterations, by default at 1, 2, 5, 10, 20,
    ..."""

    iterations: int | None = None
    until: float | None = None
    seconds: float | None = None
    every: Every | None = None

    def __post_init__(self) -> None:
        """Refuse limits that are missing, of the wrong type or out of range."""
        iterations, until, seconds, every = self.iterations, self.until, self.seconds, self.every
        if iterations is None and until is None and seconds is None:
            raise OptionError("say when to stop: iterations, until (exploitability) or seconds")
        if iterations is not None and (not isinstance(iterations, int) or iterations < 0):
            raise OptionError(f"iterations must be a whole number from 0, not {iterations}")
        if until is not None and not until > 0:
            raise OptionError(f"until must be above 0, not {until}; iterations never get there")
        if seconds is not None and not seconds >= 0:
            raise OptionError(f"seconds must be at least 0, not {seconds}")
        if every is not None and not callable(every) and (not isinstance(every, int) or every < 1):
            raise OptionError(f"every must be a whole number from 1, not {every}")

    @classmethod
    def for_new_run(
        cls,
        iterations: int | None = None,
        until: float | None = None,
        seconds: float | None = None,
        every: Every | None = None,
    ) -> Limits:
        """The given limits; DEFAULT_ITERATIONS if none is given."""
        if iterations is None and until is None and seconds is None:
            iterations = DEFAULT_ITERATIONS
        return cls(iterations, until, seconds, every)

    def reached(self, iteration: int, progress: Progress) -> Stopped | None:
        """The limit that has been reached, or None."""
        if self.iterations is not None and iteration >= self.iterations:
            return "iterations"
        if self.seconds is not None and progress.seconds >= self.seconds:
            return "seconds"
        if self.until is not None and progress.curve and progress.curve[-1].iteration == iteration:
            return "until" if progress.curve[-1].exploitability <= self.until else None
        return None

    def next_check(self, iteration: int) -> int:
        """The first iteration after this one at which the answer is measured."""
        if callable(self.every):
            return max(iteration + 1, self.every(iteration))
        if self.every is not None:
            return (iteration // self.every + 1) * self.every
        scale = 1
        while True:
            for step in (1, 2, 5):
                if step * scale > iteration:
                    return step * scale
            scale *= 10
