"""Native simulators and the growing table: the same answer as on the tree, and bounded memory."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from fogtree import Strategy, _core, exploitability, load_game
from fogtree.errors import OptionError
from fogtree.solvers.samplers import KINDS, Sampler
from fogtree.solvers.simulated import TABLE_SHARE, SimulatedSolver, resume_simulated, simulate
from fogtree.solvers.trainers import simulator_parameters


def plan(kind: str, *, workers: int, negative_exponent: float = inf) -> _core.SamplingPlan:
    return _core.SamplingPlan(
        scheme=Sampler(kind).options(),
        positive_exponent=inf,
        negative_exponent=negative_exponent,
        averaging_exponent=1.0,
        delay=0.0,
        batch=30,
        workers=workers,
        seed=5,
    )


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_growing_table_is_the_array(tree_of, kind, workers):
    """Keys or numbers, the arithmetic is the same to the last bit."""
    tree = tree_of("leduc_poker")
    options = plan(kind, workers=workers, negative_exponent=-inf)
    array = _core.TreeTrainer32(tree.flat, options)
    table = _core.tabled_trainer(tree.flat, options)
    array.run(10)
    table.run(10)
    flat, grown = array.contents(), table.contents()
    assert grown["nodes"] == flat["nodes"]
    slots = np.concatenate(
        [np.arange(k, k + n) for k, n in zip(grown["keys"], grown["counts"], strict=True)]
    ).astype(int)
    for name in ("regret", "average"):
        assert np.array_equal(flat[name][slots], grown[name])
        assert np.count_nonzero(flat[name]) == np.count_nonzero(grown[name])


@pytest.mark.parametrize("spec", ["liars_dice(sides=3)", "liars_dice(dice=2, sides=2)"])
def test_simulator_plays_by_the_rules_of_the_game(tree_of, spec):
    """Movers, actions, probabilities, payoffs and information sets, history by history."""
    game, tree = load_game(spec), tree_of(spec)
    parameters = simulator_parameters(game)
    keys = _core.keys_of_tree("liars_dice", parameters, tree.flat)
    assert len(set(keys.tolist())) == len(tree.infoset_names)
    assert _core.count_histories("liars_dice", parameters, 10**9) == len(tree.parent)
    assert _core.count_histories("liars_dice", parameters, 100) == 100
    with pytest.raises(ValueError, match="differ"):
        _core.keys_of_tree("liars_dice", {"dice": 1, "sides": 4}, tree.flat)


def test_simulated_training_converges(tree_of):
    game, tree = load_game("liars_dice(sides=3)"), tree_of("liars_dice(sides=3)")
    run = simulate(game, "mccfr-external", iterations=200_000, batch=2000, workers=2)
    strategy = run.strategy().for_tree(tree, game)
    assert exploitability(tree, strategy).exploitability < 0.02
    assert exploitability(tree, Strategy.uniform(tree)).exploitability > 0.2
    assert run.work.infosets <= len(tree.infoset_names)


def test_memory_is_bounded_and_nothing_is_lost(tmp_path):
    """Full at the end of an epoch; with more memory it goes on as if there had been enough."""
    game = load_game("liars_dice(dice=2)")
    options = {"batch": 50, "workers": 2, "seed": 3}
    run = simulate(
        game, "mccfr-robust", iterations=10**9, memory=8_000_000, save=tmp_path / "run", **options
    )
    assert run.stopped == "memory"
    assert run.work.infosets > 1_000
    assert run.work.bytes <= 8_000_000 * TABLE_SHARE
    goal = run.iterations + 500
    more = resume_simulated(tmp_path / "run", iterations=goal, memory=10**9)
    whole = simulate(game, "mccfr-robust", iterations=goal, memory=10**9, **options)
    assert more.stopped == whole.stopped == "iterations"
    assert more.work.infosets > run.work.infosets
    assert more.work.nodes == whole.work.nodes
    assert np.array_equal(more.strategy().keys, whole.strategy().keys)
    assert np.array_equal(more.strategy().probabilities, whole.strategy().probabilities)
    with pytest.raises(OptionError, match="too few"):
        resume_simulated(tmp_path / "run", iterations=goal + 500, memory=100_000)


def test_games_without_a_simulator_say_so():
    with pytest.raises(OptionError, match="no native simulator of kuhn_poker"):
        SimulatedSolver(load_game("kuhn_poker"))
