"""Killed at random moments, the run ends as if nothing had happened, bit for bit.

Two kills of each process and one of a Ray worker by default; ``FOGTREE_KILLS=50`` makes it fifty.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from fogtree import _core, load_game, solve
from fogtree.solvers import load_strategy
from fogtree.solvers.folder import SolverFolder
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.simulated import TABLE_SHARE, resume_simulated, simulate

pytestmark = pytest.mark.long

KILLS = int(os.environ.get("FOGTREE_KILLS", "2"))
RAY_KILLS = int(os.environ.get("FOGTREE_KILLS", "1"))

# Starts the run in this folder or goes on with it: in small steps, saving after each.
TRAINING = """
import sys
from pathlib import Path
from fogtree import compile, load_game, solve, resume
from fogtree.runs import loop
from fogtree.solvers import simulated
loop.SAVE_EVERY_SECONDS, loop.STEP_SECONDS = 0.0, 0.001
kind, folder, iterations = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
new = {"iterations": iterations, "workers": 2, "seed": 9, "batch": 100, "save": folder}
begun = (folder / "manifest.json").exists()
if kind == "tree":
    tree = compile(load_game("leduc_poker"))
    print("ready", flush=True)
    if begun:
        resume(folder, game=tree, iterations=iterations)
    else:
        solve(tree, "mccfr-external-linear", every=10**9, **new)
else:
    print("ready", flush=True)
    if begun:
        simulated.resume_simulated(folder, iterations=iterations)
    else:
        game = load_game("cambia(max_turns=6)")
        simulated.simulate(game, "mccfr-outcome-linear", abstraction="own_hand", **new)
