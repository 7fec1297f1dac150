"""How networks are fitted to samples: what is minimised, and NumPy's way of doing it.

D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015; gradients are clipped
by their common norm (R. Pascanu, T. Mikolov, Y. Bengio, "On the difficulty of training recurrent
neural networks", ICML 2013). *Deviations:* none. Losses count legal actions only and are not
divided by their number, which would make rich decisions count less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.blas import one_thread_each
from fogtree.deep.network import Array, Layer, Network
from fogtree.deep.reservoir import Column, Reservoir

Loss = Literal["regret", "mix", "value"]
PART = 512  # rows of a batch that a thread takes at a time


@dataclass(frozen=True, slots=True)
class Fit:
    """What to minimise, and how long. ``regret``: squares; ``mix``: cross entropy of a softmax;
    ``value``: squares of one output, of the action taken or the only one."""

    loss: Loss
    steps: int
    batch: int
    learning_rate: float
    clip: float
    decay: bool = True  # the learning rate falls linearly to a tenth


@dataclass(frozen=True, slots=True)
class Data:
    """Rows to fit: codes and how they become vectors, columns of the outputs that count (-1: none),
    what they should be, and how much the row matters: its weight, times a power of its iteration
    where there is one, over the mean of all."""

    codes: NDArray[np.uint8]
    decode: Callable[[NDArray[np.uint8]], Array]
    columns: NDArray[np.int16]
    targets: Array
    weights: Array
    iterations: NDArray[np.int32] | None = None
    now: int = 0  # the present iteration; 0: it does not matter
    exponent: float = 1.0
    table: Callable[[], Array] | None = None  # of every code, for a device to look up
    plan: tuple[NDArray[Any], ...] | None = None  # or how a device decodes them
    kept: Reservoir | None = None  # where the rows are from, for a device to keep a copy

    @property
    def count(self) -> int:
        return len(self.codes) if self.kept is None else len(self.kept)

    def importance(self) -> Array:
        if self.iterations is None or not self.now:
            return self.weights
        share = self.iterations / np.float32(self.now)
        weights = self.weights * share**self.exponent
        mean = float(weights.mean()) if len(weights) else 1.0
        return (weights / (mean or 1.0)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Fitted:
    network: Network
    loss: float  # mean of the last tenth of the steps
    optimiser: dict[str, NDArray[Any]]


def merged(data: Data, kinds: int) -> Data:
    """Rows of one code as one row, its targets their weighted mean; codes are numbers below
    ``kinds``. The loss differs by a constant only, and there are fewer rows to fit."""
    number = np.ascontiguousarray(data.codes).view("<i4").reshape(-1)
    each = data.importance()
    weights = np.bincount(number, each, minlength=kinds)
    there, last = np.flatnonzero(weights > 0), np.zeros(kinds, dtype=np.int64)
    last[number] = np.arange(len(number))
    targets = [
        np.bincount(number, each * part, minlength=kinds)[there] / weights[there]
        for part in data.targets.T
    ]
    return replace(
        data,
        codes=data.codes[last[there]],
        columns=data.columns[last[there]],
        targets=np.stack(targets, axis=1).astype(np.float32),
        weights=(weights[there] / weights[there].mean()).astype(np.float32),
        iterations=None,
        kept=None,
    )


def of_unit_size(data: Data) -> tuple[Data, float]:
    """Targets divided by their size, and that size. A network that begins at small outputs is soon
    there, whatever a game's points are."""
    counts = data.weights[:, None] * (data.columns >= 0)
    squares = counts * data.targets.astype(np.float64) ** 2
    size = float(np.sqrt(squares.sum() / max(float(counts.sum()), 1e-30))) or 1.0
    return replace(data, targets=data.targets / np.float32(size)), size


class Backend(Protocol):
    """Something that fits networks."""

    def reservoir(
        self, kind: type[Reservoir], columns: Sequence[Column], capacity: int, *, skipping: bool
    ) -> Reservoir:
        """One of that kind whose rows are where they are fitted."""

    def fit(
        self,
        network: Network,
        data: Data,
        fit: Fit,
        seed: tuple[int, ...],
        optimiser: dict[str, NDArray[Any]] | None,
    ) -> Fitted: ...


