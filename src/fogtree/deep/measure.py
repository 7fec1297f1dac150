"""Networks as strategies over the information sets of a compiled game, and their average.

E. Steinberger, "Single deep counterfactual regret minimization", 2019: the average of stored
networks weights each strategy by its player's own reach.
*Deviations:* none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.network import Network, regret_matching, softmax
from fogtree.deep.walkable import TreeGame
from fogtree.strategy import Strategy
from fogtree.strategy.mixes import mixes_of
from fogtree.tree import GameTree

Slots = NDArray[np.float64]
_AT_ONCE = 1 << 14  # information sets per forward pass


def network_strategy(
    game: TreeGame, networks: Sequence[Network], *, mix: bool, uniform: bool = False
) -> Strategy:
    """The strategy that networks, one per player, play. ``mix``: their outputs are logarithms of
    probabilities, not regrets. ``uniform``: where no regret is positive play uniformly, instead of
    the best action."""
    tree = game.tree
    slots = np.zeros(tree.slots)
    for player, network in enumerate(networks):
        mine = np.flatnonzero(tree.infoset_player == player)
        for first in range(0, len(mine), _AT_ONCE):
            part = mine[first : first + _AT_ONCE]
            outputs = network.forward(game.rows.dense(part))
            for count in np.unique(tree.infoset_actions[part]).tolist():
                same = np.flatnonzero(tree.infoset_actions[part] == count)
                places = tree.first_slot[part[same], None] + np.arange(count)
                legal = outputs[same[:, None], game.encoding.column[places]]
                slots[places] = softmax(legal) if mix else regret_matching(legal, uniform=uniform)
    return Strategy.of(tree, slots)


class RunningAverage:
    """The weighted average of strategies added one after the other; none of their networks has to
    be stored."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.sums: Slots = np.zeros(tree.slots)
        self._levels = own_levels(tree)

    def add(self, strategy: Strategy, weight: float) -> None:
        """Add a strategy with a weight; each information set counts by the player's own reach."""
        slots = strategy.for_tree(self.tree)
        reach = own_reach(self.tree, self._levels, slots)
        self.sums += weight * reach[self.tree.slot_infoset] * slots

    def strategy(self) -> Strategy:
        """The average of the strategies added so far; uniform where none of them gets."""
        return Strategy.of(self.tree, mixes_of(self.sums, self.tree.infoset_actions))


@dataclass(frozen=True, eq=False)
class Level:
    """The information sets after a certain number of own actions, and the slot of the last of these
    actions for each."""

    infosets: NDArray[np.int64]
    slots: NDArray[np.int64]


def own_levels(tree: GameTree) -> list[Level]:
    """The information sets by the number of own actions before them; those without any are left
    out."""
    before = _sequence_before(tree)
    depth = np.zeros(len(before), dtype=np.int64)
    at = before
    while (there := at >= 0).any():
        depth += there
        at = np.where(there, before[tree.slot_infoset[np.maximum(at, 0)]], -1)
    numbers = [np.flatnonzero(depth == level) for level in range(1, int(depth.max(initial=0)) + 1)]
    return [Level(infosets, before[infosets]) for infosets in numbers]


def _sequence_before(tree: GameTree) -> NDArray[np.int64]:
    """For every information set the slot of its player's last action before it; -1: none."""
    parent, mover = tree.parent.astype(np.int64), tree.player
    here = np.flatnonzero(mover >= 0)
    first = np.zeros(len(tree.infoset_names), dtype=np.int64)
    first[tree.index[here[::-1]]] = here[::-1]  # the first node of each information set
    before = np.full(len(first), -1, dtype=np.int64)
    node, above = first, parent[first]
    while (open_ := np.flatnonzero(above >= 0)).size:
        own = open_[mover[above[open_]] == tree.infoset_player[open_]]
        before[own] = tree.first_slot[tree.index[above[own]]] + tree.action[node[own]]
        node = np.where(above >= 0, above, node)
        above = np.where(above >= 0, parent[node], -1)
        above[own] = -1
    return before


def own_reach(tree: GameTree, levels: Sequence[Level], slots: Slots) -> Slots:
    """For every information set the probability that its player's own actions lead there."""
    reach = np.ones(len(tree.infoset_names))
    for level in levels:
        reach[level.infosets] = reach[tree.slot_infoset[level.slots]] * slots[level.slots]
    return reach
