"""Samples that walks collected: regret, strategy and value rows, read by index.

A training run keeps few of the rows that its walks meet, so an engine builds only the rows asked
for, and may drop most of the others at once (:class:`~fogtree.deep.reservoir.Subsample`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.reservoir import Indices, Subsample

Kind = Literal["regret", "strategy", "value"]
_COLUMNS = {
    "regret": ("codes", "actions", "targets", "weights"),
    "strategy": ("codes", "actions", "probabilities", "weights", "players", "steps"),
    "value": ("codes", "actions", "returns"),
}


class Samples(Protocol):
    """The samples of one task's walks. ``queries`` is how often networks were asked, ``depth`` the
    largest number of decisions in a walk, ``value`` the mean estimate of the traverser's value at
    the root."""

    @property
    def nodes(self) -> int: ...
    @property
    def queries(self) -> int: ...
    @property
    def traversals(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def value(self) -> float: ...
    def count(self, kind: Kind) -> int:
        """The number of rows of a kind that can be taken."""

    def total(self, kind: Kind) -> int:
        """The number of rows of a kind that walks produced, including those that were dropped."""

    def subsample(self, kind: Kind) -> Subsample | None:
        """The subsample that was kept: number of rows produced, keep probability, indices kept;
        None if all were kept."""

    def take(self, kind: Kind, indices: Indices) -> dict[str, NDArray[Any]]:
        """Columns ``codes``, ``actions``, ``targets`` and, except for values, ``weights``; of
        strategy rows also ``players`` and ``steps``, the row's number within its walk."""

    def players(self, kind: Kind) -> NDArray[np.int8]:
        """The player to move, for every row."""

    def explored(self) -> NDArray[np.uint8]:
        """Whether the action was an exploring one, for every value row."""

    def arrays(self) -> dict[str, Any]:
        """Everything, as arrays and numbers by name."""


class ArraySamples:
    """Samples as complete arrays."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        """Take arrays and numbers by name, as :meth:`Samples.arrays` returns them."""
        self._arrays = dict(arrays)
        self.nodes = int(arrays["nodes"])
        self.queries = int(arrays["queries"])
        self.traversals = int(arrays["traversals"])
        self.depth = int(arrays["depth"])
        self.value = float(arrays["value"])

    def count(self, kind: Kind) -> int:
        """The number of rows of a kind."""
        return len(self._arrays[f"{kind}_codes"])

    total = count

    def subsample(self, kind: Kind) -> Subsample | None:
        """None: all rows were kept."""
        del kind
        return None

    def take(self, kind: Kind, indices: Indices) -> dict[str, NDArray[Any]]:
        """The columns of the rows with these indices."""
        names = ("codes", "actions", "targets", "weights", "players", "steps")
        return {
            name: self._arrays[f"{kind}_{column}"][indices]
            for name, column in zip(names, _COLUMNS[kind], strict=False)
        }

    def players(self, kind: Kind) -> NDArray[np.int8]:
        """The player to move, for every row."""
        return np.asarray(self._arrays[f"{kind}_players"], dtype=np.int8)

    def explored(self) -> NDArray[np.uint8]:
        """Whether the action was an exploring one, for every value row."""
        return np.asarray(self._arrays["value_explored"], dtype=np.uint8)

    def arrays(self) -> dict[str, Any]:
        """Everything, as arrays and numbers by name."""
        return self._arrays


class NativeSamples:
    """The samples of a native engine, which may have dropped rows at random while it walked;
    ``threads`` copy the rows that are taken."""

    def __init__(
        self,
        native: _core.DeepSamples,
        threads: int,
        keep_probabilities: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """Wrap native samples, of whose regret and strategy rows each was kept with the given
        probability."""
        self._native, self._threads = native, threads
        self._keep: dict[Kind, float] = dict(
            zip(("regret", "strategy"), keep_probabilities, strict=True)
        )
        self.nodes, self.queries = native.nodes, native.queries
        self.traversals, self.depth, self.value = native.traversals, native.depth, native.value

    def count(self, kind: Kind) -> int:
        """The number of rows of a kind that were kept."""
        return self._native.count(kind)

    def total(self, kind: Kind) -> int:
        """The number of rows of a kind that walks produced, including those that were dropped."""
        return self._native.met(kind)

    def subsample(self, kind: Kind) -> Subsample | None:
        """The subsample of a kind of rows, if the engine dropped some; else None."""
        keep = self._keep.get(kind, 1.0)
        if keep >= 1:
            return None
        kept = self._native.order(kind)  # indices of the kept rows among all that were met
        return Subsample(self._native.met(kind), keep, kept)

    def take(self, kind: Kind, indices: Indices) -> dict[str, NDArray[Any]]:
        """The columns of the rows with these indices, copied by several threads."""
        rows: dict[str, Any] = self._native.take(kind, indices, self._threads)
        return rows

    def players(self, kind: Kind) -> NDArray[np.int8]:
        """The player to move, for every row."""
        return self._native.players(kind)

    def explored(self) -> NDArray[np.uint8]:
        """Whether the action was an exploring one, for every value row."""
        return self._native.explored()

    def arrays(self) -> dict[str, Any]:
        """Everything, as arrays and numbers by name."""
        return self._native.tables(self._threads)
