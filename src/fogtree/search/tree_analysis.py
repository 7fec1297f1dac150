"""Analysis of a compiled game: at any information set, with the earlier searches on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.search.agent import TreeSearchAgent, node_path
from fogtree.search.analysis import LOOKS, Analysis, examine
from fogtree.search.behaviour import own_paths
from fogtree.search.options import SearchOptions
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


class TreeWords:
    """The labels of a compiled game."""

    def __init__(self, tree: GameTree, infoset: str) -> None:
        self._tree = tree
        self._labels = tree.infoset_labels[tree.infoset(infoset)]
        self._by_parent = np.argsort(tree.parent, kind="stable")
        self._parents = tree.parent[self._by_parent]

    def action(self, number: int) -> str:
        return self._labels[number]

    def position(self, state: Any) -> str:
        return " ".join(node_path(self._tree, state)) or "the start"

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        names = []
        for number in numbers:
            state = self._children(state)[number]
            names.append(self._tree.labels[self._tree.label[state]])
        return names

    def _children(self, node: int) -> NDArray[np.intp]:
        """In the order of their actions."""
        first, last = np.searchsorted(self._parents, [node, node + 1])
        return self._by_parent[first:last]


def tree_agent(
    tree: GameTree,
    infoset: str,
    before: Budget,
    options: SearchOptions | None = None,
    blueprint: Strategy | None = None,
) -> TreeSearchAgent:
    """An agent that has come to an information set and is about to decide there. On the way it
    searched at each of its decisions, or played a ``blueprint`` if there is one."""
    number = tree.infoset(infoset)
    agent = TreeSearchAgent(tree, int(tree.infoset_player[number]), options)
    if blueprint is not None:
        agent.adopt(blueprint)
    for step in own_paths(tree)[number] if blueprint is None else ():
        agent.observe(tree.infoset_names[step])
        agent.act(before)
    agent.observe(infoset)
    return agent


def analyse_tree(
    tree: GameTree,
    infoset: str,
    budget: Budget,
    options: SearchOptions | None = None,
    *,
    before: Budget | None = None,
    blueprint: Strategy | None = None,
    looks: int = LOOKS,
) -> Analysis:
    """The search at one information set, from inside. ``before`` is the budget of the searches on
    the way, else the same."""
    agent = tree_agent(tree, infoset, before or budget, options, blueprint)
    return examine(
        agent.inside,
        TreeWords(tree, infoset),
        agent.player,
        lambda watcher: agent.watch(budget, watcher, looks=looks),
        agent.scale,
    )
