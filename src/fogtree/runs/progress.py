"""How far a run is, and how good its answer was on the way."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Check:
    """One measurement of the answer. ``seconds`` is solving time without checks; ``nodes`` is the
    number of histories visited, 0 where they are not counted."""

    iteration: int
    seconds: float
    exploitability: float
    value: float
    nodes: int = 0


@dataclass(slots=True)
class Progress:
    """Solving time, checking time and the measurements of a run so far."""

    seconds: float = 0.0
    check_seconds: float = 0.0
    curve: list[Check] = field(default_factory=list)

    def measured(self, iteration: int) -> bool:
        """Whether the last measurement was made at this iteration."""
        return bool(self.curve) and self.curve[-1].iteration == iteration
