"""Every native kernel against its NumPy reference, on every game, in every instruction set."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import RECIPES, Strategy, TabularSolver, _core, recipe
from fogtree.solvers.tabular import _schedule
from tests.support.games import SMALL_GAMES

GAMES = (*SMALL_GAMES, "battleship", "phantom_ttt")
ITERATIONS = 100
FEWER = 30
"""Iterations on the games that are not small."""


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("algorithm", sorted(RECIPES))
@pytest.mark.parametrize("game", GAMES)
def test_native_equals_reference(tree_of, game, algorithm, alternating):
    tree = tree_of(game)
    row = recipe(algorithm, alternating=alternating)
    native = TabularSolver(tree, row)
    reference = TabularSolver(tree, row, reference=True)
    for _ in range(ITERATIONS if game in SMALL_GAMES else FEWER):
        native.run(1)
        reference.run(1)
        np.testing.assert_allclose(
            native.current().probabilities, reference.current().probabilities, rtol=0, atol=1e-9
        )
    np.testing.assert_allclose(
        native.strategy().probabilities, reference.strategy().probabilities, rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("algorithm", sorted(RECIPES))
@pytest.mark.parametrize("instruction_set", _core.instruction_sets())
def test_instruction_sets_agree(tree_of, instruction_set, algorithm):
    tree = tree_of("leduc_poker")
    engine = _core.Engine64(tree.form, _schedule(recipe(algorithm)), 1, instruction_set)
    reference = TabularSolver(tree, algorithm, reference=True)
    engine.run(20)
    reference.run(20)
    np.testing.assert_allclose(
        engine.strategy(True), reference.strategy().probabilities, rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("algorithm", sorted(RECIPES))
@pytest.mark.parametrize("averaging", ["uniform", "linear", "quadratic", "quintic", "last"])
@pytest.mark.parametrize("delay", [0, 7])
def test_averaging_options(tree_of, algorithm, averaging, delay):
    row = recipe(algorithm, averaging=averaging, delay=delay)
    tree = tree_of("kuhn_poker")
    native, reference = TabularSolver(tree, row), TabularSolver(tree, row, reference=True)
    native.run(50)
    reference.run(50)
    np.testing.assert_allclose(
        native.strategy().probabilities, reference.strategy().probabilities, rtol=0, atol=1e-9
    )
    assert native.evaluate().nash_conv == pytest.approx(reference.evaluate().nash_conv, abs=1e-9)


@pytest.mark.parametrize(
    "game", ["leduc_poker", "leduc_poker(ranks=4, suits=3)", "liars_dice(sides=4)"]
)
def test_merging_changes_nothing(tree_of, game):
    """Merged or not, the iterates are the same until rounding grows."""
    tree = tree_of(game)
    merged, whole = TabularSolver(tree, "cfr+"), TabularSolver(tree, "cfr+", merge=False)
    assert sum(tree.form.sequences) < sum(tree.full_form.sequences)
    for solver in (merged, whole):
        solver.run(15)
    np.testing.assert_allclose(
        merged.strategy().probabilities, whole.strategy().probabilities, rtol=0, atol=1e-9
    )
    for solver in (merged, whole):
        solver.run(485)
    assert merged.evaluate().value == pytest.approx(whole.evaluate().value, abs=1e-4)


@pytest.mark.parametrize("engine", [_core.Engine64, _core.Engine32])
def test_threads_do_not_change_a_bit(tree_of, engine):
    tree = tree_of("liars_dice(sides=5)")
    answers = []
    for threads in (1, 2, 3):
        solver = engine(tree.form, _schedule(recipe("dcfr")), threads, "", 1)  # however small
        solver.run(30)
        answers.append(solver.strategy(True))
    whole = engine(tree.form, _schedule(recipe("dcfr")))
    whole.run(30)
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])
    # Parts lie elsewhere in memory, so sums round differently; the answer is as good.
    assert sum(solver.evaluate()[1]) == pytest.approx(sum(whole.evaluate()[1]), abs=1e-3)


def test_single_precision_is_close(tree_of):
    tree = tree_of("leduc_poker")
    solver = TabularSolver(tree, "cfr+", precision="float32")
    solver.run(20_000)
    double = TabularSolver(tree, "cfr+")
    double.run(20_000)
    assert solver.exploitability() == pytest.approx(double.exploitability(), abs=2e-5)
    assert solver.exploitability() > -1e-6


def test_a_strategy_that_is_set_comes_back(tree_of):
    tree = tree_of("leduc_poker")
    engine = _core.Engine64(tree.full_form, _schedule(recipe("cfr")))
    uniform = Strategy.uniform(tree).probabilities
    noise = np.random.default_rng(1).random(tree.slots) * uniform
    total = np.bincount(tree.slot_infoset, weights=noise)[tree.slot_infoset]
    engine.set_strategy(noise / total)
    np.testing.assert_allclose(engine.strategy(False), noise / total, rtol=0, atol=1e-15)
