"""Fitting on an accelerator, with samples that are kept and decoded there.

What is minimised and how is as in :mod:`fogtree.deep.fitting`. Samples go to the device as codes
and stay there; every step draws its rows there, and all that goes from one to the next is there. A
fit is many short programs, of which few are waiting at a time: whoever else uses the device gets in
between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.fitting import Data, Fit, Fitted
from fogtree.deep.network import Network
from fogtree.deep.reservoir import Column, Reservoir, Window
from fogtree.errors import MissingExtraError, OptionError

try:
    jax: Any = import_module("jax")
    jnp: Any = import_module("jax.numpy")
except ImportError as error:
    raise MissingExtraError("jax", "deep") from error

_SMALLEST = 1 << 12
_COLUMNS = ("codes", "actions", "targets", "weights", "iteration")


def find_device(*, accelerator: bool) -> Any:
    """The first accelerator, or the processor as JAX sees it."""
    try:
        return jax.devices("gpu" if accelerator else "cpu")[0]
    except RuntimeError as error:
        raise OptionError("JAX finds no accelerator here; use --device cpu") from error


class JaxBackend:
    """Networks fitted by JAX on its first device of the kind asked for.

    ``program``: steps of one program; ``ahead``: programs that wait for their turn.
    """

    def __init__(self, *, accelerator: bool = True, program: int = 8, ahead: int = 2) -> None:
        self.device = find_device(accelerator=accelerator)
        self.program = program
        self.ahead = ahead
        self._programs: dict[Any, Any] = {}
        self._copies: dict[int, _Copy] = {}

    def fit(
        self,
        network: Network,
        data: Data,
        fit: Fit,
        seed: tuple[int, ...],
        optimiser: dict[str, NDArray[Any]] | None = None,
    ) -> Fitted:
        if not data.count:
            return Fitted(network, float("nan"), {})
        with jax.default_device(self.device):
            parts = [part for layer in network.layers for part in layer]
            shapes = tuple(part.shape for part in parts)
            flat = jnp.asarray(np.concatenate([part.reshape(-1) for part in parts]))
            carry = (flat, *self._state(flat, optimiser)), jnp.zeros((), jnp.int32), jnp.zeros(())
            key = jax.random.key(int(np.random.default_rng([*seed]).integers(2**31)))
            given = (key, jnp.asarray(data.count)), self._rows(data), _tables(data)
            begun: deque[Any] = deque()
            for first in range(0, fit.steps, self.program):
                steps = min(self.program, fit.steps - first)
                carry, mark = self._program(fit, steps, shapes, data)(carry, given)
                begun.append(mark)
                if len(begun) > self.ahead:
                    begun.popleft().block_until_ready()
            (flat, *state), _, total = carry
            mean = float(total) / _counted(fit)
        return self._fitted(np.asarray(flat), state, shapes, mean)

    def _rows(self, data: Data) -> tuple[Any, ...]:
        if data.kept is None:
            return _padded(data)
        if data.kept.on_device:
            rows = data.kept.arrays(*_COLUMNS)
        else:
            rows = self._copies.setdefault(id(data.kept), _Copy(data.kept)).rows()
        *columns, weights, iterations = rows
        if data.now:
            weights = _importance(weights, iterations, data.now, data.exponent, data.count)
        return (*columns, weights)

    def reservoir(
        self, kind: type[Reservoir], columns: Sequence[Column], capacity: int, *, skipping: bool
    ) -> Reservoir:
        from fogtree.deep.device_reservoir import (  # noqa: PLC0415 - it imports this module
            DeviceReservoir,
            DeviceWindow,
        )

        found = DeviceWindow if issubclass(kind, Window) else DeviceReservoir
        return found(columns, capacity, skipping=skipping, device=self.device)

    @staticmethod
    def _state(flat: Any, saved: dict[str, NDArray[Any]] | None) -> Any:
        zeros = jnp.zeros_like(flat)
        count = jnp.zeros((), jnp.int32)
        if saved:
            return (
                jnp.asarray(saved["first"]),
                jnp.asarray(saved["second"]),
                jnp.asarray(saved["count"], jnp.int32),
            )
        return zeros, jnp.zeros_like(flat), count

    def _program(
        self, fit: Fit, steps: int, shapes: tuple[tuple[int, ...], ...], data: Data
    ) -> Any:
        kind = "table" if data.table is not None else "columns"
        known = self._programs.get((fit, steps, shapes, kind))
        if known is None:
            known = jax.jit(partial(_run, fit, steps, shapes), donate_argnums=0)
            self._programs[fit, steps, shapes, kind] = known
        return known

    @staticmethod
    def _fitted(
        flat: NDArray[Any], state: Any, shapes: tuple[tuple[int, ...], ...], loss: float
    ) -> Fitted:
        parts, at = [], 0
        for shape in shapes:
            size = int(np.prod(shape))
            parts.append(np.array(flat[at : at + size].reshape(shape), dtype=np.float32))
            at += size
        names = ("first", "second", "count")
        kept = {name: np.asarray(value) for name, value in zip(names, state, strict=True)}
        return Fitted(Network(tuple(zip(parts[::2], parts[1::2], strict=True))), loss, kept)


class _Copy:
    """A reservoir's rows on the device; only what changed is sent."""

    def __init__(self, kept: Reservoir) -> None:
        self.kept = kept
        self.size = 0
        self.arrays: list[Any] = []

    def rows(self) -> tuple[Any, ...]:
        size = self.kept.capacity  # from the beginning, so that nothing is compiled twice
        names = _COLUMNS
        if size != self.size:
            self.arrays = [_filled(self.kept[name], size) for name in names]
            self.size = size
        elif self.kept.changed:
            places = np.unique(np.concatenate(self.kept.changed))
            count = max(_SMALLEST, 1 << (len(places) - 1).bit_length())
            at = np.full(count, size, dtype=np.int32)  # beyond the end: left out
            at[: len(places)] = places
            for number, name in enumerate(names):
                news = _filled(self.kept[name][places], count)
                self.arrays[number] = _put(self.arrays[number], at, news)
        self.kept.changed = []
        return tuple(self.arrays)


