"""The search agent for compiled games: one player's tree, kept from move to move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import GameError, OptionError
from fogtree.game import TERMINAL
from fogtree.search.options import SearchOptions
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a move may cost; the first limit reached ends the search. With ``expanders`` = 0 one
    thread does everything, and a budget in steps or nodes is reproducible."""

    seconds: float = 0.0
    steps: int = 0
    nodes: int = 0
    expanders: int = 0

    def __post_init__(self) -> None:
        if not (self.seconds > 0 or self.steps > 0 or self.nodes > 0):
            raise OptionError("a search needs a budget: seconds, steps or nodes")
        if min(self.seconds, self.steps, self.nodes, self.expanders) < 0:
            raise OptionError("a search budget must not be negative")

    def native(self) -> _core.SearchBudget:
        return _core.SearchBudget(
            seconds=self.seconds, steps=self.steps, nodes=self.nodes, expanders=self.expanders
        )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action: as played, as the solver has it, its value in payoffs, how often it was tried."""

    action: str
    probability: float
    strategy: float
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What the agent would do, and why. ``p_max`` = 0 means that no information set of the opponent
    gains by the new strategy: it is safe."""

    action: str
    candidates: tuple[Candidate, ...]
    value: float
    p_max: float
    safe: bool
    belief_size: int
    nodes: int
    infosets: int
    iterations: int
    steps: int
    depth: int
    seconds: float
    bytes: int
    carried_nodes: int
    carried_infosets: int
    sampled: int
    cover: tuple[int, ...]

    @property
    def mix(self) -> dict[str, float]:
        return {c.action: c.probability for c in self.candidates}


def uniform_values(tree: GameTree) -> NDArray[np.float64]:
    """Player 0's value of every node if everybody played at random: the plainest leaf values."""
    slots = Strategy.uniform(tree).probabilities
    values = np.zeros(len(tree.parent))
    ends = tree.player == TERMINAL
    values[ends] = tree.payoffs[tree.index[ends], 0]
    share = np.array(tree.chance)
    decided = np.flatnonzero(tree.player[tree.parent[1:]] >= 0) + 1
    above = tree.parent[decided]
    share[decided] = slots[tree.first_slot[tree.index[above]] + tree.action[decided]]
    for node in range(len(tree.parent) - 1, 0, -1):
        values[tree.parent[node]] += share[node] * values[node]
    return values


class TreeSearchAgent:
    """Plays one side of a compiled two-player zero-sum game by search.

    Call :meth:`observe` with the information set you are at, then :meth:`act`.
    """

    def __init__(
        self,
        tree: GameTree,
        player: int,
        options: SearchOptions | None = None,
        leaf_values: NDArray[np.float64] | None = None,
    ) -> None:
        if tree.players != 2 or not tree.zero_sum:
            raise GameError(f"{tree.game} is not a two-player zero-sum game; it cannot be searched")
        if player not in (0, 1):
            raise OptionError(f"player must be 0 or 1, not {player}")
        self.tree = tree
        self.player = player
        self.options = options or SearchOptions()
        values = uniform_values(tree) if leaf_values is None else leaf_values
        self._scale = float(np.abs(tree.payoffs).max(initial=0.0)) or 1.0
        self._native = _core.TreeSearch(
            tree.flat, [float(v) for v in values], self.options.native(), player
        )
        self._at = ""

    def observe(self, infoset: str) -> None:
        """We are at this information set of ours now."""
        number = self.tree.infoset(infoset)
        if self.tree.infoset_player[number] != self.player:
            raise OptionError(f"'{infoset}' is an information set of the other player")
        self._native.know(self._view(number))
        self._at = infoset

    def act(self, budget: Budget) -> Decision:
        if not self._at:
            raise OptionError("observe an information set before acting")
        number = self.tree.infoset(self._at)
        labels = self.tree.infoset_labels[number]
        raw = self._native.decide(budget.native())
        rows = zip(
            raw["actions"],
            raw["probabilities"],
            raw["strategy"],
            raw["values"],
            raw["visits"],
            strict=True,
        )
        candidates = tuple(Candidate(labels[a], p, s, v * self._scale, n) for a, p, s, v, n in rows)
        if not candidates:  # the budget was too small to get here: nothing is known
            share = 1.0 / len(labels)
            candidates = tuple(Candidate(label, share, share, 0.0, 0) for label in labels)
        return Decision(
            action=labels[raw["action"]],
            candidates=candidates,
            value=raw["value"] * self._scale,
            p_max=raw["p_max"],
            safe=raw["safe"],
            belief_size=len(self._native.possible(self._view(number))),
            cover=tuple(raw["cover"]),
            **{
                name: raw[name]
                for name in (
                    "nodes",
                    "infosets",
                    "iterations",
                    "steps",
                    "depth",
                    "seconds",
                    "bytes",
                    "carried_nodes",
                    "carried_infosets",
                    "sampled",
                )
            },
        )

    def strategy(self, *, average: bool = False) -> Strategy:
        """Both players' strategies in the tree as it stands; uniform where it does not reach."""
        slots = np.array(Strategy.uniform(self.tree).probabilities)
        for number, mover in enumerate(self.tree.infoset_player):
            actions, last, mean = self._native.mix(self._view(number), int(mover))
            if actions:
                first = self.tree.first_slot[number]
                slots[first : first + len(actions)] = mean if average else last
        return Strategy.of(self.tree, slots)

    def choices(self) -> list[dict[str, float]]:
        """The opponent's information sets at the root: alternate values, margins, reach."""
        return [dict(row) for row in self._native.choices()]

    def _view(self, infoset: int) -> int:
        tree = self.tree
        here = (tree.index == infoset) & (tree.player == tree.infoset_player[infoset])
        return int(tree.view[int(np.argmax(here)), tree.infoset_player[infoset]])
