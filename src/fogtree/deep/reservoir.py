"""A sample of everything that was ever offered, each with the same chance to be in it.

J. S. Vitter, "Random sampling with a reservoir", ACM Transactions on Mathematical Software 11
(1985), Algorithm R. *Deviations:* many rows are offered at once; the outcome is the same as one by
one, with random numbers that depend on nothing but the seed given with each offer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import FileFormatError, OptionError

Rows = Mapping[str, NDArray[Any]]
_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Column:
    """One number, or a row of them, per sample."""

    name: str
    shape: tuple[int, ...]
    kind: str  # NumPy's name of the type


class Reservoir:
    """Up to ``capacity`` rows in memory, or with a ``folder`` in memory-mapped files there."""

    def __init__(
        self, columns: Sequence[Column], capacity: int, folder: Path | None = None
    ) -> None:
        if capacity < 1:
            raise OptionError(f"a reservoir holds at least 1 sample, not {capacity}")
        self.columns, self.capacity, self.folder = tuple(columns), capacity, folder
        self.offered = 0
        self.changed: list[NDArray[np.int64]] = []  # places, since somebody last emptied the list
        self._rows = {column.name: self._make(column) for column in columns}

    def _make(self, column: Column) -> NDArray[Any]:
        shape, kind = (self.capacity, *column.shape), np.dtype(column.kind)
        if self.folder is None:
            return np.zeros(shape, dtype=kind)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            return np.lib.format.open_memmap(
                self.folder / f"{column.name}.npy", mode="w+", dtype=kind, shape=shape
            )
        except OSError as error:
            raise FileFormatError(f"cannot write in '{self.folder}': {error.strerror}") from error

    def __len__(self) -> int:
        return min(self.offered, self.capacity)

    @property
    def bytes(self) -> int:
        return sum(rows.nbytes for rows in self._rows.values())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The rows that are there now; not to be changed."""
        return self._rows[name][: len(self)]

    def offer(self, rows: Rows, seed: Sequence[int]) -> NDArray[np.int64]:
        """Offers rows one after another; returns the places that now hold another row."""
        count = len(rows[self.columns[0].name])
        columns = [column.name for column in self.columns]
        return self.offer_some(
            count, lambda kept: {name: rows[name][kept] for name in columns}, seed
        )

    def offer_some(
        self, count: int, take: Callable[[NDArray[np.int64]], Rows], seed: Sequence[int]
    ) -> NDArray[np.int64]:
        """The same for rows of which only those that stay are made, by their numbers."""
        if count == 0:
            return np.zeros(0, dtype=np.int64)
        place = self._places(self.offered + np.arange(count, dtype=np.int64), seed)
        taken = np.flatnonzero(place < self.capacity)
        # Of several rows for one place the last one stays.
        _, last = np.unique(place[taken][::-1], return_index=True)
        kept = taken[::-1][last]
        rows = take(kept)
        for column in self.columns:
            self._rows[column.name][place[kept]] = rows[column.name]
        self.offered += count
        self.changed.append(place[kept])
        return place[kept]

    def _places(self, number: NDArray[np.int64], seed: Sequence[int]) -> NDArray[np.int64]:
        """Where the rows of these numbers go; from the capacity on: nowhere."""
        place = number.copy()
        late = number >= self.capacity
        dice = np.random.default_rng([*seed])
        most = number[late] + 1
        drawn = np.empty_like(most)
        for first in range(0, len(most), _AT_ONCE):  # other threads get their turn in between
            part = slice(first, first + _AT_ONCE)
            drawn[part] = dice.integers(0, most[part])
        place[late] = drawn
        return place

    def state(self) -> dict[str, NDArray[Any]]:
        """All that is needed to go on; arrays are not copied."""
        return {"offered": np.array(self.offered), **{c.name: self[c.name] for c in self.columns}}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        offered = int(state["offered"])
        count = min(offered, self.capacity)
        for column in self.columns:
            rows = state[column.name]
            if rows.shape != (count, *column.shape) or rows.dtype != np.dtype(column.kind):
                raise FileFormatError(f"the saved samples do not fit: '{column.name}'")
            self._rows[column.name][:count] = rows
        self.offered = offered
        self.changed = [np.arange(count, dtype=np.int64)]


class Window(Reservoir):
    """The latest rows instead: what was true of earlier strategies is forgotten."""

    def _places(self, number: NDArray[np.int64], seed: Sequence[int]) -> NDArray[np.int64]:
        del seed
        return number % self.capacity
