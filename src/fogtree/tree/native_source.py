"""The tree of a game whose rules are also written in C++, walked natively."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.game import Game
from fogtree.game.tree_source import DeferredNames, Menus, TreeParts, TreeSource

Walk = TypeVar("Walk", bound=_core.HistoryWalk)


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """Numbers of histories (all, terminal, of chance) and of payoffs in the sequence form with
    nothing merged, and the bytes that hold them."""

    nodes: int
    terminals: int
    chance_nodes: int
    nonzeros: int
    bytes: int


@dataclass(frozen=True, eq=False)
class FormParts:
    """What is kept of a game that was walked straight into its sequence form."""

    form: _core.SequenceForm
    labels: tuple[str, ...]
    infoset_player: NDArray[np.int8]
    infoset_names: Sequence[str]
    infoset_labels: Menus
    facts: NodeFacts
    zero_sum: bool
    """Whether all payoffs are exact opposites; False if that is not known."""


def native_source(game: Game) -> TreeSource | None:
    """The native walk over a game's tree, as a TreeSource; None for a game that is walked through
    its protocol."""
    found = game.tree_source()
    return NativeTreeSource(found) if isinstance(found, _core.NativeWalk) else found


class WalkSource(Generic[Walk]):
    """The base of tree sources around a walk of the native core."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk

    @property
    def nodes(self) -> int:
        """The number of histories visited so far."""
        return self._walk.nodes

    def grow(self, nodes: int) -> bool:
        """Visit up to ``nodes`` more histories; False when none is left."""
        return self._walk.grow(nodes)

    def share_visited(self) -> float:
        """The share of the game visited so far, if all children of a history had equal shares."""
        return self._walk.share_visited()


class NativeTreeSource(WalkSource[_core.NativeWalk]):
    """The walk over a game with native rules, which gives the same tree as a walk through the
    game's protocol."""

    bytes_per_node = 160
    """Most bytes per history from compiling to solving, measured on several games."""

    def parts(self) -> TreeParts:
        """The arrays of the tree, once every history has been visited."""
        return parts_of(self._walk, tuple(self._walk.labels()), self._names())

    def _names(self) -> DeferredNames:
        """The names of the information sets, which are written when they are first needed."""
        return DeferredNames(self._walk.infosets, self._walk.infoset_names)


class NativeFormSource(NativeTreeSource):
    """A native walk that builds the sequence form and keeps no history."""

    bytes_per_node = 72
    """Most bytes per history from walking to solving, measured on several games."""

    def __init__(self, walk: _core.NativeWalk) -> None:
        """Set a walk that has not begun to build the sequence form."""
        super().__init__(walk)
        walk.stream()

    def full_form(self) -> _core.SequenceForm:
        """The sequence form with nothing merged, once every history has been visited."""
        return self._walk.finished_form(merge=False)[0]

    def form_parts(self) -> FormParts:
        """The merged sequence form with labels, names and counts, once every history has been
        visited."""
        walk, labels = self._walk, tuple(self._walk.labels())
        form, nonzeros, zero_sum = walk.finished_form(merge=True)
        nodes, terminals, chance_nodes = walk.streamed
        return FormParts(
            form=form,
            labels=labels,
            infoset_player=walk.infoset_players(),
            infoset_names=self._names(),
            infoset_labels=_menus(walk, labels),
            facts=NodeFacts(nodes, terminals, chance_nodes, nonzeros, bytes=0),
            zero_sum=zero_sum,
        )


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
        infoset_labels=_menus(walk, labels),
    )
    parts.keep_native(tree)
    return parts


def _menus(walk: _core.HistoryWalk, labels: tuple[str, ...]) -> Menus:
    """The actions of every information set; equal lists of actions are stored once."""
    menus = [tuple(labels[number] for number in menu) for menu in walk.menus()]
    return Menus(menus, walk.infoset_menus())
