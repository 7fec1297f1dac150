"""The loop that drives every run."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from fogtree.runs.limits import Limits, Stopped
from fogtree.runs.loop import drive, finished
from fogtree.runs.progress import Check, Progress
from fogtree.system.termination import Terminated


@dataclass
class Counting:
    """Counts iterations, in whole batches; stops for want of memory at ``full``."""

    progress: Progress = field(default_factory=Progress)
    batch: int = 1
    full: int | None = None
    iteration: int = 0
    calls: list[str] = field(default_factory=list)

    def advance(self, count: int, seconds: float | None) -> Stopped | None:
        del seconds
        self.iteration += -(-count // self.batch) * self.batch
        return "memory" if self.full is not None and self.iteration >= self.full else None

    def pulse(self) -> None:
        self.calls.append("pulse")

    def check(self) -> None:
        self.progress.curve.append(Check(self.iteration, 0.0, 1 / self.iteration, 0.0))

    def save(self) -> None:
        self.calls.append("save")


@dataclass
class Ended:
    stopped: Stopped


def driven(task: Counting, limits: Limits, **options: object) -> Stopped:
    return drive(task, limits, task.progress, lambda: None, **options)


def checks(task: Counting) -> list[int]:
    return [check.iteration for check in task.progress.curve]


def test_stops_at_each_limit():
    task = Counting()
    assert driven(task, Limits(12)) == "iterations"
    assert (task.iteration, checks(task)) == (12, [1, 2, 5, 10])
    task = Counting()
    assert driven(task, Limits(until=0.25, every=1)) == "until"
    assert task.iteration == 4
    assert driven(Counting(), Limits(seconds=0.0)) == "seconds"
    task = Counting(full=3)
    assert driven(task, Limits(12, every=1)) == "memory"
    assert task.iteration == 3


def test_batches_are_measured_when_they_are_done():
    task = Counting(batch=4)
    assert driven(task, Limits(10)) == "iterations"
    assert (task.iteration, checks(task)) == (12, [4, 8, 12])


def test_a_signal_comes_before_limits():
    task = Counting()
    assert drive(task, Limits(0), task.progress, lambda: "interrupted") == "interrupted"
    assert task.calls == ["save"]  # at once


def test_saved_as_often_as_asked():
    task = Counting()
    driven(task, Limits(3, every=1), save_every=0.0)
    assert task.calls == ["save", *["pulse", "save"] * 3]
    task = Counting()
    driven(task, Limits(3, every=1))
    assert task.calls == ["save", *["pulse"] * 3]


def test_a_run_that_sigterm_ended_is_raised():
    ended = Ended("seconds")
    assert finished(ended) is ended
    with pytest.raises(Terminated) as caught:
        finished(Ended("terminated"))
    assert caught.value.run.stopped == "terminated"
