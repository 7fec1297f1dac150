"""The solver lab: several algorithms on one game side by side, and a cursor through a solution."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import fogtree
from fogtree.errors import FileFormatError, OptionError
from fogtree.evaluate import InfosetReport, inspect
from fogtree.game import CHANCE, TERMINAL
from fogtree.solvers import RECIPES, TabularSolver
from fogtree.solvers.manifest import fingerprint
from fogtree.solvers.solvable import not_solvable
from fogtree.strategy import Strategy
from fogtree.tree import GameTree
from fogtree.web.jobs import Event, Job
from fogtree.web.study_games import StudyGames, read_spec

Numbers = NDArray[np.float64]
MOST_ALGORITHMS = 6
MOST_EXACT = 5_000
"""Information sets of a game that is solved exactly while somebody waits."""
MOST_DIFFERENCES = 20
MOST_INFOSETS = 60
EXACT = "equilibrium"
"""The name of the exact solution beside those of the algorithms."""
MOST_ITERATIONS = 10_000_000
_SLICE = 0.1  # seconds of one algorithm before the next has its turn
_WARM_UP = 0.005  # seconds of solving that are not counted, before all algorithms' first turns
_MOST_WAITING = 2.0  # seconds that the exact solution waits for the first turns


@dataclass(frozen=True)
class Request:
    """The comparison of algorithms that a request asks for, checked."""

    game: str
    algorithms: tuple[str, ...]
    iterations: int
    until: float

    @classmethod
    def read(cls, content: dict[str, Any]) -> Request:
        """Check a request; a mistake is an error in one line."""
        game, algorithms = read_spec(content), content.get("algorithms")
        iterations, until = content.get("iterations", 10_000), content.get("until", 0.0)
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
    """A comparison of algorithms on one game, which runs as a job, and the solutions that it has
    found so far."""

    def __init__(self, request: Request, games: StudyGames) -> None:
        self.request, self._games = request, games
        self.tree: GameTree | None = None
        self._runners: list[_Runner] = []
        self.solutions: dict[str, Solution] = {}
        self._exact: dict[str, Any] | None = None
        self._solving = threading.Lock()
        self._first_turns = threading.Event()  # every algorithm has had its first turn
        self._kept: dict[str, tuple[Event, Numbers]] = {}
        self._fingerprint = ""  # of the game to which the kept solutions belong

    @classmethod
    def restored(
        cls, events: list[Event], solutions: Mapping[str, bytes], games: StudyGames
    ) -> Lab:
        """A comparison that was done before the server was started again, from its events and its
        solutions; the game is compiled when somebody looks at one."""
        try:
            compiled = next(event for event in events if event["type"] == "compiled")
            points = {event["algorithm"]: event for event in events if event["type"] == "point"}
            found = cls(Request(compiled["game"], tuple(points), 1, 0.0), games)
            found._fingerprint = compiled["fingerprint"]
            for name, content in solutions.items():
                found._kept[name] = points[name], np.frombuffer(zlib.decompress(content))
        except (KeyError, StopIteration, TypeError, ValueError, zlib.error) as error:
            raise FileFormatError("this solve in the database is damaged") from error
        return found

    def kept_solutions(self) -> dict[str, bytes]:
        """The solutions of the algorithms in the form in which they are stored."""
        found = ((name, self.solutions[name]) for name in self.request.algorithms)
        return {name: zlib.compress(one.strategy.probabilities.tobytes()) for name, one in found}

    def work(self, job: Job) -> None:
        """Run all algorithms in turns until they reach their limit; goes on after a stop."""
        if self.tree is None:
            self._compile(job)
        while any(not runner.done for runner in self._runners):
            for runner in self._runners:
                job.breathe()
                points = runner.advance()
                if runner.solution is not None:  # before it is told of: it can be looked at then
                    self.solutions[runner.name] = runner.solution
                for point in points:
                    job.tell("point", algorithm=runner.name, **point)
            self._first_turns.set()

    def _compile(self, job: Job) -> None:
        """Compile the game, and make a runner for every algorithm."""
        job.tell("compiling", **asdict(self.request))  # the page sets its fields by it
        tree = self._games.compile(self.request.game, job.breathe)
        self._runners = [_Runner(tree, name, self.request) for name in self.request.algorithms]
        _warm_up(tree, self.request.algorithms)
        self.tree = tree
        job.tell(
            "compiled",
            game=tree.game,
            players=tree.players,
            histories=len(tree.parent),
            infosets=len(tree.infoset_names),
            fingerprint=fingerprint(tree),
        )

    def place(self, algorithm: str, path: list[str]) -> dict[str, Any]:
        """The node to which a path of labels (actions and chance outcomes) leads from the root, as
        JSON, with what the solution of an algorithm plays there."""
        return self._solution(algorithm).place(path)

    def exact_value(self) -> dict[str, Any]:
        """As JSON, the value of an exact equilibrium for player 0; the equilibrium can be looked at
        as the solution :data:`EXACT` from then on. For games that are large or have no linear
        program, the value is None, with the reason in ``why``."""
        self._restore()
        tree = self.tree
        if tree is None:
            raise OptionError("the game is not compiled yet")
        if self._runners:  # an algorithm's first steps are so short that this would slow them
            self._first_turns.wait(_MOST_WAITING)
        with self._solving:
            if self._exact is None:
                self._exact = self._solve_exactly(tree)
            return self._exact

    def _solve_exactly(self, tree: GameTree) -> dict[str, Any]:
        """The answer of :meth:`exact_value`; the strategy is kept as a solution."""
        if why := not_solvable(tree):
            return {"value": None, "why": f"the game {why}"}
        if len(tree.infoset_names) > MOST_EXACT:
            why = f"only games of at most {MOST_EXACT:,} information sets are solved exactly here"
            return {"value": None, "why": why}
        found = fogtree.equilibrium(tree)
        self.solutions[EXACT] = Solution(tree, found.strategy)
        return {"value": found.value}

    def strategy_document(self, algorithm: str) -> dict[str, Any]:
        """A solution as data for a JSON file: what it is, and the mix of every information set."""
        found = self._solution(algorithm)
        measured = {k: v for k, v in found.point.items() if k in ("iteration", "exploitability")}
        return {
            "game": found.strategy.game,
            "algorithm": algorithm,
            **measured,
            "strategy": found.strategy.to_dict(),
        }

    def differences(self, first: str, second: str) -> list[dict[str, Any]]:
        """The information sets where two solutions differ most, weighted by how often the first
        reaches them, each with a path that leads there."""
        one, other = self._solution(first), self._solution(second)
        apart = one.strategy.difference(other.strategy)
        rows: list[dict[str, Any]] = [
            {
                "infoset": name,
                "actions": one.reports[name].actions,
                "first": one.reports[name].probabilities,
                "second": other.reports[name].probabilities,
                "difference": share,
                "reach": one.reports[name].reach,
            }
            for name, share in apart.items()
            if share > 0
        ]
        rows.sort(key=lambda row: -row["difference"] * row["reach"])
        return [{**row, "path": one.path_to(row["infoset"])} for row in rows[:MOST_DIFFERENCES]]

    def infosets(self, algorithm: str, contains: str) -> dict[str, Any]:
        """The information sets of a solution whose name contains a text, as
        :meth:`Solution.infosets` lists them."""
        return self._solution(algorithm).infosets(contains, MOST_INFOSETS)

    def _solution(self, algorithm: str) -> Solution:
        """The latest solution of an algorithm."""
        self._restore()
        if self.tree is None or algorithm not in self.solutions:
            raise OptionError("there is no solution yet")
        return self.solutions[algorithm]

    def _restore(self) -> None:
        """Compile the game for solutions that were found before the server was started again."""
        if not self._kept or self.tree is not None:
            return
        with self._solving:
            if self.tree is not None:  # another request was first
                return
            tree = self._games.compile(self.request.game, lambda: None)
            if fingerprint(tree) != self._fingerprint:
                raise OptionError("the game has changed since it was solved: solve it again")
            for name, (point, slots) in self._kept.items():
                self.solutions[name] = Solution(tree, Strategy.of(tree, slots), point)
            self.tree = tree


class _Runner:
    """One algorithm of a comparison, with its solver and the time it has used."""

    def __init__(self, tree: GameTree, name: str, request: Request) -> None:
        self.name, self._tree, self._request = name, tree, request
        self.solver = TabularSolver(tree, name)
        self.solution: Solution | None = None  # at the last measurement
        self.seconds = 0.0
        self.done = False
        self._next = 1  # the iteration of the next measurement: 1, 2, 5, 10, 20, 50, ...
        self._chunk = 1  # iterations at a time, doubled until they take a quarter of a slice

    def advance(self) -> list[dict[str, float]]:
        """Solve for a slice of time; returns the points measured meanwhile."""
        points, end = [], time.perf_counter() + _SLICE
        while not self.done and time.perf_counter() < end:
            wanted = min(self._next, self._request.iterations) - self.solver.iteration
            start = time.thread_time()  # other work on the machine does not count
            self.solver.run(min(wanted, self._chunk))
            spent = time.thread_time() - start
            self.seconds += spent
            if spent < _SLICE / 4:
                self._chunk *= 2
            if self.solver.iteration < min(self._next, self._request.iterations):
                continue
            found = self.solver.evaluate()
            point = {
                "iteration": self.solver.iteration,
                "seconds": self.seconds,
                "exploitability": found.exploitability,
                "value": found.value,
            }
            points.append(point)
            self.solution = Solution(self._tree, self.solver.strategy(), point)
            last = self.solver.iteration >= self._request.iterations
            self.done = last or found.exploitability <= self._request.until
            self._next = _following(self._next)
        return points


def _warm_up(tree: GameTree, algorithms: Sequence[str]) -> None:
    """Take a step of each algorithm with a spare solver, so that what happens once, such as loading
    code, is not counted as its time; in a large game that would not be noticed."""
    if len(tree.infoset_names) > MOST_EXACT:
        return
    end = time.perf_counter() + _WARM_UP
    for name in algorithms:
        TabularSolver(tree, name).run(1)
    spare = TabularSolver(tree, algorithms[0])
    while time.perf_counter() < end:
        spare.run(1)


def _following(number: int) -> int:
    """The number after this one in 1, 2, 5, 10, 20, 50, ..."""
    digit = int(str(number)[0])
    return number * 5 // 2 if digit == 2 else number * 2


class Solution:
    """A strategy that can be walked through, action by action; ``point`` is its measurement."""

    def __init__(
        self, tree: GameTree, strategy: Strategy, point: Mapping[str, float] | None = None
    ) -> None:
        self._tree, self.strategy = tree, strategy
        self.point: Mapping[str, float] = point or {}

    @cached_property
    def reports(self) -> dict[str, InfosetReport]:
        """Reach, mix and values of every information set by its name."""
        return {report.name: report for report in inspect(self._tree, self.strategy)}

    def place(self, path: list[str]) -> dict[str, Any]:
        """The node after these labels from the root, as JSON: with its mix and values if a player
        decides there, its outcomes if chance moves, its payoffs if the game is over."""
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
        report = self.reports[tree.infoset_names[int(tree.index[node])]]
        return {**place, **_row(report)}

    @cached_property
    def _first_history(self) -> dict[int, int]:
        """The first history of every information set, by its number."""
        histories = np.flatnonzero(self._tree.player >= 0)
        numbers, first = np.unique(self._tree.index[histories], return_index=True)
        return dict(zip(numbers.tolist(), histories[first].tolist(), strict=True))

    @cached_property
    def _number(self) -> dict[str, int]:
        """The number of every information set, by its name."""
        return {name: number for number, name in enumerate(self._tree.infoset_names)}

    def path_to(self, infoset: str) -> list[str]:
        """The labels from the root to the first history of an information set."""
        tree, node = self._tree, self._first_history[self._number[infoset]]
        labels: list[str] = []
        while node > 0:
            labels.append(tree.labels[tree.label[node]])
            node = int(tree.parent[node])
        return labels[::-1]

    def infosets(self, contains: str, most: int) -> dict[str, Any]:
        """As JSON, the number of information sets whose name contains a text, and the first
        ``most`` of them in the order of the game, each with a path that leads there."""
        found = [report for name, report in self.reports.items() if contains in name]
        rows = [{**_row(report), "path": self.path_to(report.name)} for report in found[:most]]
        return {"count": len(found), "infosets": rows}

    def _children(self, node: int) -> dict[str, int]:
        """The children of a node by the labels of the actions or chance outcomes that lead to
        them."""
        tree = self._tree
        found = np.flatnonzero(tree.parent == node)
        return {tree.labels[tree.label[child]]: int(child) for child in found if child > 0}


def _row(report: InfosetReport) -> dict[str, Any]:
    """An information set as data for the browser."""
    return {
        "infoset": report.name,
        "player": report.player,
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
