"""Local best response: a lower bound on what a strategy loses, found by looking one move ahead.

V. Lisý, M. Bowling, "Equilibrium approximation quality of current no-limit poker bots", AAAI
workshop on computer poker and imperfect information games, 2017. At each decision the responder
knows how likely every history is, given the other players' strategies, and takes the action that
is worth most if it plays on by a fixed rule.
*Deviations:* the rule is not to check and call to the end, which only poker knows, but the measured
strategy itself or any other strategy; beliefs are exact, so this is for compiled games.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import OptionError
from fogtree.evaluate.best_response import measuring_engine
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LocalBestResponse:
    """The strategy with one player's part replaced, and that player's expected payoff."""

    player: int
    value: float
    strategy: Strategy


def local_best_response(
    tree: GameTree, strategy: Strategy, player: int, *, then: Strategy | None = None
) -> LocalBestResponse:
    """A pure strategy of ``player`` that takes, at every information set, the action that is best
    if the player follows ``then`` afterwards (default: ``strategy``) and the others ``strategy``.

    The value is never above the best response's and, with the default, never below what the
    strategy gets against itself.
    """
    if not 0 <= player < tree.players:
        raise OptionError(f"{tree.game} has players 0 to {tree.players - 1}, not {player}")
    fixed = strategy.for_tree(tree)
    mine = tree.infoset_player[tree.slot_infoset] == player
    rule = fixed if then is None else np.where(mine, then.for_tree(tree), fixed)
    worth = action_values(tree, rule, player)
    answer = np.array(fixed)
    for infoset in np.flatnonzero(tree.infoset_player == player).tolist():
        first, last = tree.first_slot[infoset], tree.first_slot[infoset + 1]
        answer[first:last] = 0.0
        answer[first + int(worth[first:last].argmax())] = 1.0
    engine = measuring_engine(tree)
    engine.set_strategy(answer)
    values, _ = engine.evaluate()
    return LocalBestResponse(player, float(values[player]), Strategy.of(tree, answer))


def action_values(tree: GameTree, slots: Numbers, player: int) -> Numbers:
    """Per slot of the player: the action's value if all play ``slots`` after it, with histories
    weighted by the reach of chance and the other players."""
    probability = _edges(tree, slots)
    others = np.where(_movers(tree) == player, 1.0, probability)
    reach, value = np.ones(len(tree.parent)), np.zeros(len(tree.parent))
    ends = np.flatnonzero(tree.player == -2)
    value[ends] = tree.payoffs[tree.index[ends], player]
    levels = _levels(tree)
    for nodes in levels[1:]:
        reach[nodes] = reach[tree.parent[nodes]] * others[nodes]
    for nodes in reversed(levels[1:]):
        np.add.at(value, tree.parent[nodes], probability[nodes] * value[nodes])
    chosen = np.flatnonzero(_movers(tree) == player)
    weights = reach[tree.parent[chosen]] * value[chosen]
    out: Numbers = np.zeros(tree.slots)
    np.add.at(out, _slots(tree, chosen), weights)
    return out


def _movers(tree: GameTree) -> NDArray[np.int64]:
    """The player whose action led to each node; -3 for the root."""
    movers: NDArray[np.int64] = tree.player[tree.parent].astype(np.int64)
    movers[0] = -3
    return movers


def _slots(tree: GameTree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The slots of the actions that lead to these nodes."""
    above = tree.parent[nodes]
    out: NDArray[np.int64] = tree.first_slot[tree.index[above]] + tree.action[nodes]
    return out


def _edges(tree: GameTree, slots: Numbers) -> Numbers:
    """For each node, the probability of the action or outcome that leads to it from its parent."""
    out = np.array(tree.chance, dtype=np.float64)
    decided = np.flatnonzero(_movers(tree) >= 0)
    out[decided] = slots[_slots(tree, decided)]
    return out


def _levels(tree: GameTree) -> list[NDArray[np.int64]]:
    """Nodes by their distance from the root."""
    depth = np.zeros(len(tree.parent), dtype=np.int64)
    for node, above in enumerate(tree.parent.tolist()):
        if above >= 0:
            depth[node] = depth[above] + 1
    order = np.argsort(depth, kind="stable")
    return list(np.split(order, np.cumsum(np.bincount(depth))[:-1]))


__all__ = ["LocalBestResponse", "local_best_response"]
