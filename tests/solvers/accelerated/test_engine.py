"""The sweeps of the GPU, run by JAX on the processor, against the native engine."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

import fogtree
from fogtree.errors import FileFormatError, MemoryLimitError
from fogtree.solvers.recipes import recipe
from fogtree.solvers.tabular import TabularSolver

pytest.importorskip("jax")

from fogtree.solvers.accelerated import choice, kernels, sweeps
from fogtree.solvers.accelerated.engine import AcceleratedEngine
from fogtree.system.jax_device import find_device

INTERPRETED = SimpleNamespace(
    learn=partial(kernels.learn, interpret=True), follow=partial(kernels.follow, interpret=True)
)
GAMES = ["kuhn_poker", "leduc_poker", "goofspiel(cards=4)", "liars_dice(sides=4)"]


def engine(tree, algorithm, precision="float64", how=sweeps):
    device = find_device(accelerator=False)
    return AcceleratedEngine(tree, recipe(algorithm), precision, device=device, sweeps=how)


@pytest.fixture
def on_processor(monkeypatch):
    """JAX's processor in the place of a GPU."""
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


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("algorithm", ["cfr+", "pcfr+"])
def test_kernels_do_what_the_sweeps_do(tree_of, algorithm, precision):
    tree = tree_of("kuhn_poker")
    plain = engine(tree, algorithm, precision)
    fused = engine(tree, algorithm, precision, INTERPRETED)
    for one in (plain, fused):
        one.run(9)
    within = 1e-12 if precision == "float64" else 1e-5
    np.testing.assert_allclose(fused.strategy(True), plain.strategy(True), rtol=0, atol=within)
    np.testing.assert_allclose(fused.state()["regret"], plain.state()["regret"], atol=within)


def test_kernels_are_lowered_for_a_gpu(tree_of):
    one = engine(tree_of("kuhn_poker"), "pcfr+", how=kernels)
    text = one.lowered(4, platforms=("cuda",)).as_text()
    assert text.count("__gpu$xla.gpu.triton") == 6  # up and down: two groups and one


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
    full = SimpleNamespace(memory_stats=lambda: {"bytes_limit": 2**20, "bytes_in_use": 2**20})
    with pytest.raises(MemoryLimitError, match=r"^kuhn_poker needs about .* GiB on the GPU, which"):
        AcceleratedEngine(
            tree_of("kuhn_poker"), recipe("cfr+"), "float64", device=full, sweeps=sweeps
        )


def test_long_rows_are_added_in_stages(monkeypatch, tree_of):
    from fogtree.solvers.accelerated import padded_rows

    monkeypatch.setattr(padded_rows, "LONGEST_ROW", 2)
    tree = tree_of("leduc_poker")
    native, other = TabularSolver(tree, "cfr+"), engine(tree, "cfr+")
    assert all(side.stages for side in other.sides)
    assert any(level.stages for side in other.sides for level in side.levels)
    native.run(10)
    other.run(10)
    np.testing.assert_allclose(other.strategy(True), native.strategy().probabilities, atol=1e-9)
    assert other.nash_conv() / 2 == pytest.approx(native.exploitability(), abs=1e-9)


def test_groups_are_split_where_padding_costs_more(monkeypatch, tree_of):
    from fogtree.solvers.accelerated import level_groups

    tree = tree_of("liars_dice(sides=3)")
    few = engine(tree, "cfr+")
    monkeypatch.setattr(level_groups, "_LAUNCH_BYTES", 0.0)
    many = engine(tree, "cfr+")
    assert len(many.sides[0].groups) > len(few.sides[0].groups)
    assert many.sides[0].size < few.sides[0].size * 2
    for one in (few, many):
        one.run(10)
    np.testing.assert_allclose(many.strategy(True), few.strategy(True), atol=1e-9)
