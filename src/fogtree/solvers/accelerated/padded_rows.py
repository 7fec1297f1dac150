"""Sparse sums as rectangular arrays: entry k of every row side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int32]
Floats = NDArray[np.float64]

LONGEST_ROW = 32
"""Entries of a row that one thread of an accelerator adds; longer rows are added in stages."""


@dataclass(frozen=True)
class Entries:
    """Entries of a sparse matrix, sorted by row."""

    row: Indices
    column: Indices
    value: Floats

    @classmethod
    def sorted(cls, row: Indices, column: Indices, value: Floats) -> Entries:
        """Entries in any order."""
        order = np.lexsort((column, row))
        return cls(row[order], column[order], value[order])

    def counts(self, rows: int) -> NDArray[np.int64]:
        """The number of entries of each row."""
        return np.bincount(self.row, minlength=rows)

    def ranks(self) -> NDArray[np.int64]:
        """Each entry's place within its row."""
        starts = np.flatnonzero(np.diff(self.row, prepend=-1))
        lengths = np.diff(starts, append=len(self.row))
        return np.arange(len(self.row)) - np.repeat(starts, lengths)


@dataclass(frozen=True)
class Stage:
    """Partial sums of long rows: sum j adds ``value[:, j]`` times what is at ``index[:, j]``."""

    index: Indices
    value: Floats

    @property
    def sums(self) -> int:
        return int(self.index.shape[1])


def in_stages(entries: Entries, rows: int, sources: int) -> tuple[list[Stage], Entries]:
    """Entries in which no row is longer than LONGEST_ROW, and the stages before them. The partial
    sums of a stage are sources too, numbered from ``sources`` on; sums of the next stage follow."""
    stages: list[Stage] = []
    while entries.counts(rows).max(initial=0) > LONGEST_ROW:
        counts = entries.counts(rows)
        long = counts[entries.row] > LONGEST_ROW
        chunks = np.where(counts > LONGEST_ROW, -(-counts // LONGEST_ROW), 0)
        row, rank = entries.row[long], entries.ranks()[long]
        chunk = (np.cumsum(chunks) - chunks)[row] + rank // LONGEST_ROW
        stage = Stage(
            np.zeros((LONGEST_ROW, int(chunks.sum())), np.int32),
            np.zeros((LONGEST_ROW, int(chunks.sum()))),
        )
        stage.index[rank % LONGEST_ROW, chunk] = entries.column[long]
        stage.value[rank % LONGEST_ROW, chunk] = entries.value[long]
        stages.append(stage)
        first = rank % LONGEST_ROW == 0
        entries = Entries.sorted(
            np.concatenate([entries.row[~long], row[first]]),
            np.concatenate([entries.column[~long], (sources + chunk[first]).astype(np.int32)]),
            np.concatenate([entries.value[~long], np.ones(int(first.sum()))]),
        )
        sources += stage.sums
    return stages, entries


@dataclass(frozen=True)
class Product:
    """A sparse matrix as rectangles of rows of similar length. An entry is a column in its low
    ``bits`` and the number of its value in ``values`` above them. ``row`` names the rows in the
    order in which their sums come out."""

    rectangles: list[NDArray[Any]]
    values: Floats
    bits: int
    row: Indices


_FURTHER_RECTANGLE = 2e6
"""Entries that take as long as the launch that another rectangle costs."""


def make_product(entries: Entries, rows: int, columns: int) -> Product:
    """The rows of a matrix that have entries, the longest first."""
    counts = entries.counts(rows)
    values, number = np.unique(entries.value, return_inverse=True)
    values, number = np.concatenate([[0.0], values]), number + 1
    bits = max(1, int(columns - 1).bit_length())
    wide = bits + int(len(values) - 1).bit_length() > 32
    packed = (number.astype(np.uint64) << np.uint64(bits)) | entries.column.astype(np.uint64)
    packed = packed if wide else packed.astype(np.uint32)
    starts = np.cumsum(counts) - counts
    order = np.lexsort((np.arange(rows), -counts))
    order = order[: int((counts > 0).sum())]
    rectangles = []
    for part in np.split(order, _cuts(counts[order])):
        width = int(counts[part].max(initial=0))
        rectangle = np.zeros((width, len(part)), packed.dtype)
        for k in range(width):
            has = np.flatnonzero(counts[part] > k)
            rectangle[k, has] = packed[starts[part[has]] + k]
        rectangles.append(rectangle)
    return Product(rectangles, values, bits, order.astype(np.int32))


def _cuts(counts: NDArray[np.int64]) -> list[int]:
    """Where falling row lengths are cut into rectangles, so that padding stays small."""
    cuts: list[int] = []
    start = 0
    for length in np.unique(counts)[::-1]:
        here = int(np.searchsorted(-counts, -length))  # the first row of this length
        if here <= start:
            continue
        padding = int(counts[start]) * (len(counts) - here) - int(counts[here:].sum())
        if padding > _FURTHER_RECTANGLE:
            cuts.append(here)
            start = here
    return cuts
