"""Reaches and values of one traversal of a tree, with chance as given.

The rule is counterfactual regret's: Zinkevich et al., "Regret minimization in games with incomplete
information" (2007), equations 4 to 7. Deviations: chance can be fixed to a deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fogtree.game import CHANCE, TERMINAL
from fogtree.tree import GameTree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sweep:
    """The numbers of one traversal. Per information set: the mover's own reach, and the reach of
    everybody else, chance included. Per slot: the action's counterfactual utility, and its value
    given that play gets there. Where the others' reach is 0, histories are weighted by chance
    alone."""

    own_reach: Floats
    opponent_reach: Floats
    utility: Floats
    value: Floats


class Walker:
    """A tree with the arrays that a traversal needs, computed once."""

    def __init__(self, tree: GameTree) -> None:
        """Find for every node who moved into it, and the slot of that action (-1: a chance
        outcome)."""
        self.tree = tree
        above = tree.parent[1:]
        self.mover = np.full(len(tree.parent), CHANCE, dtype=np.int64)
        self.mover[1:] = tree.player[above]
        self.slot = np.full(len(tree.parent), -1, dtype=np.int64)
        decided = np.flatnonzero(self.mover >= 0)
        infosets = tree.index[tree.parent[decided]]
        self.slot[decided] = tree.first_slot[infosets] + tree.action[decided]

    @cached_property
    def levels(self) -> list[Integers]:
        """Nodes by their distance from the root, without the root."""
        depth = [0] * len(self.tree.parent)
        for node, parent in enumerate(self.tree.parent.tolist()):
            if parent >= 0:
                depth[node] = depth[parent] + 1
        order = np.argsort(np.array(depth), kind="stable")
        cuts = np.cumsum(np.bincount(depth))
        return np.split(order, cuts[:-1])[1:]

    @cached_property
    def _children(self) -> tuple[Integers, Integers]:
        """Nodes ordered by their parents, and where in this order the children of each node
        begin."""
        parent = self.tree.parent
        order: Integers = np.argsort(parent, kind="stable")
        return order, np.searchsorted(parent[order], np.arange(len(parent) + 1))

    def below(self, node: int) -> list[int]:
        """The children of a node."""
        order, first = self._children
        return [int(child) for child in order[first[node] : first[node + 1]]]

    @cached_property
    def _decisions(self) -> tuple[Integers, Integers]:
        """Nodes ordered by information set, and where in this order those of each information set
        begin."""
        infoset = np.where(self.tree.player >= 0, self.tree.index, -1)
        order: Integers = np.argsort(infoset, kind="stable")
        sets = np.arange(len(self.tree.infoset_names) + 1)
        return order, np.searchsorted(infoset[order], sets)

    def histories(self, infoset: int) -> list[int]:
        """The nodes of an information set."""
        order, first = self._decisions
        return [int(node) for node in order[first[infoset] : first[infoset + 1]]]

    def edges(self, strategy: Floats, chance: Floats) -> Floats:
        """The probability of every node given its parent: of the action in ``strategy`` (an array
        over slots), or of the outcome in ``chance`` (an array over nodes)."""
        decided = self.slot >= 0
        edge = np.array(chance)
        edge[decided] = strategy[self.slot[decided]]
        return edge

    def reach(self, edge: Floats) -> Floats:
        """For every node the product of the ``edge`` probabilities on the path from the root."""
        out = np.ones(len(edge))
        for level in self.levels:
            out[level] = out[self.tree.parent[level]] * edge[level]
        return out

    def values(self, edge: Floats) -> Floats:
        """The expected payoffs at every node, given the ``edge`` probabilities: one row per node,
        one column per player."""
        tree = self.tree
        out = np.zeros((len(edge), tree.players))
        ends = tree.player == TERMINAL
        out[ends] = tree.payoffs[tree.index[ends]]
        for level in reversed(self.levels):
            np.add.at(out, tree.parent[level], edge[level, None] * out[level])
        return out

    def sweep(self, strategy: Floats, chance: Floats) -> Sweep:
        """One traversal: the reaches and values of a strategy, which is an array over slots.
        ``chance`` has a probability for every node, which counts below chance nodes."""
        tree = self.tree
        edge = self.edges(strategy, chance)
        worth = self.values(edge)
        dealt = self.reach(np.where(self.slot >= 0, 1.0, chance))
        own, others, by_chance = (np.zeros(len(tree.infoset_names)) for _ in range(3))
        utility, fallback = np.zeros(tree.slots), np.zeros(tree.slots)
        for player in range(tree.players):
            mine = self.mover == player
            alone = self.reach(np.where(mine, edge, 1.0))
            without = self.reach(np.where(mine, 1.0, edge))
            here = np.flatnonzero(tree.player == player)
            own[tree.index[here]] = alone[here]
            np.add.at(others, tree.index[here], without[here])
            np.add.at(by_chance, tree.index[here], dealt[here])
            after = np.flatnonzero(mine)
            gain, parent = worth[after, player], tree.parent[after]
            np.add.at(utility, self.slot[after], without[parent] * gain)
            np.add.at(fallback, self.slot[after], dealt[parent] * gain)
        come = (others > 0)[tree.slot_infoset]
        total = np.where(others > 0, others, np.where(by_chance > 0, by_chance, 1.0))
        value = np.where(come, utility, fallback) / total[tree.slot_infoset]
        return Sweep(own, others, utility, value)
