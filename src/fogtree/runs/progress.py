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


@dataclass(frozen=True, slots=True)
class Pulse:
    """Where a solver is at one moment. ``seconds`` is solving time; sampled runs also count the
    histories and information sets visited and the memory of their tables."""

    iteration: int
    seconds: float
    nodes: int = 0
    infosets: int = 0
    bytes: int = 0


@dataclass(slots=True)
class Progress:
    """Solving time, checking time and the measurements of a run so far."""

    seconds: float = 0.0
    check_seconds: float = 0.0
    curve: list[Check] = field(default_factory=list)
