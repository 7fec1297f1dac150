"""The solver lab: several algorithms on one game side by side, and a cursor through a solution."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fogtree.errors import OptionError
from fogtree.evaluate import inspect
from fogtree.game import CHANCE, TERMINAL
from fogtree.solvers import RECIPES, TabularSolver
from fogtree.strategy import Strategy
from fogtree.tree import GameTree, compile
from fogtree.web.jobs import Job

MOST_HISTORIES_BYTES = 1_000_000_000
"""Memory that compiling a game of the lab may take."""
MOST_ALGORITHMS = 6
MOST_ITERATIONS = 10_000_000
_SLICE = 0.1  # seconds of one algorithm before the next has its turn


@dataclass(frozen=True)
class Request:
    """What was asked for, checked."""

    game: str
    algorithms: tuple[str, ...]
    iterations: int
    until: float

    @classmethod
    def read(cls, content: dict[str, Any]) -> Request:
        """Check a request; a mistake is an error in one line."""
        game, algorithms = content.get("game"), content.get("algorithms")
        iterations, until = content.get("iterations", 10_000), content.get("until", 0.0)
        if not isinstance(game, str) or len(game) > 400:
            raise OptionError("'game' must be a text")
        if not isinstance(algorithms, list) or not 1 <= len(algorithms) <= MOST_ALGORITHMS:
            raise OptionError(f"choose 1 to {MOST_ALGORITHMS} algorithms")
        if any(name not in RECIPES for name in algorithms):
            raise OptionError(f"algorithms are {', '.join(RECIPES)}")
        if type(iterations) is not int or not 1 <= iterations <= MOST_ITERATIONS:
            raise OptionError(f"iterations are a whole number from 1 to {MOST_ITERATIONS:,}")
        if type(until) not in (int, float) or not 0 <= until < 1e9:
            raise OptionError("'until' is an exploitability from 0 up")
        return cls(game, tuple(dict.fromkeys(algorithms)), iterations, float(until))


class Lab:
    """A comparison that runs as a job, and its solutions."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.tree: GameTree | None = None
        self.strategies: dict[str, Strategy] = {}

    def work(self, job: Job) -> None:
        """Run all algorithms in turns until they reach their limit."""
        job.tell("compiling")
        tree = compile(self.request.game, memory=MOST_HISTORIES_BYTES)
        self.tree = tree
        job.tell("compiled", histories=len(tree.parent), infosets=len(tree.infoset_names))
        runners = [_Runner(tree, name, self.request) for name in self.request.algorithms]
        while any(not runner.done for runner in runners):
            for runner in runners:
                job.breathe()
                for point in runner.advance():
                    job.tell("point", algorithm=runner.name, **point)
                self.strategies[runner.name] = runner.solver.strategy()

    def place(self, algorithm: str, path: list[str]) -> dict[str, Any]:
        """What the solution of an algorithm plays after these labels from the root."""
        if self.tree is None or algorithm not in self.strategies:
            raise OptionError("there is no solution yet")
        return Solution(self.tree, self.strategies[algorithm]).place(path)


class _Runner:
    """One algorithm of a comparison."""

    def __init__(self, tree: GameTree, name: str, request: Request) -> None:
        self.name, self._request = name, request
        self.solver = TabularSolver(tree, name)
        self.seconds = 0.0
        self.done = False
        self._next = 1  # the iteration of the next measurement: 1, 2, 5, 10, 20, 50, ...
        self._chunk = 1

    def advance(self) -> list[dict[str, float]]:
        """Solve for a slice of time; returns the points measured meanwhile."""
        points, end = [], time.perf_counter() + _SLICE
        while not self.done and time.perf_counter() < end:
            wanted = min(self._next, self._request.iterations) - self.solver.iteration
            start = time.perf_counter()
            self.solver.run(min(wanted, self._chunk))
            spent = time.perf_counter() - start
            self.seconds += spent
            if spent < _SLICE / 4:
                self._chunk *= 2
            if self.solver.iteration < min(self._next, self._request.iterations):
                continue
            found = self.solver.evaluate()
            points.append(
                {
                    "iteration": self.solver.iteration,
                    "seconds": self.seconds,
                    "exploitability": found.exploitability,
                    "value": found.value,
                }
            )
            last = self.solver.iteration >= self._request.iterations
            self.done = last or found.exploitability <= self._request.until
            self._next = _following(self._next)
        return points


def _following(number: int) -> int:
    """The number after this one in 1, 2, 5, 10, 20, 50, ..."""
    digit = int(str(number)[0])
    return number * 5 // 2 if digit == 2 else number * 2


class Solution:
    """A strategy that can be walked through, action by action."""

    def __init__(self, tree: GameTree, strategy: Strategy) -> None:
        self._tree, self._strategy = tree, strategy

    @cached_property
    def _reports(self) -> dict[str, Any]:
        return {report.name: report for report in inspect(self._tree, self._strategy)}

    def place(self, path: list[str]) -> dict[str, Any]:
        """The node after these labels from the root, with its actions or outcomes."""
        tree, node = self._tree, 0
        for label in path:
            children = self._children(node)
            if label not in children:
                raise OptionError(f"there is no '{label[:40]}' there")
            node = children[label]
        player = int(tree.player[node])
        place: dict[str, Any] = {"path": path, "player": player}
        if player == TERMINAL:
            return {**place, "returns": [float(v) for v in tree.payoffs[tree.index[node]]]}
        children = self._children(node)
        if player == CHANCE:
            outcomes = {label: float(tree.chance[child]) for label, child in children.items()}
            return {**place, "outcomes": outcomes}
        report = self._reports[tree.infoset_names[int(tree.index[node])]]
        return {
            **place,
            "infoset": report.name,
            "reach": report.reach,
            "expected_value": report.expected_value,
            "actions": [
                {
                    "action": action,
                    "probability": report.probabilities[k],
                    "value": None if report.values is None else report.values[k],
                }
                for k, action in enumerate(report.actions)
            ],
        }

    def _children(self, node: int) -> dict[str, int]:
        tree = self._tree
        found = np.flatnonzero(tree.parent == node)
        return {tree.labels[tree.label[child]]: int(child) for child in found if child > 0}
