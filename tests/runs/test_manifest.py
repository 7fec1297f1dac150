"""Limits that are saved with a run."""

from __future__ import annotations

from msgspec import to_builtins

from fogtree.runs.limits import Limits
from fogtree.runs.manifest import Goal


def test_saved_limits_hold_unless_others_are_given():
    goal = Goal.of(Limits(100, 0.1, 5.0, 7))
    assert goal.limits() == Limits(100, 0.1, 5.0, 7)
    assert goal.limits(200) == Limits(200, every=7)
    assert goal.limits(seconds=9.0, every=3) == Limits(seconds=9.0, every=3)


def test_what_is_not_saved():
    assert Goal.of(Limits(1, every=lambda iteration: iteration + 1)).every is None
    assert "memory" not in to_builtins(Goal.of(Limits(1)))
    assert to_builtins(Goal.of(Limits(1), None))["memory"] is None
