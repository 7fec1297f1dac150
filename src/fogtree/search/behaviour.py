"""The search's behaviour strategy: the mix that it plays at every information set of a game.

At every information set the search has gone through all earlier decisions of its player with the
same seed and budget. A decision depends only on the path to it, so searches share the part of the
path that they have in common. The result is an ordinary strategy with an exact exploitability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.search.options import SearchOptions
from fogtree.search.tree_search import TreeSearch, own_steps, uniform_values
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

Mixes = dict[int, list[float]]
"""Probabilities of the actions, by number of the information set."""


def behaviour_strategy(
    tree: GameTree,
    options: SearchOptions,
    budget: Budget,
    progress: Callable[[int, int], None] | None = None,
) -> Strategy:
    """The strategy that the search plays for both players, found by searching at every information
    set; ``progress`` is called with the number of information sets done and of all."""
    values = uniform_values(tree)
    mixes: Mixes = {}
    for first in first_decisions(tree):
        mixes |= mixes_from(tree, first, options, budget, values)
        if progress is not None:
            progress(len(mixes), len(tree.infoset_names))
    return strategy_of(tree, mixes)


def mixes_from(
    tree: GameTree,
    first: int,
    options: SearchOptions,
    budget: Budget,
    leaf_values: NDArray[np.float64],
) -> Mixes:
    """The mixes at a player's first decision, the information set ``first``, and at all of that
    player's decisions below it. ``leaf_values`` has player 0's value of every node of the tree."""
    after = next_decisions(tree)
    mixes: Mixes = {}
    start = TreeSearch(tree, int(tree.infoset_player[first]), options, leaf_values)
    waiting = [(start, first)]
    while waiting:
        before, number = waiting.pop()
        name = tree.infoset_names[number]
        if number == first:
            search = before
            search.observe(name)
        else:
            search = before.branch(name)
        mix = search.act(budget).mix
        mixes[number] = [mix.get(label, 0.0) for label in tree.infoset_labels[number]]
        waiting += [(search, then) for then in after[number]]
    return mixes


def strategy_of(tree: GameTree, mixes: Mixes) -> Strategy:
    """The strategy with these mixes, uniform at other information sets."""
    slots = np.array(Strategy.uniform(tree).probabilities)
    for number, mix in mixes.items():
        first = tree.first_slot[number]
        slots[first : first + len(mix)] = mix
    return Strategy.of(tree, slots)


def mixture(tree: GameTree, strategies: Sequence[Strategy]) -> Strategy:
    """The strategy of a player who draws one of these with equal probability before the game.

    By Kuhn's theorem it is their average at every information set, each weighted by the probability
    that its own earlier actions lead there.
    """
    slots = [strategy.for_tree(tree) for strategy in strategies]
    mixed = np.mean(slots, axis=0)
    for number, steps in enumerate(_own_steps_of_infosets(tree)):
        own = [
            float(np.prod([probabilities[tree.first_slot[at] + action] for at, action in steps]))
            for probabilities in slots
        ]
        here = slice(tree.first_slot[number], tree.first_slot[number + 1])
        if sum(own) > 0:
            mixed[here] = np.average([each[here] for each in slots], axis=0, weights=own)
    return Strategy.of(tree, mixed)


def first_decisions(tree: GameTree) -> list[int]:
    """The numbers of the information sets before which their own player has not decided
    anything."""
    return [number for number, path in enumerate(own_paths(tree)) if not path]


def next_decisions(tree: GameTree) -> list[list[int]]:
    """For every information set: those at which its mover may decide next."""
    after: list[list[int]] = [[] for _ in tree.infoset_names]
    for number, path in enumerate(own_paths(tree)):
        if path:
            after[path[-1]].append(number)
    return after


def own_paths(tree: GameTree) -> list[list[int]]:
    """For every information set: the earlier information sets of its player, in the order of
    play."""
    return [[number for number, _ in steps] for steps in _own_steps_of_infosets(tree)]


def _own_steps_of_infosets(tree: GameTree) -> list[list[tuple[int, int]]]:
    """For every information set: the earlier ones of its mover with the numbers of the actions
    taken there, in the order of play."""
    steps: list[list[tuple[int, int]] | None] = [None] * len(tree.infoset_names)
    for node in np.flatnonzero(tree.player >= 0):
        number = int(tree.index[node])
        if steps[number] is None:
            steps[number] = list(own_steps(tree, int(node)))[::-1]
    return [each or [] for each in steps]
