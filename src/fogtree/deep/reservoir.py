"""A reservoir: a uniform sample, of fixed size, of all rows ever offered.

J. S. Vitter, "Random sampling with a reservoir", ACM Transactions on Mathematical Software 11
(1985), Algorithm R. *Deviations:* many rows are offered at once; the result is as if one by one,
and the random numbers depend only on the seed given with each offer. ``skipping`` draws the gaps
between candidate rows at the keep probability of the first row offered, and then keeps a later
candidate with the ratio of its own probability to that one. Rows may have been subsampled in this
way before they are offered.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import FileFormatError, OptionError

_ROWS_RESERVED = 1 << 16
"""Rows for which disk space is taken at a time."""

Rows = Mapping[str, NDArray[Any]]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Column:
    """One array of a reservoir: a number or a row of numbers per sample."""

    name: str
    shape: tuple[int, ...]
    kind: str  # NumPy's name of the element type


@dataclass(frozen=True, eq=False, slots=True)
class Subsample:
    """Rows of which each was kept with the same probability."""

    total: int  # rows before
    keep_probability: float
    indices: Indices  # of the kept rows among all


class Reservoir:
    """Up to ``capacity`` rows in memory, or in memory-mapped files in a ``folder``."""

    on_device = False

    def __init__(
        self,
        columns: Sequence[Column],
        capacity: int,
        folder: Path | None = None,
        *,
        skipping: bool = False,
    ) -> None:
        """An empty reservoir with room for ``capacity`` rows of these columns."""
        if capacity < 1:
            raise OptionError(f"a reservoir holds at least 1 sample, not {capacity}")
        self.columns, self.capacity, self.folder = tuple(columns), capacity, folder
        self.skipping = skipping
        self.offered = 0
        self.changed: list[Indices] | None = None  # rows written, if a copy must follow them
        self._rows: dict[str, Any] = {column.name: self._empty_column(column) for column in columns}
        self._reserved = capacity if folder is None else 0  # rows that have their place on the disk

    def _empty_column(self, column: Column) -> Any:
        """An empty column at full capacity, in memory or in a memory-mapped file."""
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

    def _reserve(self, rows: int) -> None:
        """Take the disk space of the first ``rows`` rows before they are written: a write to a
        mapped file for which the disk has no room would kill the process."""
        if rows <= self._reserved or self.folder is None or not hasattr(os, "posix_fallocate"):
            return
        wanted = min(self.capacity, max(rows, self._reserved + _ROWS_RESERVED))
        try:
            for column in self.columns:
                size = self._rows[column.name].nbytes // self.capacity
                with (self.folder / f"{column.name}.npy").open("r+b") as file:
                    start = os.path.getsize(file.name) - size * self.capacity  # the file's head
                    os.posix_fallocate(file.fileno(), start, size * wanted)
        except OSError as error:
            raise FileFormatError(
                f"cannot keep more samples in '{self.folder}': {error.strerror}"
            ) from error
        self._reserved = wanted

    def __len__(self) -> int:
        return min(self.offered, self.capacity)

    @property
    def bytes(self) -> int:
        """The size of all columns at full capacity, in memory or on disk."""
        return sum(int(rows.nbytes) for rows in self._rows.values())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column's present rows; not to be modified."""
        rows: NDArray[Any] = self._rows[name][: len(self)]
        return rows

    def arrays(self, *names: str) -> tuple[Any, ...]:
        """Columns at full capacity; only the first ``len()`` rows are filled."""
        return tuple(self._rows[name] for name in names)

    def keep_probability(self, waiting: int = 0) -> float:
        """The probability that a row is kept if it is offered after ``waiting`` others; the more
        rows have been offered, the smaller."""
        return min(1.0, self.capacity / (self.offered + waiting + 1))

    def offer(self, rows: Rows, seed: Sequence[int]) -> NDArray[np.int64]:
        """Offers rows one after another; returns the indices in the reservoir that were written."""
        count = len(rows[self.columns[0].name])
        columns = [column.name for column in self.columns]
        return self.offer_lazily(
            count, lambda kept: {name: rows[name][kept] for name in columns}, seed
        )

    def offer_lazily(
        self,
        count: int,
        take: Callable[[Indices], Rows],
        seed: Sequence[int],
        subsample: Subsample | None = None,
    ) -> Indices:
        """As :meth:`offer`, but ``take`` builds only the rows that are kept, by their indices.
        ``subsample``: the rows are those that were kept of a larger number."""
        rng = np.random.default_rng([*seed])
        if subsample is not None:
            kept, target = self._draw_from_subsample(subsample, rng)
        elif self.skipping:
            kept, target = self._draw_with_skips(count, rng)
        else:
            kept, target = self._draw(count, rng)
        # Of several rows for one target the last one stays.
        target, last = np.unique(target[::-1], return_index=True)
        if len(target):
            self._write(target, take(kept[::-1][last]))
        self.offered += count if subsample is None else subsample.total
        return target

    def _write(self, indices: Indices, rows: Rows) -> None:
        """Overwrite the rows with these indices, and note them for a copy that must follow."""
        self._reserve(int(indices.max(initial=-1)) + 1)
        for column in self.columns:
            self._rows[column.name][indices] = rows[column.name]
        if self.changed is not None:
            self.changed.append(indices)

    def _draw(self, count: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
        """Indices of the kept rows in the offer, and of the reservoir rows they go to."""
        number = self.offered + np.arange(count, dtype=np.int64)
        target = number.copy()
        late = number >= self.capacity
        target[late] = rng.integers(0, number[late] + 1)
        kept = np.flatnonzero(target < self.capacity)
        return kept, target[kept]

    def _draw_with_skips(self, count: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
        """As :meth:`_draw`, but draws the gaps between candidates instead of one number per row."""
        # The early rows fill the reservoir; each late one replaces a row, or is not kept.
        early = min(max(self.capacity - self.offered, 0), count)
        first = self.offered + early + 1  # rows offered up to the first late one
        rate = self.capacity / first if count > early else 0.0
        late = np.zeros(0, dtype=np.int64)
        if rate > 0:
            left = count - early
            jumps = rng.geometric(rate, int(1.1 * rate * left) + 100)
            while jumps.sum() < left:
                jumps = np.concatenate([jumps, rng.geometric(rate, 100)])
            late = np.cumsum(jumps) - 1
            late = late[late < left]
            late = late[rng.random(len(late)) * (first + late) < first]
        targets = rng.integers(0, self.capacity, len(late))
        filling = np.arange(early, dtype=np.int64)
        return (
            np.concatenate([filling, early + late]),
            np.concatenate([self.offered + filling, targets]),
        )

    def _draw_from_subsample(
        self, subsample: Subsample, rng: np.random.Generator
    ) -> tuple[Indices, Indices]:
        """As :meth:`_draw`, for rows of which only a subsample is offered."""
        if subsample.keep_probability < self.keep_probability():
            raise OptionError("rows were subsampled more than the reservoir allows")
        rate = self.capacity / (self.offered + subsample.indices + 1)
        kept = np.flatnonzero(rng.random(len(rate)) * subsample.keep_probability < rate)
        return kept, rng.integers(0, self.capacity, len(kept))

    def clear(self) -> None:
        """Forget all rows, as if none had been offered."""
        self.offered = 0

    def state(self) -> dict[str, NDArray[Any]]:
        """The contents, for :meth:`restore`; arrays are not copied."""
        return {"offered": np.array(self.offered), **{c.name: self[c.name] for c in self.columns}}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Replace the contents by those of a saved state, which must have the same columns."""
        offered = int(state["offered"])
        count = min(offered, self.capacity)
        for column in self.columns:
            rows = state[column.name]
            if rows.shape != (count, *column.shape) or rows.dtype != np.dtype(column.kind):
                raise FileFormatError(f"the saved samples do not fit: '{column.name}'")
        self._write(np.arange(count, dtype=np.int64), state)
        self.offered = offered


class Window(Reservoir):
    """The latest ``capacity`` rows instead of a sample of all."""

    def _draw(self, count: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
        """As :meth:`Reservoir._draw`: the latest rows replace the oldest ones."""
        del rng
        kept = np.arange(max(0, count - self.capacity), count, dtype=np.int64)
        return kept, (self.offered + kept) % self.capacity

    _draw_with_skips = _draw
