"""What a trainer has done and is doing, for people to watch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counted from the run's beginning."""

    nodes: int = 0
    walk_seconds: float = 0.0
    keep_seconds: float = 0.0  # for samples to find their places
    fit_seconds: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)
    root_value: float = 0.0
    doing: list[str] = field(default_factory=list)  # just now

    @contextmanager
    def while_doing(self, what: str) -> Iterator[None]:
        """For who looks on meanwhile."""
        self.doing.append(what)
        try:
            yield
        finally:
            self.doing.remove(what)
