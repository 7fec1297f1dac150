"""Analysis and trace of the search on a compiled game, at one information set."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.agents.budget import Budget
from fogtree.search.analysis import LOOKS, Analysis, examine
from fogtree.search.behaviour import own_paths
from fogtree.search.options import SearchOptions
from fogtree.search.trace import Tracer
from fogtree.search.tree_search import TreeSearch, node_path
from fogtree.strategy import Strategy
from fogtree.tree import GameTree


class TreeNotation:
    """Writes actions, positions and information sets with the labels of a compiled game."""

    def __init__(self, tree: GameTree, infoset: str) -> None:
        """Prepare the labels of ``infoset``'s actions, and the nodes sorted by parent."""
        self._tree = tree
        self._labels = tree.infoset_labels[tree.infoset(infoset)]
        self._by_parent = np.argsort(tree.parent, kind="stable")
        self._parents = tree.parent[self._by_parent]

    def action(self, number: int) -> str:
        """The label of an action of the information set that is searched."""
        return self._labels[number]

    def position(self, state: Any) -> str:
        """All actions and chance outcomes that led to a node."""
        return " ".join(node_path(self._tree, state)) or "the start"

    def diagram(self, state: Any) -> str:
        """The same as :meth:`position`: there is no shorter picture of it."""
        return self.position(state)

    def line(self, state: Any, numbers: Sequence[int]) -> Sequence[str]:
        """The labels of the actions in a line, from a position on."""
        names = []
        for number in numbers:
            names.append(self.step(state, number))
            state = self._children(state)[number]
        return names

    def step(self, state: Any, number: int) -> str:
        """The label of the action or chance outcome with this number at a node."""
        label: int = self._tree.label[self._children(state)[number]]
        return self._tree.labels[label]

    def infoset(self, key: int, player: int) -> str | None:
        """The name of the information set with a key of the search; None if there is none."""
        return self._names.get((key, player))

    @cached_property
    def _names(self) -> dict[tuple[int, int], str]:
        """Names of information sets by the key that the search gives them, and their player."""
        tree = self._tree
        nodes = (tree.player >= 0).nonzero()[0]
        players, numbers = tree.player[nodes], tree.index[nodes]
        keys = zip(tree.view[nodes, players].tolist(), players.tolist(), strict=True)
        return {key: tree.infoset_names[n] for key, n in zip(keys, numbers, strict=True)}

    def _children(self, node: int) -> NDArray[np.intp]:
        """The children of a node in the order of their actions."""
        first, last = np.searchsorted(self._parents, [node, node + 1])
        return self._by_parent[first:last]


def search_at(
    tree: GameTree,
    infoset: str,
    before: Budget,
    options: SearchOptions | None = None,
    blueprint: Strategy | None = None,
) -> TreeSearch:
    """A search that is about to decide at an information set. It has searched with the budget
    ``before`` at each earlier decision of the player, or starts from a ``blueprint`` instead."""
    number = tree.infoset(infoset)
    search = TreeSearch(tree, int(tree.infoset_player[number]), options)
    if blueprint is not None:
        search.adopt(blueprint)
    for step in own_paths(tree)[number] if blueprint is None else ():
        search.observe(tree.infoset_names[step])
        search.act(before)
    search.observe(infoset)
    return search


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
    """Search at one information set and analyse the search. ``before`` is the budget of the earlier
    searches, by default the same; ``looks`` is the number of snapshots of the running search."""
    search = search_at(tree, infoset, before or budget, options, blueprint)
    return examine(
        search.native,
        TreeNotation(tree, infoset),
        search.player,
        lambda callback: search.watch(budget, callback, looks=looks),
        search.scale,
    )


def trace_tree(search: TreeSearch, infoset: str, budget: Budget, options: SearchOptions) -> str:
    """The log of a search that is about to decide at an information set, as Markdown."""
    tracer = Tracer(search.native, TreeNotation(search.tree, infoset), search.player, options)
    log = tracer.text(lambda callback: search.watch(budget, callback, every=True))
    return (
        f"# A search of {search.tree.game} at {infoset}, step by step\n\n"
        f"We are player {search.player}. Values are payoffs divided by {search.scale:g}.\n\n{log}"
    )
