"""Killed at random moments, the run ends as if nothing had happened, bit for bit.

Three kills of each sort by default; ``FOGTREE_KILLS=50`` makes it fifty.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from fogtree import load_game, solve
from fogtree.solvers import saved_strategy
from fogtree.solvers.run import load_manifest
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.simulated import simulate

KILLS = int(os.environ.get("FOGTREE_KILLS", "3"))

# Starts the run in this folder or goes on with it: in small steps, saving after each, and slowly
# enough to be killed before it is done.
TRAINING = """
import sys
from pathlib import Path
from time import sleep
from fogtree import compile, load_game, solve, resume
module = sys.modules["fogtree.solvers.solve"]
module.SAVE_EVERY_SECONDS = 0.0
sys.modules["fogtree.solvers.driving"].STEP_SECONDS = 0.001
slowly = lambda iteration, seconds: sleep(0.01)
folder, iterations = Path(sys.argv[1]), int(sys.argv[2])
tree = compile(load_game("leduc_poker"))
print("ready", flush=True)
if (folder / "manifest.json").exists():
    resume(folder, game=tree, iterations=iterations, pulse=slowly)
else:
    solve(tree, "mccfr-external-linear", iterations=iterations, workers=2, seed=9, batch=100,
          every=10**9, save=folder, pulse=slowly)
"""


def test_whole_process_killed_and_resumed(tree_of, tmp_path):
    folder, iterations = tmp_path / "run", 100_000 * (KILLS + 1)
    dice = random.Random(20)
    kills = 0
    while True:
        child = subprocess.Popen(
            [sys.executable, "-c", TRAINING, str(folder), str(iterations)],
            stdout=subprocess.PIPE,
        )
        child.stdout.readline()
        if kills == KILLS:
            assert child.wait() == 0
            break
        time.sleep(dice.uniform(0.0, 0.2))
        child.send_signal(signal.SIGKILL)
        if child.wait() == -signal.SIGKILL:
            kills += 1
        else:
            pytest.fail("the run was over before it could be killed often enough")
    tree = tree_of("leduc_poker")
    whole = solve(
        tree, "mccfr-external-linear", iterations=iterations, workers=2, seed=9, batch=100
    )
    assert load_manifest(folder)["iteration"] == whole.iterations == iterations
    assert np.array_equal(
        saved_strategy(folder, game=tree).probabilities, whole.strategy.probabilities
    )


def test_ray_workers_killed_and_replaced(tree_of):
    pytest.importorskip("ray")
    tree = tree_of("leduc_poker")
    options = {"workers": 3, "seed": 4, "batch": 2000}
    afar = SampledSolver(tree, "mccfr-outcome-baseline", backend="ray", **options)
    dice = random.Random(21)
    epochs = 0
    for kill in range(KILLS):
        victim = dice.choice(afar.trainer.processes())
        timer = threading.Timer(dice.uniform(0.0, 0.1), os.kill, (victim, signal.SIGKILL))
        timer.start()
        while afar.trainer.replaced <= kill:
            afar.trainer.run(1)
            epochs += 1
        timer.join()
    afar.trainer.run(5)
    epochs += 5
    assert afar.trainer.replaced == KILLS
    here = SampledSolver(tree, "mccfr-outcome-baseline", **options)
    here.trainer.run(epochs)
    first, second = here.trainer.contents(), afar.trainer.contents()
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert here.nodes == afar.nodes
    afar.trainer.close()


@pytest.mark.parametrize(
    ("spec", "algorithm", "abstraction"),
    [
        ("liars_dice(dice=2)", "mccfr-robust", None),
        ("cambia", "mccfr-outcome", None),
        ("cambia", "mccfr-outcome", "own_hand"),
    ],
)
def test_ray_on_a_simulator(spec, algorithm, abstraction):
    """The growing table goes to the workers and back as well, and so does a full one."""
    pytest.importorskip("ray")
    game = load_game(spec)
    options = {"abstraction": abstraction, "batch": 50, "workers": 2, "seed": 3}
    options["iterations"] = 400
    here = simulate(game, algorithm, **options)
    afar = simulate(game, algorithm, backend="ray", **options)
    assert np.array_equal(here.strategy().keys, afar.strategy().keys)
    assert np.array_equal(here.strategy().probabilities, afar.strategy().probabilities)
    endless = {**options, "iterations": 10**9, "memory": 8_000_000}
    full = simulate(game, algorithm, backend="ray", **endless)
    assert full.stopped == "memory"
    assert full.work.infosets > 1_000


@pytest.fixture(scope="module", autouse=True)
def _end_the_cluster():
    yield
    if "ray" in sys.modules:
        sys.modules["ray"].shutdown()
