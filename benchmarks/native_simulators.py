"""Nodes a second of sampling liar's dice: by a simulator in C through the header, by the built-in
simulator, on the compiled game, and through the game's protocol in Python.

    python benchmarks/native_simulators.py [--dice 1] [--sides 6] [--seconds 1]

One thread; seconds are of the processor, the best of three. A C compiler is needed.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from fogtree import GameTree, _core, compile, include_dir, native_simulator, recipe
from fogtree.games.liars_dice import LiarsDice
from fogtree.solvers.trainers import NativeTrainer, Schedule, sampling_plan

SOURCE = Path(__file__).parent.parent / "examples" / "native_simulator" / "liars_dice.c"


def library() -> ctypes.CDLL:
    """The simulator in C, compiled."""
    with TemporaryDirectory() as folder:
        made = f"{folder}/liars_dice.so"
        options = ["-O2", "-shared", "-fPIC", f"-I{include_dir()}", str(SOURCE), "-o", made]
        subprocess.run([os.environ.get("CC", "cc"), *options], check=True)
        return ctypes.CDLL(made)


def trainers(game: LiarsDice, tree: GameTree, plan: _core.SamplingPlan) -> dict[str, NativeTrainer]:
    """A trainer for every way to walk the game."""
    in_c = native_simulator(library().liars_dice, game.dice, game.sides)
    return {
        "C, through the header": in_c.trainer(plan),
        "built-in simulator": game.simulator().trainer(plan),
        "compiled game": _core.TreeTrainer64(tree.flat, plan),
        "protocol, in Python": _core.protocol_game(game, 2).trainer(plan),
    }


def pace(trainer: NativeTrainer, seconds: float) -> float:
    """Nodes a second, the best of three times so many seconds."""
    best = 0.0
    for _ in range(3):
        start, before, spent = time.process_time(), trainer.nodes, 0.0
        while spent < seconds:
            trainer.run(10)
            spent = time.process_time() - start
        best = max(best, (trainer.nodes - before) / spent)
    return best


def main() -> None:
    """Print a row for every algorithm and way to walk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", type=int, default=1)
    parser.add_argument("--sides", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args()
    game = LiarsDice(given.dice, given.sides)
    tree = compile(game)
    print("| algorithm | walked | nodes/s |\n|---|---|---:|")
    for algorithm in ("mccfr-external", "mccfr-outcome"):
        plan = sampling_plan(recipe(algorithm), Schedule(batch=100, workers=1, seed=0))
        for walked, trainer in trainers(game, tree, plan).items():
            print(f"| {algorithm} | {walked} | {pace(trainer, given.seconds):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
