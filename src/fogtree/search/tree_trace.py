"""A trace of a search on a compiled game."""

from __future__ import annotations

from typing import Any

from fogtree.agents.budget import Budget
from fogtree.search.agent import TreeSearchAgent, node_path
from fogtree.search.options import SearchOptions
from fogtree.search.trace import Tracer
from fogtree.tree import GameTree


class TreeTraceWords:
    """The labels and names of a compiled game."""

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


def trace_tree(agent: TreeSearchAgent, infoset: str, budget: Budget, options: SearchOptions) -> str:
    """The trace of an agent that is about to decide at an information set."""
    tracer = Tracer(agent.inside, TreeTraceWords(agent.tree), agent.player, options)
    told = tracer.text(lambda watcher: agent.watch(budget, watcher, every=True))
    return (
        f"# A search of {agent.tree.game} at {infoset}, step by step\n\n"
        f"We are player {agent.player}. Values are payoffs divided by {agent.scale:g}.\n\n{told}"
    )
