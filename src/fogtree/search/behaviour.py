"""What the search agent would do everywhere: its behaviour strategy, written out in full.

At every information set of a game an agent is led there from the start, searching at each decision
on the way with the same seed and budget, and its mix is noted. A decision depends on the path to it
alone, so agents that go different ways share what they searched before they parted. The result is
an ordinary strategy whose exploitability is exact.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.search.agent import TreeSearchAgent, own_steps, uniform_values
from fogtree.search.options import SearchOptions
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

Mixes = dict[int, list[float]]
"""Information set -> the probability of each of its actions."""


def behaviour(
    tree: GameTree,
    options: SearchOptions,
    budget: Budget,
    progress: Callable[[int, int], None] | None = None,
) -> Strategy:
    """The agent's strategy for both sides."""
    values = uniform_values(tree)
    mixes: Mixes = {}
    for first in first_decisions(tree):
        mixes |= mixes_from(tree, first, options, budget, values)
        if progress is not None:
            progress(len(mixes), len(tree.infoset_names))
    return written_out(tree, mixes)


def mixes_from(
    tree: GameTree,
    first: int,
    options: SearchOptions,
    budget: Budget,
    values: NDArray[np.float64],
) -> Mixes:
    """The agent's mixes at one of its first decisions and at all that may follow."""
    after = next_decisions(tree)
    mixes: Mixes = {}
    start = TreeSearchAgent(tree, int(tree.infoset_player[first]), options, values)
    waiting = [(start, first)]
    while waiting:
        before, number = waiting.pop()
        name = tree.infoset_names[number]
        if number == first:
            agent = before
            agent.observe(name)
        else:
            agent = before.branch(name)
        mix = agent.act(budget).mix
        mixes[number] = [mix.get(label, 0.0) for label in tree.infoset_labels[number]]
        waiting += [(agent, then) for then in after[number]]
    return mixes


def written_out(tree: GameTree, mixes: Mixes) -> Strategy:
    """The strategy that has a mix for every information set."""
    slots = np.array(Strategy.uniform(tree).probabilities)
    for number, mix in mixes.items():
        first = tree.first_slot[number]
        slots[first : first + len(mix)] = mix
    return Strategy.of(tree, slots)


def first_decisions(tree: GameTree) -> list[int]:
    """The information sets before which their mover has not decided anything."""
    return [number for number, path in enumerate(own_paths(tree)) if not path]


def next_decisions(tree: GameTree) -> list[list[int]]:
    """For every information set: its mover's next ones."""
    after: list[list[int]] = [[] for _ in tree.infoset_names]
    for number, path in enumerate(own_paths(tree)):
        if path:
            after[path[-1]].append(number)
    return after


def own_paths(tree: GameTree) -> list[list[int]]:
    """For every information set: its mover's earlier ones on the way there."""
    paths: list[list[int] | None] = [None] * len(tree.infoset_names)
    for node in np.flatnonzero(tree.player >= 0):
        number = int(tree.index[node])
        if paths[number] is None:
            paths[number] = [own for own, _ in own_steps(tree, int(node))][::-1]
    return [path or [] for path in paths]
