"""When runs stop and when they are measured."""

from __future__ import annotations

from itertools import accumulate, repeat

import pytest

from fogtree.errors import OptionError
from fogtree.runs.limits import DEFAULT_ITERATIONS, Limits, never
from fogtree.runs.progress import Check, Progress


def checks(limits: Limits, count: int) -> list[int]:
    """The first iterations at which a run is measured."""
    steps = accumulate(repeat(0, count + 1), lambda iteration, _: limits.next_check(iteration))
    return list(steps)[1:]


def test_schedules():
    assert checks(Limits(1), 8) == [1, 2, 5, 10, 20, 50, 100, 200]
    assert checks(Limits(1, every=3), 3) == [3, 6, 9]
    assert Limits(1, every=3).next_check(4) == 6
    assert checks(Limits(1, every=lambda iteration: iteration * 2), 4) == [1, 2, 4, 8]
    assert Limits(1, every=never).next_check(10**9) > 10**18


def test_a_new_run_without_limits_has_the_usual_number_of_iterations():
    assert Limits.for_new_run() == Limits(DEFAULT_ITERATIONS)
    assert Limits.for_new_run(seconds=3.0) == Limits(seconds=3.0)


def test_the_limit_that_was_reached():
    progress = Progress(5.0, curve=[Check(10, 5.0, 0.1, 0.0)])
    assert Limits(10).reached(9, progress) is None
    assert Limits(10, until=0.1, seconds=5.0).reached(10, progress) == "iterations"
    assert Limits(11, until=0.1, seconds=5.0).reached(10, progress) == "seconds"
    assert Limits(11, until=0.1).reached(10, progress) == "until"
    assert Limits(until=0.1).reached(11, progress) is None  # not measured here
    assert Limits(until=0.1).reached(0, Progress()) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"iterations": -1},
        {"iterations": 1.5},
        {"until": 0.0},
        {"until": float("nan")},
        {"seconds": -1.0},
        {"iterations": 1, "every": 0},
    ],
)
def test_limits_that_make_no_sense(wrong):
    with pytest.raises(OptionError):
        Limits(**wrong)
