"""The progress display of a training run."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from fogtree.cli import training_display
from fogtree.cli.training_display import MEANINGS, SCORES, STOPPING, TrainingDisplay
from fogtree.deep.report import Activity, Report
from fogtree.deep.win_rates import WinRate


@pytest.fixture(params=[True, False], ids=["terminal", "pipe"])
def console(request, monkeypatch):
    made = Console(file=StringIO(), force_terminal=request.param, width=100)
    monkeypatch.setattr(training_display, "messages", lambda: made)
    return made


def test_a_sign_of_life_before_the_first_iteration_has_ended(console):
    with TrainingDisplay("cambia", Path("run")) as display:
        display.pulse(Activity(1, "fitting regrets", 12.3))
    text = console.file.getvalue()
    assert ("iteration 1: fitting regrets, 12.3 s" in text) == console.is_terminal
    assert STOPPING not in text


def test_who_asks_to_stop_is_answered_once(console):
    with TrainingDisplay("cambia", Path("run")) as display:
        for seconds in (0.1, 0.2, 0.3):
            display.pulse(Activity(1, "walking", seconds, asked="interrupted"))
    assert console.file.getvalue().count(STOPPING) == 1


def test_losses_and_scores_are_explained_once_when_they_come(console):
    rates = {"greedy": WinRate(0.25, 0.2, 0.3, 100)}
    with TrainingDisplay("cambia", Path("run")) as display:
        for iteration, found in enumerate(({}, rates, rates), start=1):
            report = Report(
                iteration,
                1.0,
                10,
                10.0,
                {"regret0": 0.5},
                {},
                0,
                0.0,
                win_rates=found,
                latest=found,
            )
            display.show(report)
            if iteration == 1:
                assert "score" not in console.file.getvalue()
    text = " ".join(console.file.getvalue().split())
    assert "score against greedy 0.250, last networks: 0.250" in text
    assert text.count(MEANINGS.split(":")[1][:40]) == 1
    assert text.count(SCORES.split(":")[1][:40]) == 1
