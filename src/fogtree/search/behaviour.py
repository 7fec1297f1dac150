"""What the search agent would do everywhere: its behaviour strategy, written out in full.

At every information set of a game an agent is led there from the start, searching at each decision
on the way with the same seed and budget, and its mix is noted. The result is an ordinary strategy
whose exploitability is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from fogtree.search.agent import Budget, TreeSearchAgent, uniform_values
from fogtree.search.options import SearchOptions
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


def behaviour(
    tree: GameTree,
    options: SearchOptions,
    budget: Budget,
    progress: Callable[[int, int], None] | None = None,
) -> Strategy:
    """The agent's strategy for both sides."""
    slots = np.array(Strategy.uniform(tree).probabilities)
    values = uniform_values(tree)
    paths = own_paths(tree)
    # A decision depends on the path to it alone, so one walk serves every information set on it.
    done: set[int] = set()
    for number in sorted(range(len(paths)), key=lambda n: -len(paths[n])):
        path = [*paths[number], number]
        if number in done:
            continue
        player = int(tree.infoset_player[number])
        agent = TreeSearchAgent(tree, player, replace(options), values)
        for step in path:
            agent.observe(tree.infoset_names[step])
            decision = agent.act(budget)
            mix = decision.mix
            first = tree.first_slot[step]
            labels = tree.infoset_labels[step]
            slots[first : first + len(labels)] = [mix.get(label, 0.0) for label in labels]
            done.add(step)
        if progress is not None:
            progress(len(done), len(paths))
    return Strategy.of(tree, slots)


def own_paths(tree: GameTree) -> list[list[int]]:
    """For every information set: its mover's earlier ones on the way there."""
    paths: list[list[int] | None] = [None] * len(tree.infoset_names)
    for node in np.flatnonzero(tree.player >= 0):
        number = int(tree.index[node])
        if paths[number] is None:
            paths[number] = list(_own_decisions(tree, int(node)))[::-1]
    return [path or [] for path in paths]


def _own_decisions(tree: GameTree, node: int) -> Iterator[int]:
    player = tree.player[node]
    node = int(tree.parent[node])
    while node >= 0:
        if tree.player[node] == player:
            yield int(tree.index[node])
        node = int(tree.parent[node])
