"""Native simulators and the growing table: the same answer as on the tree, and bounded memory."""

from __future__ import annotations

import subprocess
import sys
from math import inf
from pathlib import Path

import numpy as np
import pytest

from fogtree import Strategy, _core, exploitability, load_game
from fogtree.errors import GameError, OptionError
from fogtree.game.simulators import simulator_of
from fogtree.games.kuhn_poker import KuhnPoker
from fogtree.solvers.samplers import KINDS, Sampler
from fogtree.solvers.simulated import TABLE_SHARE, resume_simulated, simulate


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


def test_players_that_are_no_number_are_refused():
    game = KuhnPoker()
    object.__setattr__(game, "players", ["Ann", "Bob"])
    with pytest.raises(GameError, match="players must be a whole number"):
        simulate(game, "mccfr-outcome", iterations=5)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_growing_table_is_the_array(tree_of, kind, workers):
    """Keys or numbers, the arithmetic is the same to the last bit."""
    tree = tree_of("leduc_poker")
    options = plan(kind, workers=workers, negative_exponent=-inf)
    array = _core.TreeTrainer64(tree.flat, options)
    table = _core.hash_table_trainer(tree.flat, options)
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


SMALL = (
    "liars_dice(sides=3)",
    "liars_dice(dice=2, sides=2)",
    "phantom_ttt(max_plies=4)",
    "phantom_ttt(max_plies=4, abrupt=True)",
    "dark_hex(columns=2)",
    "dark_hex(abrupt=True)",
    "cambia(preset='tiny1')",
    "cambia(preset='tiny1', snap_window='always', draw_discard=True, max_turns=2)",
    "cambia(preset='tiny1', deck='7S KH KS AS AH', max_turns=2, opponent_snap=True)",
    "cambia(preset='tiny1', players=3, max_turns=2, cambia_from_round=0)",
    "cambia(preset='tiny1', profile='competitive', deck='AS 9S JS KH 2D', max_turns=2)",
)


@pytest.mark.parametrize("spec", SMALL)
def test_simulator_plays_by_the_rules_of_the_game(tree_of, spec):
    """Movers, actions, probabilities, payoffs and information sets, history by history."""
    tree, simulator = tree_of(spec), simulator_of(load_game(spec))
    keys = simulator.keys_of(tree.flat)
    assert len(set(keys.tolist())) == len(tree.infoset_names)
    assert simulator.histories(10**9) == len(tree.parent)
    assert simulator.histories(100) == 100


@pytest.mark.parametrize("other", ["liars_dice(sides=4)", "cambia(preset='tiny1')"])
def test_another_tree_is_told(tree_of, other):
    with pytest.raises(ValueError, match="differ"):
        simulator_of(load_game("liars_dice(sides=3)")).keys_of(tree_of(other).flat)


@pytest.mark.parametrize("sampler", ["external", "outcome", "robust", "chance"])
def test_cambia_converges_from_its_simulator(tree_of, sampler):
    """The strategy nears the equilibrium; what was met is what the tree has.

    Chance sampling goes wherever players can; the others only where opponents may want to.
    """
    game, tree = load_game("cambia(preset='tiny1')"), tree_of("cambia(preset='tiny1')")
    found = []
    for iterations in (2_000, 40_000):
        run = simulate(game, f"mccfr-{sampler}", iterations=iterations, batch=500, seed=1)
        found.append(exploitability(tree, run.strategy().for_tree(tree, game)).exploitability)
    uniform = exploitability(tree, Strategy.uniform(tree)).exploitability
    assert uniform == pytest.approx(0.545982, abs=1e-6)
    assert found[1] < found[0] / 2 < uniform / 2
    met = set(run.strategy().keys.tolist())
    keys = simulator_of(game).keys_of(tree.flat)[np.asarray(tree.infoset_actions) > 1]
    assert met <= set(keys.tolist())
    assert len(met) == len(keys) if sampler == "chance" else len(met) > 0.8 * len(keys)


def test_the_whole_of_cambia_is_trained(tmp_path):
    """Millions of information sets that nobody can number: bounded, saved, resumed, the same."""
    game, options = load_game("cambia"), {"batch": 200, "workers": 2, "seed": 4}
    run = simulate(
        game, "mccfr-outcome", iterations=10**9, memory=20_000_000, save=tmp_path / "a", **options
    )
    assert run.stopped == "memory"
    assert run.sampled.infosets > 10_000
    goal = run.iterations + 2_000
    more = resume_simulated(tmp_path / "a", iterations=goal, memory=10**9).strategy()
    whole = simulate(game, "mccfr-outcome", iterations=goal, **options).strategy()
    assert np.array_equal(more.keys, whole.keys)
    assert np.array_equal(more.probabilities, whole.probabilities)


