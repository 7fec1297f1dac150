"""The log of a search on a compiled game."""

from __future__ import annotations

from typing import Any

from fogtree.agents.budget import Budget
from fogtree.search.options import SearchOptions
from fogtree.search.trace import Tracer
from fogtree.search.tree_search import TreeSearch, node_path
from fogtree.tree import GameTree


class TreeTraceNotation:
    """Writes positions, actions and information sets with the labels of a compiled game."""

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree
        self._names = {
            (int(tree.view[node, tree.player[node]]), int(tree.player[node])): tree.infoset_names[
                tree.index[node]
            ]
            for node in (tree.player >= 0).nonzero()[0]
        }

    def position(self, state: Any) -> str:
        return " ".join(node_path(self._tree, state)) or "the start"

    def action(self, state: Any, number: int) -> str:
        tree = self._tree
        if tree.player[state] >= 0:
            return str(tree.infoset_labels[tree.index[state]][number])
        children = (tree.parent == state).nonzero()[0]
        return str(tree.labels[tree.label[children[number]]])

    def infoset(self, key: int, player: int) -> str | None:
        return self._names.get((key, player))


def trace_tree(search: TreeSearch, infoset: str, budget: Budget, options: SearchOptions) -> str:
    """The log of a search that is about to decide at an information set."""
    tracer = Tracer(search.native, TreeTraceNotation(search.tree), search.player, options)
    log = tracer.text(lambda callback: search.watch(budget, callback, every=True))
    return (
        f"# A search of {search.tree.game} at {infoset}, step by step\n\n"
        f"We are player {search.player}. Values are payoffs divided by {search.scale:g}.\n\n{log}"
    )
