"""The kernels of the GPU, run by the processor or by a card, against the native engine."""

from __future__ import annotations

import numpy as np
import pytest

import fogtree
from fogtree.errors import FileFormatError, FogtreeError, MemoryLimitError
from fogtree.solvers.accelerated import choice
from fogtree.solvers.accelerated.card import CupyCard
from fogtree.solvers.accelerated.engine import AcceleratedEngine
from fogtree.solvers.recipes import recipe
from fogtree.solvers.tabular import TabularSolver
from tests.solvers.accelerated.host_card import HostCard

GAMES = ["kuhn_poker", "leduc_poker", "goofspiel(cards=4)", "liars_dice(sides=4)"]


def engine(tree, algorithm, precision="float64"):
    return AcceleratedEngine(tree, recipe(algorithm), precision, HostCard(precision))


@pytest.fixture
def on_processor(monkeypatch):
    """The processor in the place of a GPU."""
    monkeypatch.setattr(choice, "gpu_engine", engine)


@pytest.mark.parametrize("algorithm", ["cfr+", "pcfr+", "dcfr"])
@pytest.mark.parametrize("game", [*GAMES, "matching_pennies"])
def test_the_same_iterates_as_the_native_engine(tree_of, game, algorithm):
    """Average reach, values and exploitability agree to 1e-9. Average strategies are quotients of
    average reach: where that is small a difference grows, with dcfr on Leduc to 1.9e-9."""
    tree = tree_of(game)
    native = TabularSolver(tree, algorithm)
    native.run(50)
    other = engine(tree, algorithm)
    other.run(50)
    expected, found = native.state(), other.state()
    assert found["iteration"] == 50
    assert found["weight"] == expected["weight"]
    np.testing.assert_allclose(found["average"], expected["average"], rtol=0, atol=1e-9)
    assert other.nash_conv() / 2 == pytest.approx(native.exploitability(), abs=1e-9)
    np.testing.assert_allclose(other.evaluate()[0], native.evaluate().values, rtol=0, atol=1e-9)


@pytest.mark.parametrize("algorithm", ["cfr", "lcfr", "dcfr+", "sapcfr+", "pdcfr+"])
def test_other_rules_delays_and_the_last_iterate(tree_of, algorithm):
    tree = tree_of("kuhn_poker")
    row = recipe(algorithm, delay=3, alternating=False, averaging="last")
    native, other = TabularSolver(tree, row), engine(tree, row)
    native.run(20)
    other.run(20)
    np.testing.assert_allclose(other.strategy(False), native.strategy().probabilities, atol=1e-9)
    np.testing.assert_allclose(other.state()["average"], native.state()["average"], atol=1e-9)
    assert other.nash_conv() / 2 == pytest.approx(native.exploitability(), abs=1e-9)


def test_calls_divide_iterations_as_they_like(tree_of):
    tree = tree_of("goofspiel(cards=4)")
    found = []
    for steps in ([70], [1, 2, 3, 64]):
        one = engine(tree, "cfr+")
        for count in steps:
            one.run(count)
        found.append(one.state())
    for name, values in found[0].items():
        np.testing.assert_array_equal(values, found[1][name])


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.usefixtures("on_processor")
def test_a_saved_run_goes_on_exactly_and_on_another_device(tree_of, tmp_path, precision):
    tree = tree_of("kuhn_poker")
    options = {"device": "gpu", "precision": precision}
    whole = fogtree.solve(tree, "pcfr+", iterations=30, **options)
    begun = fogtree.solve(tree, "pcfr+", iterations=12, save=tmp_path / "run", **options)
    assert whole.device == begun.device == "gpu"
    went_on = fogtree.resume(tmp_path / "run", iterations=30, game=tree)
    assert went_on.device == "gpu"
    np.testing.assert_array_equal(went_on.strategy.probabilities, whole.strategy.probabilities)
    moved = fogtree.resume(tmp_path / "run", iterations=60, game=tree, device="cpu")
    assert moved.device == "cpu"
    assert fogtree.resume(tmp_path / "run", iterations=90, game=tree).device == "cpu"
    native = fogtree.solve(tree, "pcfr+", iterations=60, precision=precision)
    assert moved.exploitability == pytest.approx(native.exploitability, abs=1e-5)


def test_states_that_cannot_be(tree_of, on_processor):
    solver = TabularSolver(tree_of("kuhn_poker"), device="gpu")
    solver.run(2)
    good = solver.state()
    for name, value in [
        ("regret", np.full(len(good["regret"]), np.nan)),
        ("average", good["average"][1:]),
        ("strategy", good["strategy"] + 2),
        ("memory", np.zeros(3)),
        ("iteration", -1),
        ("weight", float("inf")),
        ("regret", 3),
    ]:
        with pytest.raises(FileFormatError):
            solver.restore({**good, name: value})
    solver.restore(good)
    assert solver.iteration == 2


def test_a_game_too_large_for_the_card(tree_of):
    with pytest.raises(MemoryLimitError, match=r"^kuhn_poker needs about .* GiB on the GPU, which"):
        AcceleratedEngine(
            tree_of("kuhn_poker"), recipe("cfr+"), "float64", HostCard("float64", free=100)
        )


def test_single_precision_is_close(tree_of):
    tree = tree_of("leduc_poker")
    native = TabularSolver(tree, "cfr+", precision="float32")
    other = engine(tree, "cfr+", "float32")
    native.run(50)
    other.run(50)
    np.testing.assert_allclose(other.state()["average"], native.state()["average"], atol=1e-4)
    assert other.nash_conv() / 2 == pytest.approx(native.exploitability(), abs=1e-4)


@pytest.mark.parametrize("algorithm", ["cfr+", "pcfr+", "dcfr"])
@pytest.mark.parametrize("game", [*GAMES, "matching_pennies"])
def test_a_card_does_what_the_processor_does(tree_of, game, algorithm):
    try:
        card = CupyCard("float64")
    except FogtreeError as error:
        pytest.skip(str(error))
    tree = tree_of(game)
    here = engine(tree, algorithm)
    there = AcceleratedEngine(tree, recipe(algorithm), "float64", card)
    for one in (here, there):
        one.run(50)
    np.testing.assert_allclose(there.state()["average"], here.state()["average"], atol=1e-9)
    assert there.nash_conv() == pytest.approx(here.nash_conv(), abs=1e-9)
