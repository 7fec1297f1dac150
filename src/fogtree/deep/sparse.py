"""Matrices of mostly zeros, stored by rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Dense = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Row r has ``value[k]`` in column ``index[k]`` for k in ``range(first[r], first[r + 1])``."""

    first: NDArray[np.int64]
    index: NDArray[np.uint16]
    value: Dense
    width: int

    def __len__(self) -> int:
        return len(self.first) - 1

    @classmethod
    def of_dense(cls, matrix: Dense) -> SparseRows:
        """Sparse rows from a dense matrix."""
        row, column = np.nonzero(matrix)
        counts = np.bincount(row, minlength=len(matrix))
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(first, column.astype(np.uint16), matrix[row, column], matrix.shape[1])

    @classmethod
    def of_columns(cls, columns: NDArray[np.int32], width: int) -> SparseRows:
        """Rows of ``width`` columns: row r has ones in the columns that ``columns[r]`` lists; -1
        stands for no column."""
        there = columns >= 0
        first = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int64)
        index = columns[there].astype(np.uint16)
        return cls(first, index, np.ones(len(index), dtype=np.float32), width)

    def take(self, rows: NDArray[np.int64]) -> SparseRows:
        """The rows with these numbers, in this order."""
        at, counts = self._places(rows)
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return SparseRows(first, self.index[at], self.value[at], self.width)

    def dense(self, rows: NDArray[np.int64] | None = None) -> Dense:
        """Some rows, by default all, as a dense matrix."""
        if rows is None:
            rows = np.arange(len(self))
        at, counts = self._places(rows)
        out = np.zeros((len(rows), self.width), dtype=np.float32)
        out[np.repeat(np.arange(len(rows)), counts), self.index[at]] = self.value[at]
        return out

    def _places(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The positions of some rows' entries in ``index`` and ``value``, and the number of entries
        per row."""
        begin = self.first[rows]
        counts = self.first[rows + 1] - begin
        ends = np.cumsum(counts)
        within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
        return np.repeat(begin, counts) + within, counts
