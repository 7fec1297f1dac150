"""The result of a solver's run."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from fogtree.results import Drawn, HasRows
from fogtree.runs.limits import Stopped
from fogtree.runs.progress import Check
from fogtree.solvers.recipes import Recipe
from fogtree.strategy import Strategy
from fogtree.text.amounts import duration, short_number


@dataclass(frozen=True, slots=True)
class SampledWork:
    """The work of a sampled run. ``nodes`` counts histories (chance, decisions and ends) as often
    as they were visited, ``infosets`` the information sets seen at least once, ``bytes`` the memory
    of the tables; ``constants`` are those that the sampler uses."""

    nodes: int
    infosets: int
    bytes: int
    workers: int
    batch: int
    seed: int
    backend: str
    constants: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run(Drawn, HasRows):
    """A finished (or interrupted) run. ``exploitability`` is that of ``strategy``: NashConv /
    players, exact and in double precision; ``values`` has every player's expected payoff under it,
    ``value`` is player 0's."""

    drawing: ClassVar[str] = "fogtree.report.notebook:run_html"

    game: str
    algorithm: str
    recipe: Recipe
    iterations: int
    exploitability: float
    nash_conv: float
    value: float
    values: tuple[float, ...]
    strategy: Strategy
    curve: tuple[Check, ...]
    seconds: float
    check_seconds: float
    compile_seconds: float
    stopped: Stopped
    precision: str
    threads: int
    device: str = "cpu"
    folder: Path | None = None
    sampled: SampledWork | None = None

    def __repr__(self) -> str:
        return (
            f"<Run {self.game}, {self.algorithm}: {self.iterations:,} iterations in "
            f"{duration(self.seconds)}, exploitability {short_number(self.exploitability)}, "
            f"value {short_number(self.value)}>"
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per measurement."""
        return [asdict(check) for check in self.curve]

    @property
    def iterations_per_second(self) -> float:
        """Iterations per second of solving time; NaN if there were none."""
        return self.iterations / self.seconds if self.seconds > 0 else math.nan

    def reached(self, exploitability: float) -> Check | None:
        """The first check at or below an exploitability; None if there is none."""
        return next((c for c in self.curve if c.exploitability <= exploitability), None)
