"""What walks brought back: rows of three kinds, handed out by their numbers.

A training run keeps few of the rows that it meets: whoever asks says which, and most may have been
dropped where they were met (:class:`~fogtree.deep.reservoir.Thinned`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.reservoir import Thinned

Kind = Literal["regret", "strategy", "value"]
Numbers = NDArray[np.int64]
_COLUMNS = {
    "regret": ("codes", "actions", "targets", "weights"),
    "strategy": ("codes", "actions", "probabilities", "weights"),
    "value": ("codes", "actions", "returns"),
}


class Samples(Protocol):
    """``depth`` is the longest line of decisions, ``value`` the traverser's mean estimate."""

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
        """How many rows of a kind there are."""

    def met(self, kind: Kind) -> int:
        """How many were met, whether they are here or not."""

    def thinned(self, kind: Kind) -> Thinned | None:
        """What these rows are of all that were met, if they are not all."""

    def take(self, kind: Kind, numbers: Numbers) -> dict[str, NDArray[Any]]:
        """Columns ``codes``, ``actions``, ``targets`` and, but for values, ``weights``."""

    def players(self, kind: Kind) -> NDArray[np.int8]:
        """Whose decision each row is."""

    def explored(self) -> NDArray[np.uint8]:
        """Of each value row: the action was not the strategy's choice."""

    def tables(self) -> dict[str, Any]:
        """Everything, as arrays by name."""


class TableSamples:
    """Rows that are there as whole tables."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._tables = dict(tables)
        self.nodes = int(tables["nodes"])
        self.queries = int(tables["queries"])
        self.traversals = int(tables["traversals"])
        self.depth = int(tables["depth"])
        self.value = float(tables["value"])

    def count(self, kind: Kind) -> int:
        return len(self._tables[f"{kind}_codes"])

    met = count

    def thinned(self, kind: Kind) -> Thinned | None:
        del kind
        return None

    def take(self, kind: Kind, numbers: Numbers) -> dict[str, NDArray[Any]]:
        names = ("codes", "actions", "targets", "weights")
        return {
            name: self._tables[f"{kind}_{column}"][numbers]
            for name, column in zip(names, _COLUMNS[kind], strict=False)
        }

    def players(self, kind: Kind) -> NDArray[np.int8]:
        return np.asarray(self._tables[f"{kind}_players"], dtype=np.int8)

    def explored(self) -> NDArray[np.uint8]:
        return np.asarray(self._tables["value_explored"], dtype=np.uint8)

    def tables(self) -> dict[str, Any]:
        return self._tables


class NativeSamples:
    """Rows that the native engine holds and writes out by so many threads."""

    def __init__(
        self, found: _core.DeepSamples, threads: int, shares: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        self._found, self._threads = found, threads
        self._shares: dict[Kind, float] = dict(zip(("regret", "strategy"), shares, strict=True))
        self.nodes, self.queries = found.nodes, found.queries
        self.traversals, self.depth, self.value = found.traversals, found.depth, found.value

    def count(self, kind: Kind) -> int:
        return self._found.count(kind)

    def met(self, kind: Kind) -> int:
        return self._found.met(kind)

    def thinned(self, kind: Kind) -> Thinned | None:
        share = self._shares.get(kind, 1.0)
        if share >= 1:
            return None
        return Thinned(self._found.met(kind), share, self._found.order(kind))

    def take(self, kind: Kind, numbers: Numbers) -> dict[str, NDArray[Any]]:
        rows: dict[str, Any] = self._found.take(kind, numbers, self._threads)
        return rows

    def players(self, kind: Kind) -> NDArray[np.int8]:
        return self._found.players(kind)

    def explored(self) -> NDArray[np.uint8]:
        return self._found.explored()

    def tables(self) -> dict[str, Any]:
        return self._found.tables(self._threads)
