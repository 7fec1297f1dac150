"""The tree of a game whose rules are also written in C++, walked natively."""

from __future__ import annotations

from fogtree import _core
from fogtree.game.tree_source import DeferredNames, Menus, TreeParts


class NativeTreeSource:
    """A :class:`fogtree.game.tree_source.TreeSource` around a native walk, which gives the same
    tree as a walk through the game's protocol."""

    bytes_per_node = 130
    """Most bytes per history from compiling to solving, measured on several games."""

    def __init__(self, walk: _core.HistoryWalk) -> None:
        self._walk = walk

    @property
    def nodes(self) -> int:
        return self._walk.nodes

    def grow(self, nodes: int) -> bool:
        return self._walk.grow(nodes)

    def share_visited(self) -> float:
        return self._walk.share_visited()

    def parts(self) -> TreeParts:
        walk = self._walk
        tree = walk.finished_tree()
        arrays, labels = tree.arrays(), tuple(walk.labels())
        counts = arrays.pop("infoset_actions")
        view, payoffs = arrays.pop("view"), arrays.pop("payoffs")
        players = len(view) // len(arrays["parent"])
        return TreeParts(
            **arrays,
            view=view.reshape(-1, players),
            payoffs=payoffs.reshape(-1, players),
            label=walk.node_labels(),
            labels=labels,
            infoset_names=DeferredNames(len(counts), walk.infoset_names),
            infoset_labels=Menus(
                [tuple(labels[number] for number in menu) for menu in walk.menus()],
                walk.infoset_menus(),
            ),
            native=tree,
        )
