"""Sampled algorithms on compiled games: convergence, seeds, workers, saving."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fogtree import load_game, recipe, resume, solve
from fogtree.errors import FileFormatError, MemoryLimitError, OptionError, UnknownNameError
from fogtree.solvers import load_strategy
from fogtree.solvers.recipes import sampled_recipes
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.samplers import Sampler
from fogtree.solvers.simulated import resume_simulated, simulate
from fogtree.solvers.trainers import tree_batch
from fogtree.strategy import Strategy
from fogtree.system.archives import read_arrays, write_arrays
from tests.support.manifests import change_manifest, read_manifest, write_manifest

# Nodes, and the exploitability that each of three seeds must reach with them: at most twice that
# of the worst of the seeds in docs/algorithms/sampling.md, which has the spread.
CONVERGENCE = [
    ("kuhn_poker", "mccfr-external", 2_000_000, 0.0062),
    ("kuhn_poker", "mccfr-outcome", 2_000_000, 0.0104),
    ("kuhn_poker", "mccfr-outcome-baseline", 2_000_000, 0.0066),
    ("kuhn_poker", "mccfr-chance", 2_000_000, 0.0072),
    ("kuhn_poker", "mccfr-robust", 2_000_000, 0.0062),
    ("kuhn_poker", "mccfr-average", 2_000_000, 0.0070),
    ("leduc_poker", "mccfr-external", 20_000_000, 0.0688),
    ("leduc_poker", "mccfr-outcome", 20_000_000, 0.216),
    ("leduc_poker", "mccfr-outcome-baseline", 20_000_000, 0.160),
    ("leduc_poker", "mccfr-chance", 20_000_000, 0.119),
    ("leduc_poker", "mccfr-robust", 20_000_000, 0.089),
    ("leduc_poker", "mccfr-average", 20_000_000, 0.0674),
    ("liars_dice", "mccfr-external", 40_000_000, 0.0376),
    ("liars_dice", "mccfr-outcome", 40_000_000, 0.179),
    ("liars_dice", "mccfr-average", 40_000_000, 0.0368),
]


def run_for_nodes(solver: SampledSolver, nodes: int) -> None:
    while solver.nodes < nodes:
        solver.run(solver.schedule.iterations)


def same(one: SampledSolver, other: SampledSolver) -> bool:
    first, second = one.trainer.contents(), other.trainer.contents()
    return all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.long
@pytest.mark.parametrize(("spec", "algorithm", "nodes", "target"), CONVERGENCE)
def test_convergence(tree_of, spec, algorithm, nodes, target):
    reached = []
    for seed in range(2):
        solver = SampledSolver(tree_of(spec), algorithm, seed=seed)
        run_for_nodes(solver, nodes)
        reached.append(solver.exploitability())
    assert max(reached) < target
    assert len(set(reached)) == len(reached)


@pytest.mark.parametrize("suffix", ["", "+", "-linear", "-discounted"])
@pytest.mark.parametrize("kind", ["external", "outcome", "outcome-baseline"])
def test_every_weighting_converges(tree_of, kind, suffix):
    solver = SampledSolver(tree_of("kuhn_poker"), f"mccfr-{kind}{suffix}", batch=100)
    solver.run(200_000)
    assert solver.exploitability() < 0.02


def test_the_simplified_formula_does_not_converge(tree_of):
    biased = SampledSolver(tree_of("kuhn_poker"), "mccfr-outcome-seed")
    biased.run(500_000)
    assert biased.exploitability() > 0.1


@pytest.mark.parametrize("algorithm", sorted(sampled_recipes()))
def test_same_seed_and_workers_same_result(tree_of, algorithm):
    tree = tree_of("kuhn_poker")
    make = [
        SampledSolver(tree, algorithm, seed=7, workers=workers, batch=50)
        for workers in (1, 1, 3, 3)
    ]
    for solver in make:
        solver.run(3000)
    alone, again, together, together_again = make
    assert same(alone, again)
    assert same(together, together_again)
    other = SampledSolver(tree, algorithm, seed=8, batch=50)
    other.run(3000)
    assert not same(alone, other)


@pytest.mark.parametrize(
    "algorithm", ["mccfr-external", "mccfr-outcome", "mccfr-outcome-baseline", "mccfr-average"]
)
def test_batch_by_batch_is_the_same_as_threads(tree_of, algorithm):
    """What workers elsewhere do: sample one by one, in any order, as often as need be."""
    tree = tree_of("leduc_poker")
    threads = SampledSolver(tree, algorithm, seed=3, workers=3, batch=40)
    threads.run(5 * 120)
    learner = SampledSolver(tree, algorithm, seed=3, workers=3, batch=40).trainer
    for _ in range(5):
        learner.sample(1)  # lost
        changes = {worker: learner.sample(worker) for worker in (2, 0, 1)}
        learner.merge([changes[worker] for worker in range(3)])
    first, second = threads.trainer.contents(), learner.contents()
    assert all(np.array_equal(first[name], second[name]) for name in first)
    with pytest.raises(ValueError, match="another epoch"):
        learner.merge([changes[worker] for worker in range(3)])


def test_more_workers_are_as_good(tree_of):
    """For the same number of walks; adding regrets up instead of averaging them would not be."""
    alone, many = (
        SampledSolver(tree_of("kuhn_poker"), "mccfr-external", seed=1, workers=workers, batch=1000)
        for workers in (1, 4)
    )
    alone.run(400_000)
    many.run(400_000)
    assert many.iteration == alone.iteration
    assert many.exploitability() < 0.006


@pytest.mark.parametrize(
    "algorithm", ["mccfr-external", "mccfr-outcome", "mccfr-outcome-baseline+"]
)
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_resume_is_exact(tree_of, tmp_path, algorithm, precision):
    tree = tree_of("leduc_poker")
    options = {"workers": 2, "seed": 11, "batch": 100, "precision": precision}
    whole = solve(tree, algorithm, iterations=4000, **options)
    solve(tree, algorithm, iterations=1400, save=tmp_path / "run", **options)
    rest = resume(tmp_path / "run", game=tree, iterations=4000)
    assert np.array_equal(whole.strategy.probabilities, rest.strategy.probabilities)
    assert rest.sampled == whole.sampled
    assert rest.sampled.nodes == whole.curve[-1].nodes > 0
    assert np.array_equal(
        load_strategy(tmp_path / "run", tree).probabilities, rest.strategy.probabilities
    )


@pytest.mark.parametrize("simulated", [False, True])
def test_a_samplers_constants_are_resumed(tree_of, tmp_path, simulated):
    """Also under a name of one's own, and not those that the algorithm's name has by default."""
    row = replace(recipe("mccfr-robust"), name="thrice", sampler=Sampler("robust", tried=3))
    if simulated:
        game, start, go_on = load_game("liars_dice(dice=2)"), simulate, resume_simulated
    else:
        game, start, go_on = tree_of("leduc_poker"), solve, resume
    options = {"seed": 11, "batch": 50}
    whole = start(game, row, iterations=300, **options)
    start(game, row, iterations=100, save=tmp_path / "run", **options)
    rest = go_on(tmp_path / "run", game=game, iterations=300)
    assert rest.recipe == row
    contents = [run.strategy() if simulated else run.strategy for run in (whole, rest)]
    assert np.array_equal(contents[0].probabilities, contents[1].probabilities)
    work = rest.sampled
    assert work.constants == {"tried": 3}


def test_a_run_saved_without_constants_has_the_usual_ones(tree_of, tmp_path):
    """As earlier versions saved it; nor did their states say which manifest they belong to."""
    tree = tree_of("leduc_poker")
    solve(tree, "mccfr-robust", iterations=100, save=tmp_path / "run")
    (state,) = (tmp_path / "run").glob("state-*.npz")
    header, arrays = read_arrays(state, "run-state", ())
    write_arrays(state, "run-state", {"numbers": header["numbers"]}, arrays)
    manifest = read_manifest(tmp_path / "run")
    change_manifest(tmp_path / "run", sampler={**manifest["sampler"], "tried": 0})
    with pytest.raises(FileFormatError, match="tried must be"):
        resume(tmp_path / "run", game=tree)
    change_manifest(tmp_path / "run", sampler={"sort": "robust"})
    with pytest.raises(FileFormatError, match="cannot be resumed"):
        resume(tmp_path / "run", game=tree)
    del manifest["sampler"]
    write_manifest(tmp_path / "run", manifest)
    assert resume(tmp_path / "run", game=tree).recipe == recipe("mccfr-robust")


def test_a_damaged_state_is_refused(tree_of, tmp_path):
    tree = tree_of("kuhn_poker")
    solver = SampledSolver(tree)
    state = solver.state()
    with pytest.raises(FileFormatError, match="does not fit"):
        solver.restore({**state, "regret": state["regret"][:-1]})
    for name in ("regret", "average"):
        for wrong in (np.nan, np.inf):
            with pytest.raises(FileFormatError, match=f"'{name}' has values"):
                solver.restore({**state, name: np.full_like(state[name], wrong)})
    with pytest.raises(FileFormatError, match="'average' has negative values"):
        solver.restore({**state, "average": np.full_like(state["average"], -1.0)})
    with pytest.raises(FileFormatError, match="does not fit"):
        solver.restore({**state, "average": state["average"].astype("U3")})
    solve(tree, "mccfr-external", iterations=10, save=tmp_path / "run")
    sampling = read_manifest(tmp_path / "run")["sampling"]
    change_manifest(tmp_path / "run", sampling={**sampling, "seed": "x"})
    with pytest.raises(FileFormatError, match="sampling"):
        resume(tmp_path / "run", game=tree, iterations=20)


def test_iterations_are_rounded_up_to_epochs(tree_of):
    run = solve(tree_of("kuhn_poker"), "mccfr-external", iterations=1, workers=2, batch=10)
    assert run.iterations == 20
    assert run.stopped == "iterations"
    assert run.sampled.infosets <= 12


def test_until(tree_of):
    run = solve(tree_of("kuhn_poker"), "mccfr-external", until=0.01, every=10_000)
    assert run.stopped == "until"
    assert run.exploitability <= 0.01


def test_bad_options(tree_of):
    tree = tree_of("kuhn_poker")
    for options in ({"workers": 0}, {"batch": 0}, {"seed": -1}, {"backend": "smoke"}):
        with pytest.raises(OptionError):
            SampledSolver(tree, "mccfr-external", **options)
    with pytest.raises(OptionError, match="samples nothing"):
        SampledSolver(tree, "cfr")
    with pytest.raises(OptionError, match="samples nothing"):
        solve(tree, "cfr", iterations=1, backend="ray")


@pytest.mark.parametrize("wrong", ["clouds", "two\nlines", None, 3, "a strategy"])
def test_a_wrong_backend_is_named_in_one_line(tree_of, wrong):
    tree = tree_of("kuhn_poker")
    backend = Strategy.uniform(tree) if wrong == "a strategy" else wrong
    for call in (
        lambda: solve(tree, "mccfr-external", iterations=1, backend=backend),
        lambda: simulate("matching_pennies", "mccfr-external", iterations=1, backend=backend),
    ):
        with pytest.raises(OptionError, match="threads or ray") as error:
            call()
        assert "\n" not in str(error.value)
    with pytest.raises(OptionError, match="in turn"):
        SampledSolver(tree, recipe("mccfr-external", alternating=False))
    with pytest.raises(UnknownNameError, match="mccfr-external"):
        recipe("mccfr-exernal")
    with pytest.raises(MemoryLimitError):
        SampledSolver(tree, memory=100)


def test_trying_all_actions_is_external_sampling(tree_of):
    tree = tree_of("leduc_poker")
    row = recipe("mccfr-robust")
    every = SampledSolver(tree, replace(row, sampler=Sampler("robust", tried=3)), seed=2)
    external = SampledSolver(tree, "mccfr-external", seed=2)
    every.run(2000)
    external.run(2000)
    assert same(every, external)


@pytest.mark.parametrize("kind", ["external", "outcome"])
def test_an_epoch_does_not_grow_with_the_workers(kind):
    """They do not see each other in it; what two need to pay is enough for many."""
    alone, two = tree_batch(kind, 5_000, 1), tree_batch(kind, 5_000, 2)
    assert two == 4 * alone
    for workers in (4, 8, 16, 32):
        assert workers * tree_batch(kind, 5_000, workers) == 2 * two
    assert tree_batch(kind, 5_000, 1000) == alone // 4


@pytest.mark.parametrize(
    ("kind", "name", "held", "refused"),
    [
        ("average", "beta", 1e30, 1e39),  # infinite in float32
        ("average", "beta", 1e-30, 1e-46),  # zero in float32
        ("average", "tau", 1e30, 1e39),
        ("average", "epsilon", 1e-4, 1e-9),  # below the last bit of a draw
        ("outcome", "exploration", 1e-4, 1e-46),
        ("outcome-baseline", "exploration", 1e-4, 1e-46),
    ],
)
def test_constants_that_float32_cannot_hold_are_refused(tree_of, kind, name, held, refused):
    with pytest.raises(OptionError, match=f"^{name} must be at (least|most) "):
        Sampler(kind, **{name: refused})
    row = replace(recipe(f"mccfr-{kind}"), sampler=Sampler(kind, **{name: held}))
    solver = SampledSolver(tree_of("kuhn_poker"), row, batch=1000)
    solver.run(20_000)
    contents = solver.trainer.contents()
    assert np.isfinite(contents["regret"]).all()
    assert np.isfinite(contents["average"]).all()
    assert contents["regret"].any()
