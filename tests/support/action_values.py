"""Exact values of actions in a compiled game of two, by one pass over its histories."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fogtree import CHANCE, TERMINAL, GameTree


def exact_action_values(tree: GameTree, slots: NDArray[np.float64]) -> NDArray[np.float64]:
    """For every slot the value of its action to its player, given that its information set is
    reached, if all play by the strategy ``slots``; 0 where the others never lead there."""
    nodes = len(tree.parent)
    value, others = np.zeros((nodes, 2)), np.ones((nodes, 2))
    probability = np.ones(nodes)
    for node in range(1, nodes):  # parents come before their children
        parent = tree.parent[node]
        mover = tree.player[parent]
        others[node] = others[parent]
        if mover == CHANCE:
            probability[node] = tree.chance[node]
            others[node] *= probability[node]
        else:
            slot = tree.first_slot[tree.index[parent]] + tree.action[node]
            probability[node] = slots[slot]
            others[node, 1 - mover] *= probability[node]
    sums, weights = np.zeros(tree.slots), np.zeros(tree.slots)
    for node in range(nodes - 1, 0, -1):
        parent = tree.parent[node]
        mover = tree.player[parent]
        if tree.player[node] == TERMINAL:
            value[node] = tree.payoffs[tree.index[node]]
        value[parent] += probability[node] * value[node]
        if mover >= 0:
            slot = tree.first_slot[tree.index[parent]] + tree.action[node]
            sums[slot] += others[parent, mover] * value[node, mover]
            weights[slot] += others[parent, mover]
    return np.divide(sums, weights, out=np.zeros(tree.slots), where=weights > 0)
