"""Samples that live on a device: only rows that stay are sent there, once."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.jax_backend import jax, jnp
from fogtree.deep.reservoir import Column, Places, Reservoir, Rows, Window

_SMALLEST = 1 << 12


class DeviceReservoir(Reservoir):
    """As a reservoir in memory; reading rows fetches them, as is done to save them."""

    on_device = True

    def _make(self, column: Column) -> Any:
        return jnp.zeros((self.capacity, *column.shape), np.dtype(column.kind))

    def _write(self, places: Places, rows: Rows) -> None:
        count = len(places)
        size = max(_SMALLEST, 1 << max(count - 1, 0).bit_length())  # few programs are compiled
        at = np.full(size, self.capacity, dtype=np.int32)  # beyond the end: left out
        at[:count] = places
        for column in self.columns:
            filled = np.empty((size, *column.shape), dtype=column.kind)
            filled[:count] = rows[column.name]
            self._rows[column.name] = _put(self._rows[column.name], at, filled)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.asarray(self._rows[name])[: len(self)]


class DeviceWindow(DeviceReservoir, Window):
    """As a window."""


@partial(jax.jit, donate_argnums=0)
def _put(rows: Any, places: Any, news: Any) -> Any:
    return rows.at[places].set(news, mode="drop")
