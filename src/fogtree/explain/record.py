"""What an explanation consists of: steps, one per information set and iteration."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from fogtree.solvers.recipes import Recipe

END = "(end)"
EVENT = "(chance)"


@dataclass(frozen=True, slots=True)
class Step:
    """One information set in one iteration; tuples of numbers have one per action.

    ``values`` are the mover's, given that play is here. ``regret`` is the iteration's own,
    ``opponent_reach * (value - expected_value)``; the cumulative one is after the algorithm's rule
    (discount, truncation). ``weights`` are the next strategy before it is made to sum to 1.
    """

    iteration: int
    deal: str | None
    infoset: str
    player: int
    actions: tuple[str, ...]
    moves: tuple[str, ...] | None  # the players' moves that lead here, if there is only one way
    histories: int  # how many histories the mover cannot tell apart, of those that can occur
    leads_to: tuple[tuple[str, ...], ...]  # per action: information sets, END or EVENT
    own_reach: float
    opponent_reach: float
    strategy: tuple[float, ...]
    values: tuple[float, ...]
    expected_value: float
    regret: tuple[float, ...]
    previous_regret: tuple[float, ...]
    cumulative_regret: tuple[float, ...]
    weights: tuple[float, ...]
    next_strategy: tuple[float, ...]
    scale: float | None = None  # NormalHedge's c; 0 if no regret is positive
    rate: float | None = None  # Hedge's learning rate

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``scale`` and ``rate`` only where the algorithm has them."""
        optional = {"scale", "rate"}
        return {k: v for k, v in asdict(self).items() if v is not None or k not in optional}


@dataclass(frozen=True, slots=True)
class Explanation:
    """An algorithm's iterations on one game, step by step, in the order of play."""

    game: str
    players: int
    recipe: Recipe
    deals: tuple[str, ...]  # one per iteration; empty if every iteration is over the whole game
    steps: tuple[Step, ...]

    @property
    def algorithm(self) -> str:
        return self.recipe.name

    def by_iteration(self) -> tuple[tuple[Step, ...], ...]:
        """The steps of each iteration."""
        groups = groupby(self.steps, key=lambda step: step.iteration)
        return tuple(tuple(steps) for _, steps in groups)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: ``iterations`` is the flat list of steps."""
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "deals": list(self.deals) or None,
            "iterations": [step.to_dict() for step in self.steps],
        }
