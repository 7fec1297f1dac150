"""Measures the solvers of one game in turn, window by window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from peers.catalogue import SolverEntry
from peers.games import BenchmarkGame
from peers.session import WorkerError, WorkerSession

TARGETS = (1e-2, 1e-3, 1e-4)
"""Exploitabilities, NashConv / 2, whose time is taken."""

CHECKING = 0.05
"""Seconds for which exploitability checks are repeated."""

DEAR_CHECK = 1.0
"""Seconds above which an exploitability check is measured once only."""

FEWEST_ITERATIONS = 10
"""A solver that cannot do this many iterations within the cap is not timed to the targets."""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """How long everything is measured: ``rounds`` windows of so many seconds of each solver, and
    at most ``cap`` seconds to reach the targets."""

    rounds: int
    window: float
    cap: float
    every_algorithm: bool
    large_everything: bool
    """Whether large games get slow solvers and times to targets of peers as well."""


QUICK = Plan(rounds=3, window=0.5, cap=2.0, every_algorithm=False, large_everything=False)
FULL = Plan(rounds=5, window=1.0, cap=20.0, every_algorithm=True, large_everything=True)


@dataclass(frozen=True)
class Measurement:
    """What one solver did on one game. Seconds and bytes; the ``own`` bytes are those beyond what
    the libraries took when they were imported."""

    solver: str
    game: str
    precision: str
    versions: dict[str, str]
    build_seconds: float
    rates: tuple[float, ...]
    """CFR+ iterations per second, one number per round."""
    check_seconds: float
    peak: int
    own_solving: int
    own_checking: int
    reached: dict[str, dict[str, float]]
    """Seconds of solving by algorithm and target exploitability; targets that were not reached
    within ``cap`` seconds are absent."""
    cap: float

    @property
    def rate(self) -> float:
        """Median of the rounds."""
        return median(self.rates)

    def seconds_to(self, target: float) -> tuple[float, str] | None:
        """The shortest time to a target and the algorithm that took it."""
        times = [
            (seconds[str(target)], algorithm)
            for algorithm, seconds in self.reached.items()
            if str(target) in seconds
        ]
        return min(times, default=None)


@dataclass(frozen=True)
class Failure:
    """A solver that could not be measured on a game, and why."""

    solver: str
    game: str
    reason: str


def left_out(entry: SolverEntry, game: BenchmarkGame, plan: Plan) -> bool:
    """Whether a plan has no time for this solver on this game."""
    return game.large and not plan.large_everything and (entry.slow or entry.slow_to_build)


def measure_game(
    game: BenchmarkGame,
    entries: Iterable[SolverEntry],
    python: Callable[[SolverEntry], Path],
    plan: Plan,
    tell: Tell,
) -> tuple[list[Measurement], list[Failure]]:
    """Measure all solvers side by side; a solver that fails does not stop the others."""
    running: list[_Running] = []
    failures: list[Failure] = []
    try:
        for entry in entries:
            tell(f"{game.title}: building for {entry.title}")
            try:
                running.append(_Running(entry, game, python(entry), plan))
            except WorkerError as error:
                failures.append(Failure(entry.name, game.name, str(error)))
        for phase in _phases(plan):
            for solver in running:
                if solver.failed:
                    continue
                tell(f"{game.title}: {phase} of {solver.entry.title}")
                try:
                    solver.take(phase)
                except WorkerError as error:
                    solver.failed = True
                    reason = f"{phase}: {error}"
                    failures.append(Failure(solver.entry.name, game.name, reason))
        return [solver.measurement() for solver in running if solver.complete], failures
    finally:
        for solver in running:
            solver.session.close()


def _phases(plan: Plan) -> list[str]:
    return ["window"] * plan.rounds + ["check"] * 3 + ["times to targets"]


class _Running:
    """A solver in its process, and the measurements that were taken of it so far."""

    def __init__(self, entry: SolverEntry, game: BenchmarkGame, python: Path, plan: Plan) -> None:
        self.entry = entry
        self.session = WorkerSession(entry, game.name, python)
        self.failed = False
        self._game = game
        self._plan = plan
        self._rates: list[float] = []
        self._checks: list[float] = []
        self._reached: dict[str, dict[str, float]] = {}
        try:
            self._built = self.session.ask("build")
        except WorkerError:
            self.session.close()
            raise

    @property
    def complete(self) -> bool:
        """Whether there is something to show, if only without all times to targets."""
        return bool(self._checks)

    def take(self, phase: str) -> None:
        """Do the next measurement of this kind."""
        if phase == "window":
            self._take_window()
        elif phase == "check":
            self._take_check()
        else:
            self._take_targets()

    def measurement(self) -> Measurement:
        """Everything taken so far."""
        return Measurement(
            solver=self.entry.name,
            game=self._game.name,
            precision=self._built["precision"],
            versions=self._built["versions"],
            build_seconds=self._built["seconds"],
            rates=tuple(self._rates),
            check_seconds=median(self._checks),
            peak=self._solving["peak"],
            own_solving=self._solving["own"],
            own_checking=self._checking["own"],
            reached=self._reached,
            cap=self._plan.cap,
        )

    def _take_window(self) -> None:
        enough = bool(self._rates) and self._rates[-1] * self._plan.cap < FEWEST_ITERATIONS
        if enough:  # one iteration is longer than all windows should be together
            return
        done = self.session.ask("window", seconds=self._plan.window)
        self._rates.append(done["iterations"] / done["seconds"])

    def _take_check(self) -> None:
        if not self._checks:
            self._solving: dict[str, Any] = self.session.ask("memory")
        elif self._checks[0] > DEAR_CHECK:
            return
        self._checks.append(self.session.ask("usual_check", seconds=CHECKING)["seconds"])
        self._checking: dict[str, Any] = self.session.ask("memory")

    def _take_targets(self) -> None:
        peer = self.entry.needs_peer_environment
        if peer and self._game.large and not self._plan.large_everything:
            return
        if median(self._rates) * self._plan.cap < FEWEST_ITERATIONS:
            return
        algorithms = self._built["algorithms"]
        for algorithm in algorithms if self._plan.every_algorithm else algorithms[:1]:
            done = self.session.ask(
                "reach", algorithm=algorithm, targets=TARGETS, cap=self._plan.cap
            )
            self._reached[algorithm] = done["reached"]
