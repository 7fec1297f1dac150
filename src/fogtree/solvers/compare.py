"""Comparison of algorithms on one game: how fast each approaches an equilibrium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from fogtree.errors import OptionError
from fogtree.results import Drawn, HasRows
from fogtree.runs.limits import DEFAULT_ITERATIONS
from fogtree.runs.progress import Check, Pulse
from fogtree.solvers.nearest_equilibrium import EquilibriumSet, NearestEquilibrium
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.run import Run
from fogtree.solvers.solvable import not_solvable
from fogtree.solvers.solve import solve
from fogtree.text.amounts import short_number
from fogtree.text.choices import Precision
from fogtree.tree import AnyGame, GameTree, compile

TARGETS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""Exploitabilities for which the time to reach them is reported."""

CHECKS_PER_DOUBLING = 16
"""Measurements while iterations double: 16 find the iteration of a target to within 5 %."""

LARGEST_PROGRAM = 20_000
"""Most payoffs in the sequence form for which distances are measured by default; in larger games
the linear programs take longer than most comparisons."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """The first check at or below the exploitability ``target``; ``None`` if there is none."""

    target: float
    iteration: int | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Contender:
    """The run of one algorithm; ``nearest`` is ``None`` if distances were not measured."""

    run: Run
    milestones: tuple[Milestone, ...]
    nearest: NearestEquilibrium | None


@dataclass(frozen=True, slots=True)
class Comparison(Drawn, HasRows):
    """The runs of several algorithms on one game. ``value`` is the game's exact value for player 0,
    where distances were measured."""

    drawing: ClassVar[str] = "fogtree.report.notebook:comparison_html"

    game: str
    iterations: int
    contenders: tuple[Contender, ...]
    value: float | None
    interrupted: bool

    def __repr__(self) -> str:
        runs = [contender.run for contender in self.contenders]
        found = ", ".join(f"{run.algorithm} {short_number(run.exploitability)}" for run in runs)
        return f"<Comparison {self.game}, exploitability after {self.iterations:,}: {found}>"

    def rows(self) -> list[dict[str, Any]]:
        """One row per algorithm and measurement."""
        return [
            {"algorithm": contender.run.algorithm, **row}
            for contender in self.contenders
            for row in contender.run.rows()
        ]


def check_different(rows: Sequence[Recipe]) -> None:
    """Refuse an empty list and two algorithms with the same name."""
    names = [row.name for row in rows]
    if not names:
        raise OptionError("name at least one algorithm to compare")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise OptionError(f"algorithm '{twice}' is there twice: each may be compared only once")


def compare(
    game: AnyGame,
    algorithms: Sequence[str | Recipe],
    *,
    iterations: int = DEFAULT_ITERATIONS,
    distances: bool | None = None,
    precision: Precision = "float64",
    threads: int = 1,
    progress: Callable[[str, Check], None] | None = None,
    pulse: Callable[[str, Pulse], None] | None = None,
) -> Comparison:
    """Run each algorithm for the same number of iterations and measure it often on the way.

    ``distances`` asks for the nearest equilibrium of every answer (default: where the game is
    two-player, of zero or constant sum, and small enough). Ctrl-C ends the comparison after the
    answer so far. ``progress`` is called with an algorithm's name and every measurement, ``pulse``
    many times a second with its name and where it is.

    >>> import fogtree
    >>> found = fogtree.compare("kuhn_poker", ["cfr", "cfr+"], iterations=100)
    >>> [contender.run.algorithm for contender in found.contenders]
    ['cfr', 'cfr+']
    """
    rows = [recipe(algorithm) for algorithm in algorithms]
    check_different(rows)
    tree = compile(game)
    if distances is None:
        distances = measurable(tree)
    equilibria = EquilibriumSet(tree) if distances else None
    contenders: list[Contender] = []
    for row in rows:
        run = solve(
            tree,
            row,
            iterations=iterations,
            every=_next_check,
            precision=precision,
            threads=threads,
            progress=None if progress is None else partial(progress, row.name),
            pulse=None if pulse is None else partial(pulse, row.name),
        )
        nearest = equilibria.nearest(run.strategy) if equilibria else None
        contenders.append(Contender(run, milestones(run), nearest))
        if run.stopped == "interrupted":
            break
    interrupted = contenders[-1].run.stopped == "interrupted"
    value = equilibria.values[0] if equilibria else None
    return Comparison(tree.game, iterations, tuple(contenders), value, interrupted)


def measurable(tree: GameTree) -> bool:
    """Whether the distance to the nearest equilibrium can be computed, and quickly: in small
    two-player games of zero or constant sum."""
    return not_solvable(tree) is None and tree.full_form.nonzeros <= LARGEST_PROGRAM


def milestones(run: Run) -> tuple[Milestone, ...]:
    """The first check at or below each of the targets."""
    out = []
    for target in TARGETS:
        check = run.reached(target)
        out.append(
            Milestone(target, check.iteration, check.seconds)
            if check
            else Milestone(target, None, None)
        )
    return tuple(out)


def _next_check(iteration: int) -> int:
    """The iteration of the next measurement; they grow by a constant factor."""
    return int(iteration * 2 ** (1 / CHECKS_PER_DOUBLING)) + 1