"""


def saved_iteration(folder: Path) -> int:
    """How far the run in a folder is; 0 if nothing was saved yet."""
    return SolverFolder(folder).manifest().iteration if (folder / "manifest.json").exists() else 0


def kill_and_resume(kind: str, folder: Path) -> int:
    """Runs and is killed at random moments; the last child is not, and does some more.

    Every child but the first goes on from batches that were done before it. How many iterations
    were done in the end.
    """
    dice = random.Random(20)
    began = []
    while True:
        began.append(saved_iteration(folder))
        last = len(began) > KILLS
        goal = began[-1] + 2_000 if last else 10**12
        child = subprocess.Popen(
            [sys.executable, "-c", TRAINING, kind, str(folder), str(goal)], stdout=subprocess.PIPE
        )
        child.stdout.readline()
        if last:
            assert child.wait() == 0
            print(f"{kind}: killed {KILLS} times, and went on from iterations {began[1:]}")
            assert began[0] == 0
            assert all(before < after for before, after in itertools.pairwise(began))
            return goal
        # At any moment, but one after which there is more to resume than before.
        time.sleep(dice.uniform(0.0, 0.2))
        while saved_iteration(folder) == began[-1] and child.poll() is None:
            time.sleep(0.01)
        time.sleep(dice.uniform(0.0, 0.1))
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL


def test_whole_process_killed_and_resumed(tree_of, tmp_path):
    folder = tmp_path / "run"
    iterations = kill_and_resume("tree", folder)
    tree = tree_of("leduc_poker")
    whole = solve(
        tree, "mccfr-external-linear", iterations=iterations, workers=2, seed=9, batch=100
    )
    assert SolverFolder(folder).manifest().iteration == whole.iterations == iterations
    assert np.array_equal(load_strategy(folder, tree).probabilities, whole.strategy.probabilities)


def test_whole_process_with_a_growing_table_killed_and_resumed(tmp_path):
    folder = tmp_path / "run"
    iterations = kill_and_resume("growing table", folder)
    game = load_game("cambia(max_turns=6)")
    options = {"abstraction": "own_hand", "workers": 2, "seed": 9, "batch": 100}
    whole = simulate(game, "mccfr-outcome-linear", iterations=iterations, **options)
    ended = resume_simulated(folder)
    assert ended.iterations == whole.iterations == iterations
    first, second = whole.solver.trainer.contents(), ended.solver.trainer.contents()
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert whole.sampled.infosets == ended.sampled.infosets > 1_000


@pytest.mark.usefixtures("ray")
def test_ray_workers_killed_and_replaced(tree_of):
    tree = tree_of("leduc_poker")
    options = {"workers": 2, "seed": 4, "batch": 2000}
    afar = SampledSolver(tree, "mccfr-outcome-baseline", backend="ray", **options)
    dice = random.Random(21)
    epochs = 0
    for _ in range(RAY_KILLS):
        victim = dice.choice(afar.trainer.processes())
        before = afar.trainer.replaced
        timer = threading.Timer(dice.uniform(0.0, 0.1), os.kill, (victim, signal.SIGKILL))
        timer.start()
        while afar.trainer.replaced == before:
            afar.trainer.run(1)
            epochs += 1
        timer.join()
    afar.trainer.run(5)
    epochs += 5
    assert afar.trainer.replaced >= RAY_KILLS  # Ray ends some itself, where memory is short
    print(f"Ray: {RAY_KILLS} workers killed and replaced in {epochs} epochs")
    here = SampledSolver(tree, "mccfr-outcome-baseline", **options)
    here.trainer.run(epochs)
    assert same_contents(here, afar)
    assert here.nodes == afar.nodes
    afar.trainer.close()


@pytest.mark.usefixtures("ray")
@pytest.mark.parametrize(
    ("spec", "algorithm", "abstraction"),
    [
        pytest.param("liars_dice(dice=2)", "mccfr-robust", None, marks=pytest.mark.slow),
        pytest.param("cambia", "mccfr-outcome", None, marks=pytest.mark.slow),
        ("cambia", "mccfr-outcome", "own_hand"),
    ],
)
def test_ray_on_a_simulator(spec, algorithm, abstraction):
    """The growing table goes to the workers and back as well, and so does a full one."""
    game = load_game(spec)
    options = {"abstraction": abstraction, "batch": 50, "workers": 2, "seed": 3}
    options["iterations"] = 400
    here = simulate(game, algorithm, **options)
    afar = simulate(game, algorithm, backend="ray", **options)
    assert np.array_equal(here.strategy().keys, afar.strategy().keys)
    assert np.array_equal(here.strategy().probabilities, afar.strategy().probabilities)
    endless = {**options, "iterations": 10**9, "memory": 24_000_000}
    full = simulate(game, algorithm, backend="ray", **endless)
    assert full.stopped == "memory"
    assert full.sampled.infosets > 1_000
    assert full.sampled.bytes <= 24_000_000 * TABLE_SHARE  # of the learner and both workers


def test_ray_batches_lost_or_stopped_are_made_again(tree_of, monkeypatch, ray):
    options = {"workers": 2, "seed": 4, "batch": 200}
    afar = SampledSolver(tree_of("kuhn_poker"), "mccfr-external", backend="ray", **options)
    lost = ("0" * 56, None, "")
    errors = {
        1: ray.exceptions.WorkerCrashedError(),
        4: ray.exceptions.OutOfMemoryError("the machine was full"),
        5: ray.exceptions.ObjectLostError(*lost),  # the batch made again is lost as well
        8: ray.exceptions.OwnerDiedError(*lost),
    }
    get, asked = ray.get, itertools.count()

    def unreliable(*arguments, **more):
        if error := errors.pop(next(asked), None):
            raise error
        return get(*arguments, **more)

    monkeypatch.setattr(ray, "get", unreliable)
    assert afar.trainer.run(4) == 4
    assert afar.trainer.replaced == 4
    assert not errors
    monkeypatch.undo()
    here = SampledSolver(tree_of("kuhn_poker"), "mccfr-external", **options)
    here.trainer.run(4)
    assert same_contents(here, afar)
    # The same workers are stopped inside a batch.
    stop = _core.Stop()
    timer = threading.Timer(0.3, stop.request)
    timer.start()
    done = afar.trainer.run(10**9, stop)
    timer.join()
    assert afar.trainer.run(3) == here.trainer.run(done + 3) - done == 3
    assert same_contents(here, afar)
    afar.trainer.close()


def same_contents(one, other):
    first, second = one.trainer.contents(), other.trainer.contents()
    return all(np.array_equal(first[name], second[name]) for name in first)
