"""Nodes a second of sampling liar's dice: by a simulator in C through the header, by the built-in
simulator, and through the game's protocol in Python.

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

from fogtree import _core, include_dir, native_simulator, recipe
from fogtree.games.liars_dice import LiarsDice
from fogtree.solvers.recipes import SAMPLED_PREFIX
from fogtree.solvers.trainers import NativeTrainer, Schedule, sampling_plan, table_batch

SOURCE = Path(__file__).parent.parent / "examples" / "native_simulator" / "liars_dice.c"


def library() -> ctypes.CDLL:
    """The simulator in C, compiled."""
    with TemporaryDirectory() as folder:
        made = f"{folder}/liars_dice.so"
        options = ["-O2", "-shared", "-fPIC", f"-I{include_dir()}", str(SOURCE), "-o", made]
        subprocess.run([os.environ.get("CC", "cc"), *options], check=True)
        return ctypes.CDLL(made)


def simulators(game: LiarsDice) -> dict[str, _core.SimulatedGame]:
    """A simulator for every way to walk the game."""
    return {
        "C, through the header": native_simulator(library().liars_dice, game.dice, game.sides),
        "built-in simulator": game.simulator(),
        "protocol, in Python": _core.protocol_game(game, 2),
    }


def pace(trainer: NativeTrainer, seconds: float) -> float:
    """Nodes a second, the best of three times so many seconds."""
    best = 0.0
    for _ in range(3):
        start, before, spent = time.process_time(), trainer.nodes, 0.0
        while spent < seconds:
            trainer.run(1)
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
    print("| algorithm | walked | nodes/s |\n|---|---|---:|")
    for kind in ("external", "outcome"):
        schedule = Schedule(table_batch(kind, native=True), workers=1, seed=0)
        plan = sampling_plan(recipe(SAMPLED_PREFIX + kind), schedule)
        for walked, simulator in simulators(LiarsDice(given.dice, given.sides)).items():
            rate = pace(simulator.trainer(plan), given.seconds)
            print(f"| {SAMPLED_PREFIX}{kind} | {walked} | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
