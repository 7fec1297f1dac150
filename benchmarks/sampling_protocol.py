"""Sampling a game that is not compiled, by its native simulator and through its protocol in Python.

    python benchmarks/sampling_protocol.py [--game phantom_ttt] [--algorithm mccfr-outcome]
        [--checks 1e3 1e4 1e5] [--native 1e6 3e6]

Both begin with the same seed and batch and make the same walks: at every check their tables must
hold the same numbers, else the benchmark fails. So one exact measurement of exploitability serves
both, and they differ in seconds alone. ``--native`` adds numbers of iterations that only the
simulator runs. One thread samples; seconds are of the processor.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from copy import copy
from time import process_time

import numpy as np

import fogtree
from best_responses import GAMES
from fogtree import _core
from fogtree.evaluate.uncompiled import best_response_values
from fogtree.solvers.simulated import SimulatedSolver

BATCH = 250


def walked_in_python(game: fogtree.Game) -> fogtree.Game:
    """The same game without its simulator, so that its states are walked in Python."""

    def none(self: fogtree.Game, *_: object) -> None:
        return None

    changed = copy(game)
    plain = type(type(game).__name__, (type(game),), {"simulator": none, "table_keys": none})
    object.__setattr__(changed, "__class__", plain)
    return changed


class Sampled:
    """A solver, and the processor seconds that it has taken."""

    def __init__(self, game: fogtree.Game, algorithm: str) -> None:
        self.solver = SimulatedSolver(game, algorithm, seed=1, batch=BATCH)
        self.seconds = 0.0

    def run_to(self, iterations: int) -> None:
        """Go on to this number of iterations, or to the end of the batch in which it is."""
        start = process_time()
        self.solver.run(max(0, iterations - self.solver.iteration))
        self.seconds += process_time() - start

    def numbers(self) -> list[np.ndarray]:
        """Regrets and averages of all information sets, sorted: the keys of the two ways differ."""
        contents = self.solver.trainer.contents()
        return [np.sort(contents[name]) for name in ("regret", "average")]

    @property
    def rate(self) -> float:
        """Nodes a second."""
        return float(self.solver.trainer.nodes / self.seconds)


def print_row(native: Sampled, python: Sampled | None, exploitability: float) -> None:
    """One line of the table."""
    solver = native.solver
    shown: Callable[[float], str] = "{:.3g}".format
    cells = [
        f"{solver.iteration:,}",
        f"{len(solver.strategy()):,}",
        f"{exploitability:.4f}",
        shown(native.seconds),
        f"{native.rate:,.0f}",
        shown(python.seconds) if python else "",
        f"{python.rate:,.0f}" if python else "",
        f"{python.seconds / native.seconds:.0f}" if python else "",
    ]
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print a row for every check."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--game", choices=GAMES, default="phantom_ttt")
    options.add_argument("--algorithm", default="mccfr-outcome")
    options.add_argument("--checks", nargs="+", type=float, default=[1e3, 1e4, 1e5])
    options.add_argument("--native", nargs="*", type=float, default=[1e6])
    options.add_argument("--threads", type=int, default=2, help="for the best responses")
    given = options.parse_args()
    game = fogtree.load_game(GAMES[given.game])
    assert isinstance(game.simulator(), _core.SimulatedGame)
    native, python = (Sampled(form, given.algorithm) for form in (game, walked_in_python(game)))
    print(f"{game}, {given.algorithm}\n")
    print(
        "| iterations | information sets | exploitability "
        f"| native s | nodes/s | Python s | nodes/s | times |\n|{'---:|' * 8}"
    )
    for check in sorted({*given.checks, *given.native}):
        both = check in given.checks
        native.run_to(int(check))
        if both:
            python.run_to(int(check))
            for here, there in zip(native.numbers(), python.numbers(), strict=True):
                if not np.array_equal(here, there):
                    raise SystemExit("the two tables differ")
        measured = best_response_values(game, native.solver.strategy(), threads=given.threads)
        print_row(native, python if both else None, measured.exploitability)


if __name__ == "__main__":
    main()
