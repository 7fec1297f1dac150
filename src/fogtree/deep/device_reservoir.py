"""Reservoirs in the memory of an accelerator: only rows that are kept are sent there, once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.device_arrays import overwrite
from fogtree.deep.reservoir import Column, Indices, Reservoir, Rows, Window
from fogtree.system.jax_device import jax, jnp

_ROWS_PER_WRITE = 1 << 16


class DeviceReservoir(Reservoir):
    """A reservoir whose rows are on a device. Reading a column, which is needed for saving, copies
    it to the host."""

    on_device = True

    def __init__(
        self,
        columns: Sequence[Column],
        capacity: int,
        *,
        skipping: bool = False,
        device: Any = None,
    ) -> None:
        self.device = device or jax.devices()[0]
        super().__init__(columns, capacity, skipping=skipping)

    def _empty_column(self, column: Column) -> Any:
        """A column for ``capacity`` rows of zeros, in the device's memory."""
        empty = jnp.zeros((self.capacity, *column.shape), np.dtype(column.kind))
        return jax.device_put(empty, self.device)

    def _write(self, indices: Indices, rows: Rows) -> None:
        """Overwrite rows on the device, in parts of one size, so that one program is compiled."""
        size = min(_ROWS_PER_WRITE, self.capacity)  # one size, so that one program is compiled
        for first in range(0, len(indices), size):
            part = slice(first, first + size)
            at = np.full(size, self.capacity, dtype=np.int32)  # out of range: not written
            at[: len(indices[part])] = indices[part]
            for column in self.columns:
                filled = np.zeros((size, *column.shape), dtype=column.kind)
                filled[: len(indices[part])] = rows[column.name][part]
                self._rows[column.name] = overwrite(self._rows[column.name], at, filled)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column's present rows, copied to the host."""
        return np.asarray(self._rows[name])[: len(self)]


class DeviceWindow(DeviceReservoir, Window):
    """A window on a device."""
