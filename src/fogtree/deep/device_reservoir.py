"""Samples that live on a device: only rows that stay are sent there, once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.jax_backend import jax, jnp
from fogtree.deep.reservoir import Column, Places, Reservoir, Rows, Window

_AT_ONCE = 1 << 16


class DeviceReservoir(Reservoir):
    """As a reservoir in memory; reading rows fetches them, as is done to save them."""

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

    def _make(self, column: Column) -> Any:
        empty = jnp.zeros((self.capacity, *column.shape), np.dtype(column.kind))
        return jax.device_put(empty, self.device)

    def _write(self, places: Places, rows: Rows) -> None:
        size = min(_AT_ONCE, self.capacity)  # always the same: one program is compiled
        for first in range(0, len(places), size):
            part = slice(first, first + size)
            at = np.full(size, self.capacity, dtype=np.int32)  # beyond the end: left out
            at[: len(places[part])] = places[part]
            for column in self.columns:
                filled = np.zeros((size, *column.shape), dtype=column.kind)
                filled[: len(places[part])] = rows[column.name][part]
                self._rows[column.name] = _put(self._rows[column.name], at, filled)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return np.asarray(self._rows[name])[: len(self)]


class DeviceWindow(DeviceReservoir, Window):
    """As a window."""


@partial(jax.jit, donate_argnums=0)
def _put(rows: Any, places: Any, news: Any) -> Any:
    return rows.at[places].set(news, mode="drop")
