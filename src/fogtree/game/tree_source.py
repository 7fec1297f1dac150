"""How a game's tree is handed over: in arrays, by whatever walked it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TreeParts:
    """The arrays of a :class:`GameTree`, as a source hands them over."""

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
    """What players remember, by the numbers in ``TreeParts.view``: the memory before (negative:
    none) and what was noticed since, as up to a few whole numbers (-1: nothing)."""

    before: NDArray[np.int32]
    facts: NDArray[np.int32]


class TreeSource(Protocol):
    """Walks a game's tree by itself: a game with a native engine offers one to ``compile``."""

    bytes_per_node: int

    @property
    def nodes(self) -> int: ...

    def grow(self, nodes: int) -> bool:
        """Visits up to so many more histories; false when there were none left."""

    def parts(self) -> TreeParts:
        """What was found, once everything has been visited."""


@runtime_checkable
class MemorySource(Protocol):
    """A source that can tell what players remember."""

    def memories(self) -> Memories:
        """All there is to remember; walks the rest of the game first."""
