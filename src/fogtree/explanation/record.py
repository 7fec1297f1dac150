"""The records of an explanation: one step per information set and iteration."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from typing import Any

from fogtree.explanation.sweep import Floats
from fogtree.registry import resolve
from fogtree.solvers.recipes import Recipe

END = "(end)"
"""Stands for the end of the game where a step names what follows an action."""
EVENT = "(chance)"
"""Stands for a chance event there."""
SHOWN_STEPS = 24
"""Steps that a notebook shows."""
FEWEST_STEPS = 12
"""Least number of steps shown of an iteration; with less room, fewer iterations are shown."""


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
    average_strategy: tuple[float, ...]  # the algorithm's answer after this iteration
    scale: float | None = None  # NormalHedge's c; 0 if no regret is positive
    rate: float | None = None  # Hedge's learning rate
    # What all players played in the traversal that this step is from, over the tree's slots.
    profile: Floats | None = field(default=None, compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The step as data for JSON; ``scale`` and ``rate`` only if the algorithm has them."""
        found = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}
        optional = {"scale", "rate"}
        return {k: v for k, v in found.items() if v is not None or k not in optional}


@dataclass(frozen=True, slots=True)
class Explanation:
    """An algorithm's iterations on one game, step by step, in the order of play."""

    game: str
    players: int
    recipe: Recipe
    deals: tuple[str, ...]  # one per iteration; empty if every iteration is over the whole game
    steps: tuple[Step, ...]
    left_out: int = 0  # number of steps not shown
    # The algorithm's answer after each iteration, over the tree's slots.
    averages: tuple[Floats, ...] = field(default=(), compare=False, repr=False)
    # The own reach of every action in each iteration, over the tree's slots.
    reaches: tuple[Floats, ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        return f"<Explanation {self.game}, {self.algorithm}: {len(self.steps):,} steps>"

    def _repr_markdown_(self) -> str:
        """Called by notebooks: the first steps as Markdown."""
        text: str = resolve("fogtree.explanation.markdown:markdown")(self.shortened(SHOWN_STEPS))
        return text

    @property
    def algorithm(self) -> str:
        return self.recipe.name

    def by_iteration(self) -> tuple[tuple[Step, ...], ...]:
        """The steps, grouped by iteration."""
        groups = groupby(self.steps, key=lambda step: step.iteration)
        return tuple(tuple(steps) for _, steps in groups)

    def shortened(self, most: int) -> Explanation:
        """The explanation with at most ``most`` steps: in the first iterations those with the
        largest reach. The number of steps left out is in ``left_out``."""
        if len(self.steps) <= most:
            return self
        iterations = self.by_iteration()
        each = min(most, max(FEWEST_STEPS, most // len(iterations)))
        kept: list[Step] = []
        for steps in iterations[: most // each]:
            likely = sorted(steps, key=lambda step: -step.own_reach * step.opponent_reach)[:each]
            chosen = {id(step) for step in likely}
            kept += [step for step in steps if id(step) in chosen]
        left = self.left_out + len(self.steps) - len(kept)
        return replace(self, steps=tuple(kept), left_out=left)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as data for JSON; ``iterations`` is the flat list of steps."""
        return {
            "game": self.game,
            "algorithm": self.algorithm,
            "deals": list(self.deals) or None,
            "iterations": [step.to_dict() for step in self.steps],
        }
