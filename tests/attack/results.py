"""What has been done of every part, over all runs with one folder, beside what is required."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.attack.part import Part

NAME = "results.json"


@dataclass
class Score:
    """What has been done of one part."""

    cases: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    """Seconds of processor time."""
    slowest: tuple[float, int] = (0.0, 0)
    """Seconds and seed of the slowest case."""
    next: int = 0
    """No seed from this one on has been used."""

    @property
    def counted(self) -> int:
        """Outcomes, of which a case has one, several or none, and findings."""
        return sum(self.outcomes.values()) + self.findings

    def add(self, report: dict[str, Any]) -> None:
        """Count one case."""
        self.cases += 1
        self.outcomes.update(report["outcomes"])
        self.findings += report["finding"] is not None
        self.seconds += report["seconds"]
        self.processor += report["processor"]
        self.slowest = max(self.slowest, (report["seconds"], report["seed"]))

    def line(self, part: Part) -> str:
        """The counts in one line."""
        outcomes = ", ".join(f"{what} {n:,}" for what, n in self.outcomes.most_common())
        missing = max(0, part.required - self.counted)
        of = f" of {part.required:,} required" if part.required else ""
        short = f" ({missing:,} missing)" if missing else ""
        return (
            f"{part.name}: {self.counted:,}{of}{short}, {self.findings} findings; "
            f"{self.cases:,} cases: {outcomes or 'none'}; "
            f"{self.seconds:,.0f} s ({self.processor:,.0f} of processor time), "
            f"slowest {self.slowest[0]:.1f} s, seed {self.slowest[1]}; "
            f"next seed {self.next}"
        )


class Results:
    """The scores of all parts in a file, to which every run with the same folder adds its own."""

    def __init__(self, folder: Path, parts: Sequence[Part]) -> None:
        self._path, self._parts = folder / NAME, parts
        self._others: dict[str, Any] = {}
        if self._path.exists():
            self._others = json.loads(self._path.read_text())
        self.scores = {part.name: _read(self._others.get(part.name)) for part in parts}

    def save(self) -> None:
        """Write the file; it is whole at any moment."""
        found = self._others | {name: vars(score) for name, score in self.scores.items()}
        beside = self._path.with_suffix(".part")
        beside.write_text(json.dumps(found, indent=1) + "\n")
        beside.replace(self._path)

    def summary(self) -> str:
        """A line for each part, over all runs."""
        return "\n".join(self.scores[part.name].line(part) for part in self._parts)


def _read(found: dict[str, Any] | None) -> Score:
    if found is None:
        return Score()
    outcomes, slowest = Counter(found["outcomes"]), tuple(found["slowest"])
    return Score(**{**found, "outcomes": outcomes, "slowest": slowest})