def test_simulated_training_converges(tree_of):
    game, tree = load_game("liars_dice(sides=3)"), tree_of("liars_dice(sides=3)")
    run = simulate(game, "mccfr-external", iterations=200_000, batch=2000, workers=2)
    strategy = run.strategy().for_tree(tree, game)
    assert exploitability(tree, strategy).exploitability < 0.02
    assert exploitability(tree, Strategy.uniform(tree)).exploitability > 0.2
    assert run.sampled.infosets <= len(tree.infoset_names)


def test_memory_is_bounded_and_nothing_is_lost(tmp_path):
    """Full at the end of an epoch; with more memory it goes on as if there had been enough."""
    game = load_game("liars_dice(dice=2)")
    options = {"batch": 50, "workers": 2, "seed": 3}
    run = simulate(
        game, "mccfr-robust", iterations=10**9, memory=8_000_000, save=tmp_path / "run", **options
    )
    assert run.stopped == "memory"
    assert run.sampled.infosets > 1_000
    assert run.sampled.bytes <= 8_000_000 * TABLE_SHARE
    goal = run.iterations + 500
    more = resume_simulated(tmp_path / "run", iterations=goal, memory=10**9)
    whole = simulate(game, "mccfr-robust", iterations=goal, memory=10**9, **options)
    assert more.stopped == whole.stopped == "iterations"
    assert more.sampled.infosets > run.sampled.infosets
    assert more.sampled.nodes == whole.sampled.nodes
    assert np.array_equal(more.strategy().keys, whole.strategy().keys)
    assert np.array_equal(more.strategy().probabilities, whole.strategy().probabilities)
    with pytest.raises(OptionError, match="too few"):
        resume_simulated(tmp_path / "run", iterations=goal + 500, memory=100_000)


def test_long_games_stay_finite():
    """With 46 turns the weights of outcome sampling are beyond any float."""
    game = load_game("cambia(cambia_from_round=23)")
    run = simulate(game, "mccfr-outcome-discounted", iterations=500, batch=100)
    contents = run.solver.trainer.contents()
    assert contents["average"].max() > 1e39
    assert contents["average"].min() >= 0
    assert all(np.isfinite(contents[name]).all() for name in ("regret", "average"))
    assert np.isfinite(run.strategy().probabilities).all()


@pytest.mark.parametrize("stop", [300, 900])
def test_what_fits_does_not_depend_on_interruptions(tmp_path, stop):
    """Full after the same epoch, whether the run was broken off and resumed before or not."""
    game = load_game("liars_dice(dice=2)")
    options = {"batch": 50, "workers": 2, "seed": 3, "memory": 7_000_000}
    whole = simulate(game, "mccfr-robust", iterations=10**9, **options)
    simulate(game, "mccfr-robust", iterations=stop, save=tmp_path / "run", **options)
    more = resume_simulated(tmp_path / "run", iterations=10**9)
    assert more.stopped == whole.stopped == "memory"
    assert more.iterations == whole.iterations >= stop
    assert np.array_equal(more.strategy().probabilities, whole.strategy().probabilities)


# By how many bytes a process grows at most while it trains for one iteration.
GROWTH = """
import sys
from pathlib import Path
from fogtree import load_game
from fogtree.solvers.simulated import simulate

def held(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))

options = {"abstraction": "own_hand", "batch": 1, "iterations": 1, "memory": 10_000_000}
simulate(load_game("liars_dice"), "mccfr-chance", iterations=1, batch=1)
game, before = load_game(sys.argv[1]), held("VmRSS")
run = simulate(game, "mccfr-chance", **options)
print(run.stopped, run.sampled.infosets, held("VmHWM") - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nobody says what is held")
@pytest.mark.parametrize(
    ("spec", "stopped"),
    [
        # 2.8 million histories of 586 information sets
        (
            "cambia(preset='tiny1', snap_window='always', draw_discard=True, max_turns=4)",
            "iterations",
        ),
        ("cambia(max_turns=2)", "memory"),
    ],
)
def test_chance_sampling_keeps_to_its_memory(spec, stopped):
    """A walk goes everywhere; what it remembers of it until its end counts as well."""
    child = [sys.executable, "-c", GROWTH, spec]
    said = subprocess.run(child, capture_output=True, text=True, check=True).stdout.split()
    assert said[0] == stopped
    assert int(said[2]) < 10_000_000
