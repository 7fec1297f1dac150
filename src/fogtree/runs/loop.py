"""The loop of every run: advance, measure, save, until a limit is reached or a signal arrives."""

from __future__ import annotations

from time import monotonic, perf_counter
from typing import Protocol, TypeVar

from fogtree.runs.limits import Limits, Stopped
from fogtree.runs.progress import Progress
from fogtree.system.termination import StopRequest, Terminated

SAVE_EVERY_SECONDS = 30.0
"""Seconds between two saves of a run."""
STEP_SECONDS = 0.05
"""Seconds between two checks of the clock and the signals: the length of a step."""


class Task(Protocol):
    """The work of a run."""

    @property
    def iteration(self) -> int:
        """Iterations done so far."""
        ...

    def advance(self, count: int, seconds: float | None) -> Stopped | None:
        """Do ``count`` iterations, fewer if ``seconds`` have passed or a signal arrives, or more in
        whole batches. Returns why the run cannot continue, or None."""
        ...

    def pulse(self) -> None:
        """Report progress to the caller of the run; called after every step."""
        ...

    def check(self) -> None:
        """Measure the answer."""
        ...

    def save(self) -> None:
        """Save the run, if it has a folder."""
        ...


class HasStopped(Protocol):
    """The result of a run, which says why the run stopped."""

    @property
    def stopped(self) -> Stopped:
        """Why the run ended."""
        ...


Result = TypeVar("Result", bound=HasStopped)


def drive(
    task: Task,
    limits: Limits,
    progress: Progress,
    asked: StopRequest,
    *,
    save_every: float | None = None,
) -> Stopped:
    """Advance a task until a limit or a signal (``asked``) stops it, and return the reason.

    It is saved at once (so that an unwritable folder is found before the work is done) and then
    every ``save_every`` seconds; the caller makes the last save, after its last measurement.
    """
    save_every = SAVE_EVERY_SECONDS if save_every is None else save_every
    step = 1
    task.save()
    saved = monotonic()
    while True:
        stopped = asked() or limits.reached(task.iteration, progress)
        if stopped is not None:
            return stopped
        due = limits.next_check(task.iteration)
        end = due if limits.iterations is None else min(due, limits.iterations)
        count = min(step, end - task.iteration)
        left = None if limits.seconds is None else limits.seconds - progress.seconds
        start = perf_counter()
        stopped = task.advance(count, left)
        took = perf_counter() - start
        progress.seconds += took
        step = _next_step(step, count, took)
        task.pulse()
        if task.iteration >= due:
            task.check()
        if stopped is not None:
            return stopped
        if monotonic() - saved > save_every:
            task.save()
            saved = monotonic()


def finished(run: Result) -> Result:
    """Return a run that has ended; raise :class:`Terminated` with it if SIGTERM ended it."""
    if run.stopped == "terminated":
        raise Terminated(run)
    return run


def _next_step(step: int, count: int, took: float) -> int:
    """The number of iterations of the next step: as many as fit in STEP_SECONDS, if the last
    ``count`` took ``took`` seconds, but at most four times the last ``step``."""
    if took <= 0:
        return step * 4
    fitting = max(1, int(count * STEP_SECONDS / took))
    return min(fitting, max(step, count) * 4)
