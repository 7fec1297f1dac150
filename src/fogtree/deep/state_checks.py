"""Checks of a saved training state: all of it, before a trainer takes any of it.

A state is arrays by name: ``regret/0/weight0``, ``optimiser/regret0/first``,
``samples/regret0/codes``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.network import layer_names
from fogtree.deep.reservoir import Column
from fogtree.errors import FileFormatError
from fogtree.system.archives import check_finite

State = Mapping[str, NDArray[Any]]

_NUMBERS = ("iteration", "average_of", "nodes", "seconds")
_OPTIMISER = ("first", "second", "count")


@dataclass(frozen=True, slots=True)
class SavedNetworks:
    """Networks of one kind in a state: how many, the widths of their layers, and the names of their
    optimisers."""

    count: int
    sizes: Sequence[int]
    optimiser: str

    @property
    def parameters(self) -> int:
        """The number of weights and biases of one network."""
        return sum((inputs + 1) * outputs for inputs, outputs in pairwise(self.sizes))


@dataclass(frozen=True, slots=True)
class SavedSamples:
    """A reservoir in a state: its columns, the number of output columns that actions name, and the
    number of codes if codes are numbers."""

    columns: Sequence[Column]
    outputs: int
    codes: int | None


def whole_number(state: State, name: str, least: int) -> int:
    """The number of this name in a state; an error unless it is a whole number of at least
    ``least``."""
    value = _array(state, name)
    if value.shape or value.dtype.kind not in "iu" or int(value) < least:
        raise FileFormatError(f"'{name}' must be a whole number from {least}")
    return int(value)


def check_state(
    state: State, networks: Mapping[str, SavedNetworks], samples: Mapping[str, SavedSamples]
) -> None:
    """Refuse a state with parts that are missing, unknown, of another size, or no finite numbers,
    or with samples that no walk could have made."""
    _check_array(state, "seconds", (2,), "float64")
    known = {*_NUMBERS, "sums"}
    for kind, saved in networks.items():
        known.update(_check_networks(state, kind, saved))
    for name, reservoir in samples.items():
        known.update(_check_samples(state, f"samples/{name}/", reservoir))
    for name in state:
        if name not in known:
            raise FileFormatError(f"'{name:.60}' does not belong to a training state")
        check_finite(state[name], name)


def _check_networks(state: State, kind: str, saved: SavedNetworks) -> Iterator[str]:
    """Check the networks of one kind and their optimisers, and yield the names of their arrays."""
    for owner in range(saved.count):
        for layer, (inputs, outputs) in enumerate(pairwise(saved.sizes)):
            weight, bias = layer_names(layer, f"{kind}/{owner}/")
            _check_array(state, weight, (outputs, inputs), "float32")
            _check_array(state, bias, (outputs,), "float32")
            yield from (weight, bias)
        names = [f"optimiser/{saved.optimiser}{owner}/{part}" for part in _OPTIMISER]
        if any(name in state for name in names):
            for name in names[:2]:
                _check_array(state, name, (saved.parameters,), "float32")
            whole_number(state, names[2], 0)
            yield from names


def _check_samples(state: State, prefix: str, saved: SavedSamples) -> Iterator[str]:
    """Check the rows of a reservoir, and yield the names of its arrays."""
    whole_number(state, f"{prefix}offered", 0)
    yield f"{prefix}offered"
    iteration = int(state["iteration"])
    for column in saved.columns:
        name = f"{prefix}{column.name}"
        rows = _array(state, name)
        _check_array(state, name, (len(rows) if rows.shape else 0, *column.shape), column.kind)
        yield name
        if not rows.size:
            continue
        check_finite(rows, name)
        if not _possible(column.name, rows, saved, iteration):
            raise FileFormatError(f"'{name}' has values that no walk can have made")


def _possible(column: str, rows: NDArray[Any], saved: SavedSamples, iteration: int) -> bool:
    """Whether walks in the first ``iteration`` iterations can have made the rows of a column."""
    least, most = rows.min(), rows.max()
    match column:
        case "codes" if saved.codes is not None:
            return bool(np.ascontiguousarray(rows).view("<u4").max() < saved.codes)
        case "actions":
            return bool(least >= -1 and most < saved.outputs)
        case "weights":
            return bool(least >= 0 and most > 0)
        case "iteration":
            return bool(least >= 1 and most <= iteration)
    return True


def _array(state: State, name: str) -> NDArray[Any]:
    """An array of a saved state; an error if it is missing."""
    if name not in state:
        raise FileFormatError(f"'{name}' is missing")
    return state[name]


def _check_array(state: State, name: str, shape: tuple[int, ...], kind: str) -> None:
    """Refuse an array of a saved state that is missing or has another shape or type."""
    array = _array(state, name)
    if array.shape != shape or array.dtype != np.dtype(kind):
        raise FileFormatError(f"'{name}' does not fit")
