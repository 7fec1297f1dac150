"""The interface of native tree walkers: how a game hands over its tree as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TreeParts:
    """The arrays of a :class:`~fogtree.tree.GameTree`."""

    parent: NDArray[np.int32]
    player: NDArray[np.int8]
    action: NDArray[np.int32]
    index: NDArray[np.int32]
    chance: NDArray[np.float64]
    view: NDArray[np.int32]
    payoffs: NDArray[np.float64]
    label: NDArray[np.int32]
    labels: tuple[str, ...]
    infoset_player: NDArray[np.int8]
    infoset_names: tuple[str, ...]
    infoset_labels: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class Memories:
    """The players' histories by the numbers in ``TreeParts.view``: the history before (negative:
    none) and the observation since, as a few whole numbers (-1: nothing)."""

    before: NDArray[np.int32]
    facts: NDArray[np.int32]


class TreeSource(Protocol):
    """Walks a game's tree by itself: a game with a native engine offers one to ``compile``."""

    bytes_per_node: int

    @property
    def nodes(self) -> int: ...

    def grow(self, nodes: int) -> bool:
        """Visit up to ``nodes`` more histories; False when none is left."""

    def parts(self) -> TreeParts:
        """The arrays of the tree, once every history has been visited."""


@runtime_checkable
class MeasuredSource(Protocol):
    """A tree source that knows how far it is."""

    def share_visited(self) -> float:
        """The share of the game visited so far, from 0 to 1, by estimate."""


@runtime_checkable
class MemorySource(Protocol):
    """A tree source that also knows the players' histories."""

    def memories(self) -> Memories:
        """All histories of the players; walks the rest of the game first."""