def _filled(rows: NDArray[Any], size: int) -> Any:
    out = np.zeros((size, *rows.shape[1:]), dtype=rows.dtype)
    out[: len(rows)] = rows
    return jnp.asarray(out)


@partial(jax.jit, donate_argnums=0)
def _put(rows: Any, places: Any, news: Any) -> Any:
    return rows.at[places].set(news, mode="drop")


@partial(jax.jit)
def _importance(weights: Any, iterations: Any, now: Any, exponent: Any, count: Any) -> Any:
    """As :meth:`fogtree.deep.fitting.Data.importance`; only the first rows count."""
    out = weights * (iterations / now) ** exponent
    there = jnp.arange(len(weights)) < count
    mean = jnp.where(there, out, 0).sum() / count
    return out / jnp.where(mean > 0, mean, 1)


def _padded(data: Data) -> tuple[Any, ...]:
    """Rows on the device, filled up to a power of two so that few programs are compiled."""
    count = len(data.codes)
    size = max(_SMALLEST, 1 << (count - 1).bit_length())
    rows = (data.codes, data.columns, data.targets, data.importance())
    return tuple(_filled(part, size) for part in rows)


def _tables(data: Data) -> Any:
    if data.table is not None:
        return jnp.asarray(data.table())
    assert data.plan is not None
    return tuple(jnp.asarray(part) for part in data.plan)


def decode(codes: Any, tables: Any) -> Any:
    """Inputs from codes: a table to look them up in, or where each column comes from."""
    if not isinstance(tables, tuple):
        wide = codes.astype(jnp.int32)
        number = wide[:, 0] | wide[:, 1] << 8 | wide[:, 2] << 16 | wide[:, 3] << 24
        return tables[number]
    source, kind, argument, scale = tables
    wide = codes.astype(jnp.int32)
    byte = wide[:, source]
    high = wide[:, jnp.minimum(source + 1, codes.shape[1] - 1)]
    number = jnp.where(kind == 3, byte + 256 * high, byte)
    return jnp.where(
        kind == 0,
        (byte == argument).astype(jnp.float32),
        jnp.where(
            kind == 1,
            (byte >> argument & 1).astype(jnp.float32),
            number.astype(jnp.float32) / scale,
        ),
    )


def _forward(flat: Any, shapes: tuple[tuple[int, ...], ...], features: Any) -> Any:
    parts, at = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(flat[at : at + size].reshape(shape))
        at += size
    out = features
    for number in range(0, len(parts), 2):
        out = out @ parts[number].T + parts[number + 1]
        if number < len(parts) - 2:
            out = jax.nn.relu(out)
    return out


def _loss(fit: Fit, outputs: Any, columns: Any, targets: Any, weights: Any) -> Any:
    legal = columns >= 0
    chosen = jnp.take_along_axis(outputs, jnp.where(legal, columns, 0), axis=1)
    if fit.loss == "mix":
        logs = jax.nn.log_softmax(jnp.where(legal, chosen, -1e30), axis=1)
        each = -jnp.where(legal, targets * logs, 0.0)
    else:
        each = jnp.where(legal, (chosen - targets) ** 2, 0.0)
    return jnp.mean(weights * each.sum(axis=1))


def _counted(fit: Fit) -> int:
    """Over how many of the last steps the loss is averaged."""
    return max(1, fit.steps // 10)


def _run(fit: Fit, steps: int, shapes: tuple[tuple[int, ...], ...], start: Any, given: Any) -> Any:
    """``start``: the network and Adam's state, how many steps there were, the sum of losses;
    ``given``: the key and how many rows there are, these, and tables."""
    (key, count), rows, tables = given
    codes, columns, targets, weights = rows

    def loss_of(flat: Any, at: Any) -> Any:
        outputs = _forward(flat, shapes, decode(codes[at], tables))
        return _loss(fit, outputs, columns[at].astype(jnp.int32), targets[at], weights[at])

    def step(carry: Any, _: Any) -> Any:
        (flat, first, second, done), number, total = carry
        at = jax.random.randint(jax.random.fold_in(key, number), (fit.batch,), 0, count)
        loss, gradient = jax.value_and_grad(loss_of)(flat, at)
        norm = jnp.sqrt(jnp.sum(gradient * gradient))
        if fit.clip > 0:
            gradient = gradient * jnp.minimum(1.0, fit.clip / jnp.maximum(norm, 1e-12))
        done = done + 1
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient * gradient
        share = 1.0 - 0.9 * number / fit.steps if fit.decay else 1.0
        ahead = first / (1 - 0.9 ** done.astype(jnp.float32))
        spread = jnp.sqrt(second / (1 - 0.999 ** done.astype(jnp.float32))) + 1e-8
        flat = flat - fit.learning_rate * share * ahead / spread
        total = total + jnp.where(number >= fit.steps - _counted(fit), loss, 0.0)
        return ((flat, first, second, done), number + 1, total), None

    carry, _ = jax.lax.scan(step, start, length=steps)
    return carry, carry[1]
