"""How a game's tree is handed over: in arrays, by whatever walked it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

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


class TreeSource(Protocol):
    """Walks a game's tree by itself: a game with a native engine offers one to ``compile``."""

    bytes_per_node: int

    @property
    def nodes(self) -> int: ...

    def grow(self, nodes: int) -> bool:
        """Visits up to so many more histories; false when there were none left."""

    def parts(self) -> TreeParts:
        """What was found, once everything has been visited."""
