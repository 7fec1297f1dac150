"""Counters and timers of a trainer, for progress reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class TrainingCounters:
    """Totals since the beginning of the run, and the present activities."""

    nodes: int = 0
    walk_seconds: float = 0.0
    keep_seconds: float = 0.0  # writing samples to the reservoirs
    fit_seconds: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)
    root_value: float = 0.0
    doing: list[str] = field(default_factory=list)  # present activities

    @contextmanager
    def while_doing(self, what: str) -> Iterator[None]:
        """List an activity in ``doing`` as long as the context lasts."""
        self.doing.append(what)
        try:
            yield
        finally:
            self.doing.remove(what)
