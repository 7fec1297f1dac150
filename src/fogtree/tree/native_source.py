"""The tree of a game whose rules are also written in C++, walked natively."""

from __future__ import annotations

from collections.abc import Sequence

from fogtree import _core
from fogtree.game import Game
from fogtree.game.tree_source import DeferredNames, Menus, TreeParts, TreeSource


def native_source(game: Game) -> TreeSource | None:
    """What walks a game's tree natively; None for a game that is walked through its protocol."""
    found = game.tree_source()
    return NativeTreeSource(found) if isinstance(found, _core.NativeWalk) else found


class NativeTreeSource:
    """A :class:`fogtree.game.tree_source.TreeSource` around a native walk, which gives the same
    tree as a walk through the game's protocol."""

    bytes_per_node = 160
    """Most bytes per history from compiling to solving, measured on several games."""

    def __init__(self, walk: _core.NativeWalk) -> None:
        self._walk = walk

    @property
    def nodes(self) -> int:
        return self._walk.nodes

    def grow(self, nodes: int) -> bool:
        return self._walk.grow(nodes)

    def share_visited(self) -> float:
        return self._walk.share_visited()

    def parts(self) -> TreeParts:
        names = DeferredNames(self._walk.infosets, self._walk.infoset_names)
        return parts_of(self._walk, tuple(self._walk.labels()), names)


def parts_of(walk: _core.HistoryWalk, labels: tuple[str, ...], names: Sequence[str]) -> TreeParts:
    """The parts of a tree from a finished walk, given the texts of labels and the names of
    information sets."""
    tree = walk.finished_tree()
    arrays = tree.arrays()
    del arrays["infoset_actions"]
    view, payoffs = arrays.pop("view"), arrays.pop("payoffs")
    players = len(view) // len(arrays["parent"])
    parts = TreeParts(
        **arrays,
        view=view.reshape(-1, players),
        payoffs=payoffs.reshape(-1, players),
        label=walk.node_labels(),
        labels=labels,
        infoset_names=names,
        infoset_labels=Menus(
            [tuple(labels[number] for number in menu) for menu in walk.menus()],
            walk.infoset_menus(),
        ),
    )
    parts.keep_native(tree)
    return parts
