"""A sample of everything that was ever offered, each with the same chance to be in it.

J. S. Vitter, "Random sampling with a reservoir", ACM Transactions on Mathematical Software 11
(1985), Algorithm R. *Deviations:* many rows are offered at once; the outcome is the same as one by
one, with random numbers that depend on nothing but the seed given with each offer. ``skipping``
draws how many rows come before the next one that may stay, at the rate of the first row offered,
and lets a later one stay as often as its own rate is of that. Rows may have been thinned at such a
rate before they are offered, which is the same.
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
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Column:
    """One number, or a row of them, per sample."""

    name: str
    shape: tuple[int, ...]
    kind: str  # NumPy's name of the type


@dataclass(frozen=True, eq=False, slots=True)
class Thinned:
    """Rows of which each one that was met is there with the same chance."""

    met: int  # how many there were
    share: float  # the chance
    numbers: NDArray[np.int64]  # of those that are there, among all


class Reservoir:
    """Up to ``capacity`` rows in memory, or with a ``folder`` in memory-mapped files there."""

    on_device = False

    def __init__(
        self,
        columns: Sequence[Column],
        capacity: int,
        folder: Path | None = None,
        *,
        skipping: bool = False,
    ) -> None:
        if capacity < 1:
            raise OptionError(f"a reservoir holds at least 1 sample, not {capacity}")
        self.columns, self.capacity, self.folder = tuple(columns), capacity, folder
        self.skipping = skipping
        self.offered = 0
        self.changed: list[Places] | None = None  # places, if somebody wants to know them
        self._rows: dict[str, Any] = {column.name: self._make(column) for column in columns}

    def _make(self, column: Column) -> Any:
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
        return sum(int(rows.nbytes) for rows in self._rows.values())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The rows that are there now; not to be changed."""
        rows: NDArray[Any] = self._rows[name][: len(self)]
        return rows

    def arrays(self, *names: str) -> tuple[Any, ...]:
        """Whole columns, where they are; the first ``len()`` rows count."""
        return tuple(self._rows[name] for name in names)

    def share(self, waiting: int = 0) -> float:
        """How likely the next row stays that is offered, after so many that are yet to be; later
        ones are not more likely to."""
        return min(1.0, self.capacity / (self.offered + waiting + 1))

    def offer(self, rows: Rows, seed: Sequence[int]) -> NDArray[np.int64]:
        """Offers rows one after another; returns the places that now hold another row."""
        count = len(rows[self.columns[0].name])
        columns = [column.name for column in self.columns]
        return self.offer_some(
            count, lambda kept: {name: rows[name][kept] for name in columns}, seed
        )

    def offer_some(
        self,
        count: int,
        take: Callable[[NDArray[np.int64]], Rows],
        seed: Sequence[int],
        thinned: Thinned | None = None,
    ) -> NDArray[np.int64]:
        """The same for rows of which only those that stay are made, by their numbers."""
        dice = np.random.default_rng([*seed])
        if thinned is not None:
            taken, place = self._sifted(thinned, dice)
        elif self.skipping:
            taken, place = self._skipped(count, dice)
        else:
            taken, place = self._drawn(count, dice)
        # Of several rows for one place the last one stays.
        place, last = np.unique(place[::-1], return_index=True)
        if len(place):
            self._write(place, take(taken[::-1][last]))
        self.offered += count if thinned is None else thinned.met
        return place

    def _write(self, places: Places, rows: Rows) -> None:
        for column in self.columns:
            self._rows[column.name][places] = rows[column.name]
        if self.changed is not None:
            self.changed.append(places)

    def _drawn(self, count: int, dice: np.random.Generator) -> tuple[Places, Places]:
        """The rows that stay, by their numbers in the offer, and where."""
        number = self.offered + np.arange(count, dtype=np.int64)
        place = number.copy()
        late = number >= self.capacity
        place[late] = dice.integers(0, number[late] + 1)
        taken = np.flatnonzero(place < self.capacity)
        return taken, place[taken]

    def _skipped(self, count: int, dice: np.random.Generator) -> tuple[Places, Places]:
        early = min(max(self.capacity - self.offered, 0), count)
        first = self.offered + early + 1  # so many had been offered with the first late row
        rate = self.capacity / first if count > early else 0.0
        late = np.zeros(0, dtype=np.int64)
        if rate > 0:
            left = count - early
            jumps = dice.geometric(rate, int(1.1 * rate * left) + 100)
            while jumps.sum() < left:
                jumps = np.concatenate([jumps, dice.geometric(rate, 100)])
            late = np.cumsum(jumps) - 1
            late = late[late < left]
            late = late[dice.random(len(late)) * (first + late) < first]
        places = dice.integers(0, self.capacity, len(late))
        there = np.arange(early, dtype=np.int64)
        return (
            np.concatenate([there, early + late]),
            np.concatenate([self.offered + there, places]),
        )

    def _sifted(self, thinned: Thinned, dice: np.random.Generator) -> tuple[Places, Places]:
        if thinned.share < self.share():
            raise OptionError("rows that were thinned more than the reservoir allows")
        rate = self.capacity / (self.offered + thinned.numbers + 1)
        taken = np.flatnonzero(dice.random(len(rate)) * thinned.share < rate)
        return taken, dice.integers(0, self.capacity, len(taken))

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
        self._write(np.arange(count, dtype=np.int64), state)
        self.offered = offered


class Window(Reservoir):
    """The latest rows instead: what was true of earlier strategies is forgotten."""

    def _drawn(self, count: int, dice: np.random.Generator) -> tuple[Places, Places]:
        del dice
        taken = np.arange(max(0, count - self.capacity), count, dtype=np.int64)
        return taken, (self.offered + taken) % self.capacity

    _skipped = _drawn
