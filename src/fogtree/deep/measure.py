"""How good networks are on a compiled game: exactly, as strategies over its information sets.

E. Steinberger, "Single deep counterfactual regret minimization", 2019: the average of stored
networks is one of strategies weighted by what their own player contributes to being there.
*Deviations:* none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.games import TreeGame
from fogtree.deep.network import Network, regret_matching, softmax
from fogtree.evaluate.best_response import Exploitability, exploitability
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

Slots = NDArray[np.float64]


def network_strategy(
    game: TreeGame, networks: Sequence[Network], *, mix: bool, uniform: bool = False
) -> Strategy:
    """What the networks (one per player) play. ``mix``: they were fitted to mixes, not regrets."""
    tree = game.tree
    slots = np.zeros(tree.slots)
    for player, network in enumerate(networks):
        mine = np.flatnonzero(tree.infoset_player == player)
        outputs = network.forward(game.features[mine])
        for row, infoset in zip(outputs, mine.tolist(), strict=True):
            first, last = tree.first_slot[infoset], tree.first_slot[infoset + 1]
            legal = row[game.encoding.column[first:last]]
            slots[first:last] = softmax(legal) if mix else regret_matching(legal, uniform=uniform)
    return Strategy.of(tree, slots)


def network_exploitability(
    game: TreeGame, networks: Sequence[Network], *, mix: bool, uniform: bool = False
) -> Exploitability:
    """Exact, over the whole game."""
    return exploitability(game.tree, network_strategy(game, networks, mix=mix, uniform=uniform))


class RunningAverage:
    """The exact average of strategies, each weighted, as if the networks were all kept."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.sums: Slots = np.zeros(tree.slots)
        self._before = _sequence_before(tree)

    def add(self, strategy: Strategy, weight: float) -> None:
        slots = strategy.for_tree(self.tree)
        reach = own_reach(self.tree, self._before, slots)
        self.sums += weight * reach[self.tree.slot_infoset] * slots

    def strategy(self) -> Strategy:
        tree = self.tree
        totals = np.bincount(tree.slot_infoset, self.sums, minlength=len(tree.infoset_names))
        total = totals[tree.slot_infoset]
        uniform = Strategy.uniform(tree).probabilities
        return Strategy.of(
            tree, np.where(total > 0, self.sums / np.where(total > 0, total, 1), uniform)
        )


def _sequence_before(tree: GameTree) -> NDArray[np.int64]:
    """Per information set the slot of its player's last own action before it; -1: none."""
    last = np.full((len(tree.parent), tree.players), -1, dtype=np.int64)
    before = np.full(len(tree.infoset_names), -1, dtype=np.int64)
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            last[node] = last[above]
            mover = int(tree.player[above])
            if mover >= 0:
                last[node, mover] = tree.first_slot[tree.index[above]] + tree.action[node]
        here = int(tree.player[node])
        if here >= 0:
            before[tree.index[node]] = last[node, here]
    return before


def own_reach(tree: GameTree, before: NDArray[np.int64], slots: Slots) -> Slots:
    """Per information set: how likely its player's own choices lead there."""
    reach = np.ones(len(before))
    for infoset, slot in enumerate(before.tolist()):  # earlier sets have lower numbers
        if slot >= 0:
            reach[infoset] = reach[tree.slot_infoset[slot]] * slots[slot]
    return reach
