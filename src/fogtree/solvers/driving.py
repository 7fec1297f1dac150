"""When a run stops, when it is measured, how long a step is, and what Ctrl-C and SIGTERM do."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.solvers.recipes import Recipe
from fogtree.solvers.run import Progress, Stopped
from fogtree.system.termination import DEFAULT_ITERATIONS

SAVE_EVERY_SECONDS = 30.0
STEP_SECONDS = 0.05  # how long the engine runs before we look at the clock and the keyboard

LOOK_SECONDS = 0.1  # how often it is looked whether somebody has asked to stop

Result = TypeVar("Result")
Pulse = Callable[[int, float], None]
Every = int | Callable[[int], int]


class Limits:
    """When to stop and when to measure."""

    def __init__(
        self,
        iterations: int | None,
        until: float | None,
        seconds: float | None,
        every: Every | None,
    ) -> None:
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
        self.iterations, self.until, self.seconds, self.every = iterations, until, seconds, every

    @classmethod
    def of_new_run(
        cls,
        iterations: int | None,
        until: float | None,
        seconds: float | None,
        every: Every | None,
    ) -> Limits:
        """After DEFAULT_ITERATIONS if nothing is said; a saved run has limits of its own."""
        if iterations is None and until is None and seconds is None:
            iterations = DEFAULT_ITERATIONS
        return cls(iterations, until, seconds, every)

    def check_delay(self, row: Recipe) -> None:
        """Refuses a run whose average would be of nothing: its answer would be uniform."""
        if self.iterations and row.averaging != "last" and self.iterations <= row.delay:
            raise OptionError(
                f"a delay of {row.delay:,} leaves out all {self.iterations:,} iterations: nothing "
                "would be averaged; run longer or choose a smaller delay"
            )

    def goal(self) -> dict[str, Any]:
        """What is saved with a run, so that it can be resumed without saying it again."""
        every = self.every if isinstance(self.every, int) else None
        limits = {"iterations": self.iterations, "until": self.until, "seconds": self.seconds}
        return {**limits, "every": every}

    def stopped(self, iteration: int, progress: Progress, asked: Stopped | None) -> Stopped | None:
        """Why to stop now, if there is a reason; to be asked from outside is the first."""
        if asked is not None:
            return asked
        if self.iterations is not None and iteration >= self.iterations:
            return "iterations"
        if self.seconds is not None and progress.seconds >= self.seconds:
            return "seconds"
        if (
            self.until is not None
            and progress.curve
            and progress.curve[-1].iteration == iteration
            and progress.curve[-1].exploitability <= self.until
        ):
            return "until"
        return None

    def seconds_left(self, progress: Progress) -> float | None:
        """Of solving, until it has to stop."""
        return None if self.seconds is None else max(0.0, self.seconds - progress.seconds)

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


@contextmanager
def interruptible() -> Iterator[Callable[[], Stopped | None]]:
    """Turns Ctrl-C and SIGTERM into an answer; a second one ends the process at once."""
    asked: list[Stopped] = []

    def press(number: int, frame: Any) -> None:
        if asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        if asked:
            raise SystemExit(128 + number)
        asked.append("interrupted" if number == signal.SIGINT else "terminated")

    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before[signal.SIGINT] = signal.signal(signal.SIGINT, press)
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # else somebody else sees to it
            before[signal.SIGTERM] = signal.signal(signal.SIGTERM, press)
    try:
        yield lambda: asked[0] if asked else None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Beside:
    """A thread for work that takes a while, so that this one can watch the clock and the keyboard.

    What is running when time is up, or when ``asked`` answers, is told to stop.
    """

    def __init__(self, asked: Callable[[], Stopped | None]) -> None:
        self._asked = asked
        self._thread = ThreadPoolExecutor(max_workers=1)

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *error: object) -> None:
        self._thread.shutdown()

    def run(self, work: Callable[[_core.Stop], Result], seconds: float | None) -> Result:
        stop = _core.Stop()
        end = None if seconds is None else perf_counter() + seconds
        running = self._thread.submit(work, stop)
        try:
            while not running.done():
                left = LOOK_SECONDS if end is None else min(LOOK_SECONDS, end - perf_counter())
                if left <= 0 or self._asked() is not None:
                    stop.request()
                    break
                wait([running], timeout=left)
        except BaseException:
            stop.request()  # a second Ctrl-C: nobody waits for the answer
            raise
        return running.result()


def next_step(step: int, count: int, took: float) -> int:
    """As many iterations as fit in STEP_SECONDS, growing at most fourfold at a time."""
    if took <= 0:
        return step * 4
    fitting = max(1, int(count * STEP_SECONDS / took))
    return min(fitting, max(step, count) * 4)
