"""solve(): limits, curves, own minimizers, and games that are not two-player zero-sum."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import (
    Minimizer,
    Recipe,
    Strategy,
    TabularSolver,
    best_response,
    equilibrium,
    exploitability,
    inspect,
    solve,
)
from fogtree.errors import GameError, UnknownNameError


def test_until(tree_of):
    run = solve(tree_of("kuhn_poker"), "cfr+", until=1e-3, every=1)
    assert run.stopped == "until"
    assert run.exploitability <= 1e-3
    assert run.iterations == 68  # tests/golden/convergence.toml
    assert run.reached(1e-2).iteration == 16


def test_seconds_and_zero_iterations(tree_of):
    assert solve(tree_of("kuhn_poker"), seconds=0.05).stopped == "seconds"
    run = solve(tree_of("kuhn_poker"), iterations=0)
    assert run.iterations == 0
    assert run.strategy.to_dict() == Strategy.uniform(tree_of("kuhn_poker")).to_dict()


def test_checks_are_counted_apart(tree_of):
    run = solve(tree_of("leduc_poker"), iterations=200, every=1)
    assert len(run.curve) == 200
    assert run.check_seconds > 0
    assert run.curve[-1].seconds == run.seconds
    assert run.curve[-1].exploitability == pytest.approx(run.exploitability, abs=1e-12)


def test_progress_is_told(tree_of):
    seen = []
    solve(tree_of("kuhn_poker"), iterations=10, every=5, progress=seen.append)
    assert [check.iteration for check in seen] == [5, 10]


def test_a_result_does_not_change_afterwards(tree_of):
    solver = TabularSolver(tree_of("kuhn_poker"), "cfr")
    solver.run(5)
    before = solver.strategy()
    kept = before.to_dict()
    solver.run(50)
    assert before.to_dict() == kept
    with pytest.raises(ValueError):
        before.probabilities[0] = 0.3


def test_a_minimizer_of_ones_own(tree_of):
    class Squared(Minimizer):
        def weights(self, regret):
            return np.maximum(regret, 0) ** 2

    run = solve(
        tree_of("kuhn_poker"), Recipe("squared", Squared, averaging="linear"), iterations=2000
    )
    assert run.exploitability < 5e-3


def test_unknown_algorithm_suggests(tree_of):
    with pytest.raises(UnknownNameError, match=r"did you mean 'cfr\+'"):
        solve(tree_of("kuhn_poker"), "cfr++", iterations=1)


def test_three_players(tree_of):
    """Two-player proofs do not hold, but regret minimization does well on three-player Kuhn."""
    run = solve(tree_of("kuhn_poker(players=3)"), "cfr+", iterations=5000)
    assert run.exploitability < 1e-4
    assert run.nash_conv == pytest.approx(3 * run.exploitability)
    with pytest.raises(GameError, match="not a two-player zero-sum"):
        equilibrium(tree_of("kuhn_poker(players=3)"))


def test_best_response_gains_what_exploitability_says(tree_of):
    tree = tree_of("leduc_poker")
    uniform = Strategy.uniform(tree)
    measured = exploitability(tree, uniform)
    for player in (0, 1):
        answer = best_response(tree, uniform, player)
        assert answer.value == pytest.approx(measured.best_response_values[player])
        played = exploitability(tree, answer.strategy)
        assert played.values[player] == pytest.approx(answer.value)


def test_inspect_adds_up(tree_of):
    tree = tree_of("kuhn_poker")
    run = solve(tree, "pcfr+", iterations=2000)
    reports = {report.name: report for report in inspect(tree, run.strategy)}
    assert sum(reports[card].reach for card in "JQK") == pytest.approx(1)
    total = sum(reports[card].reach * reports[card].expected_value for card in "JQK")
    assert total == pytest.approx(run.value)
    assert reports["Jcb"].values == pytest.approx((-1.0, -2.0), abs=1e-6)