class NumpyBackend:
    """Plain matrix products in 32-bit numbers. Parts of a batch are for several threads; they are
    added up in order, so the result is the same however many there are."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    def reservoir(
        self, kind: type[Reservoir], columns: Sequence[Column], capacity: int, *, skipping: bool
    ) -> Reservoir:
        return kind(columns, capacity, skipping=skipping)

    def fit(
        self,
        network: Network,
        data: Data,
        fit: Fit,
        seed: tuple[int, ...],
        optimiser: dict[str, NDArray[Any]] | None = None,
    ) -> Fitted:
        with one_thread_each(), ThreadPoolExecutor(self.threads) as pool:
            return _fit(network, data, fit, seed, optimiser=optimiser, pool=pool)


def _fit(
    network: Network,
    data: Data,
    fit: Fit,
    seed: tuple[int, ...],
    *,
    optimiser: dict[str, NDArray[Any]] | None,
    pool: ThreadPoolExecutor,
) -> Fitted:
    dice = np.random.default_rng([*seed])
    data = replace(data, weights=data.importance(), iterations=None)
    flat, shapes = _flatten(network)
    adam = Adam(flat, optimiser)
    losses: list[float] = []
    count = len(data.codes)
    for step in range(fit.steps if count else 0):
        rows = dice.integers(0, count, fit.batch) if count > fit.batch else np.arange(count)
        loss, gradient = _whole_gradient(_layers(adam.value, shapes), data, rows, fit, pool)
        norm = float(np.sqrt(gradient @ gradient))
        if norm > fit.clip > 0:
            gradient *= np.float32(fit.clip / norm)
        share = 1.0 - 0.9 * step / fit.steps if fit.decay else 1.0
        adam.step(gradient, fit.learning_rate * share)
        losses.append(loss)
    tail = losses[-max(1, len(losses) // 10) :]
    layers = tuple((w.copy(), b.copy()) for w, b in _layers(adam.value, shapes))
    mean = float(np.mean(tail)) if tail else float("nan")
    return Fitted(Network(layers), mean, adam.state())


class Adam:
    """All numbers of a network in one row."""

    def __init__(self, value: Array, state: dict[str, NDArray[Any]] | None) -> None:
        self.value = value
        self.first = np.zeros_like(value) if state is None else state["first"].copy()
        self.second = np.zeros_like(value) if state is None else state["second"].copy()
        self.count = 0 if state is None else int(state["count"])

    def step(self, gradient: Array, rate: float) -> None:
        self.count += 1
        self.first += np.float32(0.1) * (gradient - self.first)
        self.second += np.float32(0.001) * (gradient * gradient - self.second)
        first = 1 - 0.9**self.count
        second = 1 - 0.999**self.count
        root = np.sqrt(self.second * np.float32(1 / second)) + np.float32(1e-8)
        self.value -= np.float32(rate / first) * self.first / root

    def state(self) -> dict[str, NDArray[Any]]:
        return {"first": self.first, "second": self.second, "count": np.array(self.count)}


def _flatten(network: Network) -> tuple[Array, list[tuple[int, ...]]]:
    parts = [part for layer in network.layers for part in layer]
    flat = np.concatenate([part.reshape(-1) for part in parts])
    return flat, [part.shape for part in parts]


def _layers(flat: Array, shapes: list[tuple[int, ...]]) -> list[Layer]:
    parts = []
    at = 0
    for shape in shapes:
        size = int(np.prod(shape))
        parts.append(flat[at : at + size].reshape(shape))
        at += size
    return list(zip(parts[::2], parts[1::2], strict=True))


def _whole_gradient(
    layers: list[Layer], data: Data, rows: NDArray[np.int64], fit: Fit, pool: ThreadPoolExecutor
) -> tuple[float, Array]:
    """The mean over parts of the rows, each on a thread of its own if there are as many."""
    if len(rows) <= PART:
        return _gradient(layers, data, rows, fit.loss)
    parts = [rows[first : first + PART] for first in range(0, len(rows), PART)]
    found = pool.map(lambda part: _gradient(layers, data, part, fit.loss), parts)
    total, whole = 0.0, np.zeros(0, dtype=np.float32)
    for part, (loss, gradient) in zip(parts, found, strict=True):
        share = len(part) / len(rows)
        total += share * loss
        scaled = gradient * np.float32(share)
        whole = whole + scaled if len(whole) else scaled
    return total, whole


def _gradient(
    layers: list[Layer], data: Data, rows: NDArray[np.int64], loss: Loss
) -> tuple[float, Array]:
    inputs = [data.decode(data.codes[rows])]
    for number, (weight, bias) in enumerate(layers):
        out = inputs[-1] @ weight.T
        out += bias
        if number < len(layers) - 1:
            np.maximum(out, 0.0, out=out)
        inputs.append(out)
    outputs = inputs.pop()
    columns = data.columns[rows].astype(np.int64)
    total, slope = output_slope(outputs, columns, data.targets[rows], data.weights[rows], loss)
    parts: list[Array] = []
    for number in range(len(layers) - 1, -1, -1):
        weight = layers[number][0]
        parts[:0] = [(slope.T @ inputs[number]).reshape(-1), slope.sum(axis=0)]
        if number:
            slope = slope @ weight
            slope *= inputs[number] > 0
    return total, np.concatenate(parts)


def output_slope(
    outputs: Array, columns: NDArray[np.int64], targets: Array, weights: Array, loss: Loss
) -> tuple[float, Array]:
    """The mean weighted loss of some rows, and its slope by every output."""
    legal = columns >= 0
    chosen = np.take_along_axis(outputs, np.where(legal, columns, 0), axis=1)
    scale = (weights / np.float32(len(outputs)))[:, None]
    if loss == "mix":
        peak = np.where(legal, chosen, -np.inf).max(axis=1, keepdims=True)
        shifted = np.where(legal, chosen - peak, -np.inf)
        powers = np.exp(shifted)
        sums = powers.sum(axis=1, keepdims=True)
        logs = np.where(legal, shifted - np.log(sums), 0.0)
        total = -float((scale * targets * logs).sum())
        part = scale * (powers / sums - targets)
    else:
        error = chosen - targets
        total = float((scale * error * error)[legal].sum())
        part = 2 * scale * error
    slope = np.zeros_like(outputs)
    row = np.broadcast_to(np.arange(len(outputs))[:, None], columns.shape)
    slope[row[legal], columns[legal]] = part[legal]
    return total, slope
