"""Reports of a training run: its present activity, every iteration, the finished run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from fogtree.deep.policy import Policy
from fogtree.deep.validator import Validation
from fogtree.deep.win_rates import WinRate
from fogtree.results import Drawn, HasRows
from fogtree.runs.limits import Stopped
from fogtree.strategy import Strategy
from fogtree.text.amounts import duration, short_number


@dataclass(frozen=True, slots=True)
class Activity:
    """The present activity of a run, in an iteration that began ``seconds`` ago.

    ``asked``: the request to stop that the run will follow after the iteration.
    """

    iteration: int
    doing: str
    seconds: float
    asked: Stopped | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """One iteration. ``seconds`` is the training time so far, without evaluations."""

    iteration: int
    seconds: float
    nodes: int
    nodes_per_second: float  # of this iteration's walks
    losses: dict[str, float]
    filled: dict[str, float]  # share of each reservoir that holds samples
    bytes: int  # of the reservoirs
    root_value: float  # of player 0, estimated in the walks
    validation: Validation | None = None
    exploitability: float | None = None  # of the average strategy
    win_rates: dict[str, WinRate] = field(default_factory=dict)  # of the average strategy
    latest: dict[str, WinRate] = field(default_factory=dict)  # of the last iteration's strategy
    left_seconds: float | None = None

    def line(self) -> dict[str, Any]:
        """The report as a JSON object, without fields that were not measured."""
        out = {key: value for key, value in asdict(self).items() if value not in (None, {})}
        out.pop("left_seconds", None)
        return out


@dataclass(frozen=True, eq=False)
class TrainingRun(Drawn, HasRows):
    """A finished or interrupted run; ``strategy`` and ``exploitability`` are None if the game was
    not compiled."""

    drawing: ClassVar[str] = "fogtree.report.notebook:training_html"

    game: str
    iterations: int
    seconds: float
    nodes: int
    stopped: Stopped
    policy: Policy
    reports: tuple[Report, ...]
    strategy: Strategy | None
    exploitability: float | None
    folder: Path | None

    def __repr__(self) -> str:
        measured = self.exploitability
        found = "" if measured is None else f", exploitability {short_number(measured)}"
        time = duration(self.seconds)
        return f"<TrainingRun {self.game}: {self.iterations:,} iterations in {time}{found}>"

    def rows(self) -> list[dict[str, Any]]:
        """One row per iteration; a number in a nested table has a name like ``losses.regret0``."""
        return [_flat(report.line()) for report in self.reports]


def _flat(line: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested mappings as one, with names such as ``validation.depth``."""
    out: dict[str, Any] = {}
    for key, value in line.items():
        name = f"{prefix}{key}"
        out |= _flat(value, f"{name}.") if isinstance(value, Mapping) else {name: value}
    return out
