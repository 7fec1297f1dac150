"""One solver on one game, in a process of its own, measured upon request.

Run as ``python -m peers.worker SOLVER GAME``. Requests are JSON lines on standard
input, answers JSON lines on standard output; what a library prints goes to
standard error. An answer with ``error`` means that the request failed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from math import exp, log
from statistics import median
from time import perf_counter
from typing import Any, TextIO

from peers.catalogue import SAMPLERS, SOLVERS
from peers.games import GAMES, BenchmarkGame
from peers.memory import peak_bytes, private_bytes, reset_peak, resident_bytes
from peers.solver import BenchmarkSolver

Answer = dict[str, Any]

CHECK_GROWTH = 1.05
"""Solver time grows by this factor from one check to the next."""
MOST_CHECKS = 99
"""More than these would weigh as much as the smallest game."""


class Worker:
    """Answers requests about one solver; the time of every answer is solver time only."""

    def __init__(self, solver: BenchmarkSolver, game: BenchmarkGame) -> None:
        self._solver = solver
        self._game = game
        self._batch = 1

    def build(self) -> Answer:
        """Load the game and start the first algorithm; memory counts from before that."""
        reset_peak()
        self._imported = private_bytes(resident_bytes())
        begun = perf_counter()
        infosets = self._solver.build(self._game)
        self._solver.start(self._solver.algorithms[0])
        seconds = perf_counter() - begun
        if infosets not in (None, self._game.infosets):
            expected = self._game.infosets
            raise RuntimeError(f"{infosets} information sets where OpenSpiel has {expected}")
        return {
            "seconds": seconds,
            "infosets": infosets,
            "algorithms": list(self._solver.algorithms),
            "precision": self._solver.precision,
            "versions": self._solver.versions,
        }

    def window(self, seconds: float) -> Answer:
        """Iterate for about this long."""
        iterations, spent = 0, 0.0
        while spent < seconds:
            before = self._done()
            begun = perf_counter()
            self._solver.advance(self._batch)
            took = perf_counter() - begun
            iterations += self._batch if before is None else (self._done() or 0) - before
            spent += took
            self._batch = resized(self._batch, took, seconds / 20)
        return {"iterations": iterations, "seconds": spent}

    def _done(self) -> int | None:
        """Iterations since the start, of a solver that may do more than it is asked for."""
        done: int | None = getattr(self._solver, "iterations", None)
        return done

    def start(self, algorithm: str) -> Answer:
        """Begin an algorithm anew."""
        self._solver.start(algorithm)
        self._batch = 1
        return {}

    def count(self, algorithm: str, iterations: int) -> Answer:
        """Nodes that so many iterations of a sampled algorithm visit, where the solver counts."""
        self._solver.start(algorithm)
        self._solver.advance(iterations)
        return {"iterations": self._solver.iterations, "nodes": self._solver.nodes}

    def check(self) -> Answer:
        """One exploitability, and what it cost."""
        begun = perf_counter()
        value = self._solver.exploitability()
        return {"exploitability": value, "seconds": perf_counter() - begun}

    def usual_check(self, seconds: float) -> Answer:
        """The median cost of the exploitabilities that fit in this time, at least one."""
        begun = perf_counter()
        costs: list[float] = [self.check()["seconds"]]
        while perf_counter() - begun < seconds and len(costs) < MOST_CHECKS:
            self._solver.advance(1)  # as in a run: iterations between checks
            costs.append(self.check()["seconds"])
        return {"seconds": median(costs)}

    def memory(self) -> Answer:
        """The most memory held so far, and the private part of it since the imports."""
        peak = peak_bytes()
        return {"peak": peak, "own": private_bytes(peak) - self._imported}

    def reach(self, algorithm: str, targets: list[float], cap: float) -> Answer:
        """Solver seconds until each target exploitability; absent when above the cap.

        Checks cost no more than the solving between them, or 5 % growth if that
        is more; a target passed between two checks is put there by interpolation,
        so that a solver with dear checks is not held back by few of them.
        """
        self._solver.start(algorithm)
        reached: dict[str, float] = {}
        iterations, spent, batch, check_cost = 0, 0.0, 1, 0.0
        before: tuple[float, float] | None = None
        while len(reached) < len(targets) and spent < cap:
            pause = max(spent * CHECK_GROWTH, min(spent + check_cost, cap))
            while spent < pause or iterations == 0:
                begun = perf_counter()
                self._solver.advance(batch)
                took = perf_counter() - begun
                iterations, spent = iterations + batch, spent + took
                batch = resized(batch, took, max(pause - spent, spent * (CHECK_GROWTH - 1)))
            answer = self.check()
            check_cost = answer["seconds"]
            now = (spent, max(answer["exploitability"], 1e-300))
            for target in targets:
                if str(target) not in reached and now[1] <= target:
                    reached[str(target)] = crossing(before, now, target)
            before = now
        return {
            "reached": {name: when for name, when in reached.items() if when <= cap},
            "iterations": iterations,
            "seconds": spent,
            "exploitability": None if before is None else before[1],
        }


def resized(batch: int, took: float, aim: float) -> int:
    """A batch expected to take about ``aim`` seconds, at most doubled."""
    return max(1, min(2 * batch, int(batch * aim / max(took, 1e-9))))


def crossing(before: tuple[float, float] | None, now: tuple[float, float], target: float) -> float:
    """When the target was passed between two (seconds, exploitability), linear in logarithms."""
    if before is None:
        return now[0]
    part = log(before[1] / target) / log(before[1] / now[1])
    return exp(log(before[0]) + part * log(now[0] / before[0]))


def serve(worker: Worker, requests: TextIO, answers: TextIO) -> None:
    """Answer requests until there are no more."""
    commands: dict[str, Callable[..., Answer]] = {
        "build": worker.build,
        "start": worker.start,
        "count": worker.count,
        "window": worker.window,
        "usual_check": worker.usual_check,
        "memory": worker.memory,
        "reach": worker.reach,
    }
    for line in requests:
        request = json.loads(line)
        try:
            answer = commands[request.pop("command")](**request)
        except Exception as error:  # the driver shows it and goes on without this solver
            answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps(answer), file=answers, flush=True)


def main() -> None:
    """Measure the solver and game named on the command line."""
    solver_name, game_name = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        solver = {**SOLVERS, **SAMPLERS}[solver_name].create()
    except Exception as error:  # a library that is absent or broken
        line = f"{type(error).__name__}: {error}".splitlines()[0]
        print(json.dumps({"error": line}), file=answers, flush=True)
        return
    print(json.dumps({"ready": solver_name}), file=answers, flush=True)
    serve(Worker(solver, GAMES[game_name]), sys.stdin, answers)


if __name__ == "__main__":
    main()
