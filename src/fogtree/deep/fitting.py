"""Fitting networks to samples: the losses, and a backend in NumPy.

D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015; gradients are clipped
by their common norm (R. Pascanu, T. Mikolov, Y. Bengio, "On the difficulty of training recurrent
neural networks", ICML 2013). *Deviations:* none. Losses are sums over legal actions, not means, so
that decisions with many actions do not count less.
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
from fogtree.deep.policy_loss import PolicyTargets, policy_gradient
from fogtree.deep.reservoir import Column, Reservoir

Shapes = tuple[tuple[int, ...], ...]
Seed = tuple[int, ...]
AdamState = dict[str, NDArray[Any]]
Loss = Literal["regret", "mix", "value", "policy"]
MOST_DECODED = 1 << 24  # numbers in input vectors that are decoded once for a whole fit
_FEW_ROWS = 8  # rows are few if there is less than one for this many codes
PART = 512  # rows of a batch that one thread computes at a time


@dataclass(frozen=True, slots=True)
class Fit:
    """The loss and the optimiser's settings.

    ``regret``: squared errors; ``mix``: cross entropy of a softmax; ``value``: squared error of one
    output, that of the action taken or the only one; ``policy``: see :mod:`~.policy_loss`.
    """

    loss: Loss
    steps: int
    batch: int
    learning_rate: float
    clip: float
    decay: bool = True  # the learning rate falls linearly to a tenth of its value
    ratio_clip: float = 0.0  # policy: PPO's clipping of probability ratios; 0: none
    entropy: float = 0.0  # policy: the weight of the entropy


@dataclass(frozen=True, slots=True)
class Data:
    """The rows that a network is fitted to: codes and the function that decodes them to inputs, the
    output columns that count (-1: none), their targets, and the rows' weights. Rows with iterations
    are weighted by a power of those as well."""

    codes: NDArray[np.uint8]
    decode: Callable[[NDArray[np.uint8]], Array]
    columns: NDArray[np.int16]
    targets: Array
    weights: Array
    iterations: NDArray[np.int32] | None = None
    iteration: int = 0  # the present one; 0: do not weight by iteration
    exponent: float = 1.0
    vectors: Callable[[], Array] | None = None  # of every code, for a device to look up
    decoding_plan: tuple[NDArray[Any], ...] | None = None  # or how a device decodes them
    decoded: Array | None = None  # the input vectors of the rows, if decoded once for a whole fit
    reservoir: Reservoir | None = None  # the rows' source, of which a device keeps a copy
    played: Array | None = None  # policy: the probabilities that were played
    anchors: Array | None = None  # policy: see PolicyTargets; targets are the advantages

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.codes) if self.reservoir is None else len(self.reservoir)

    def policy_targets(self) -> PolicyTargets:
        """The targets of a policy network."""
        assert self.played is not None
        assert self.anchors is not None
        return PolicyTargets(self.targets, self.played, self.anchors)

    def importance(self) -> Array:
        """The weight of each row, times its iteration to the power ``exponent`` and scaled to mean
        1; the plain weights if rows are not weighted by iteration."""
        if self.iterations is None or not self.iteration:
            return self.weights
        share = self.iterations / np.float32(self.iteration)
        weights = self.weights * share**self.exponent
        mean = float(weights.mean()) if len(weights) else 1.0
        return (weights / (mean or 1.0)).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted network, with the state to continue the fit from."""

    network: Network
    loss: float  # mean of the last tenth of the steps
    optimiser: dict[str, NDArray[Any]]


def merge_equal_codes(data: Data, code_count: int | None = None) -> Data:
    """Merges rows with the same code into one with their weighted mean targets. Codes are numbers
    below ``code_count``, or any bytes, which information sets with other actions may share: those
    rows stay apart. The loss changes by a constant only, and there are fewer rows to fit."""
    if code_count is None:
        columns = np.ascontiguousarray(data.columns).view(np.uint8)
        different, number = _rows_once(np.concatenate([data.codes, columns], axis=1))
        code_count = len(different)
    else:
        number = np.ascontiguousarray(data.codes).view("<i4").reshape(-1)
    if len(number) < code_count // _FEW_ROWS:  # sums over all codes would take longer
        different, number = np.unique(number, return_inverse=True)
        code_count = len(different)
    each = data.importance()
    weights = np.bincount(number, each, minlength=code_count)
    present, last = np.flatnonzero(weights > 0), np.zeros(code_count, dtype=np.int64)
    last[number] = np.arange(len(number))
    targets = [
        np.bincount(number, each * part, minlength=code_count)[present] / weights[present]
        for part in data.targets.T
    ]
    kept = last[present]
    return replace(
        data,
        codes=data.codes[kept],
        columns=data.columns[kept],
        played=None if data.played is None else data.played[kept],
        anchors=None if data.anchors is None else data.anchors[kept],
        targets=np.stack(targets, axis=1).astype(np.float32),
        weights=(weights[present] / weights[present].mean()).astype(np.float32),
        iterations=None,
        reservoir=None,
    )


def normalise_targets(data: Data) -> tuple[Data, float]:
    """The data with targets divided by their root mean square, and that number. A new network,
    whose outputs are small, then fits equally fast whatever a game's payoffs are."""
    counts = data.weights[:, None] * (data.columns >= 0)
    squares = counts * data.targets.astype(np.float64) ** 2
    size = float(np.sqrt(squares.sum() / max(float(counts.sum()), 1e-30))) or 1.0
    return replace(data, targets=data.targets / np.float32(size)), size


class Backend(Protocol):
    """Fits networks to data."""

    def reservoir(
        self, kind: type[Reservoir], columns: Sequence[Column], capacity: int, *, skipping: bool
    ) -> Reservoir:
        """A new, empty reservoir of the class ``kind``, in the memory that the backend fits from.
        ``skipping``: see :mod:`fogtree.deep.reservoir`."""

    def fit(
        self, network: Network, data: Data, fit: Fit, seed: Seed, optimiser: AdamState | None
    ) -> Fitted:
        """Fit a network to rows by ``fit.steps`` steps of Adam; ``optimiser`` is the state of an
        earlier fit to continue from."""

    def outputs(self, network: Network, data: Data) -> Array:
        """The outputs of a network for all rows; equal codes may be computed once."""


class NumpyBackend:
    """Matrix products in 32-bit numbers. Threads compute parts of a batch, which are added up in a
    fixed order: the result does not depend on their number."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    def reservoir(
        self, kind: type[Reservoir], columns: Sequence[Column], capacity: int, *, skipping: bool
    ) -> Reservoir:
        """A new, empty reservoir of the class ``kind``, in main memory."""
        return kind(columns, capacity, skipping=skipping)

    def fit(
        self, network: Network, data: Data, fit: Fit, seed: Seed, optimiser: AdamState | None = None
    ) -> Fitted:
        """Fit a network to rows by ``fit.steps`` steps of Adam; ``optimiser`` is the state of an
        earlier fit to continue from."""
        with one_thread_each(), ThreadPoolExecutor(self.threads) as pool:
            return _fit(network, data, fit, seed, optimiser=optimiser, pool=pool)

    def outputs(self, network: Network, data: Data) -> Array:
        """The network's outputs for every row; rows with equal codes are computed once."""
        codes, where = _rows_once(data.codes)
        parts = [codes[first : first + PART] for first in range(0, max(len(codes), 1), PART)]
        with one_thread_each(), ThreadPoolExecutor(self.threads) as pool:
            found = list(pool.map(lambda part: network.forward(data.decode(part)), parts))
        return np.concatenate(found)[where]


def _rows_once(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The different codes of rows, and for every row the index of its code among them."""
    wide = np.ascontiguousarray(codes).view(f"V{codes.shape[1]}").reshape(-1)
    _, first, where = np.unique(wide, return_index=True, return_inverse=True)
    return codes[first], where


def _fit(
    network: Network,
    data: Data,
    fit: Fit,
    seed: Seed,
    *,
    optimiser: AdamState | None,
    pool: ThreadPoolExecutor,
) -> Fitted:
    """Fit a network by Adam on random batches, with gradient clipping; threads of ``pool`` compute
    parts of a batch."""
    rng = np.random.default_rng([*seed])
    data = _decoded(replace(data, weights=data.importance(), iterations=None), network.inputs)
    flat, shapes = flatten(network)
    adam = Adam(flat, optimiser)
    losses: list[float] = []
    count = len(data.codes)
    for step in range(fit.steps if count else 0):
        rows = rng.integers(0, count, fit.batch) if count > fit.batch else np.arange(count)
        loss, gradient = _whole_gradient(unflatten(adam.value, shapes), data, rows, fit, pool)
        norm = float(np.sqrt(gradient @ gradient))
        if norm > fit.clip > 0:
            gradient *= np.float32(fit.clip / norm)
        share = 1.0 - 0.9 * step / fit.steps if fit.decay else 1.0
        adam.step(gradient, fit.learning_rate * share)
        losses.append(loss)
    tail = losses[-max(1, len(losses) // 10) :]
    layers = tuple((w.copy(), b.copy()) for w, b in unflatten(adam.value, shapes))
    mean = float(np.mean(tail)) if tail else float("nan")
    return Fitted(Network(layers), mean, adam.state())


def _decoded(data: Data, inputs: int) -> Data:
    """The data with the input vectors of all rows already decoded, if these take little memory."""
    if len(data.codes) * inputs > MOST_DECODED:
        return data
    return replace(data, decoded=data.decode(data.codes))


class Adam:
    """The Adam optimiser, over all parameters of a network in one array; the decay rates of its
    moments are 0.9 and 0.999."""

    def __init__(self, value: Array, state: AdamState | None) -> None:
        """Begin at the parameters ``value``; with a ``state``, continue the moments of an earlier
        fit."""
        self.value = value
        self.first = np.zeros_like(value) if state is None else state["first"].copy()
        self.second = np.zeros_like(value) if state is None else state["second"].copy()
        self.count = 0 if state is None else int(state["count"])

    def step(self, gradient: Array, rate: float) -> None:
        """One step of Adam against the gradient, with learning rate ``rate``."""
        self.count += 1
        self.first += np.float32(0.1) * (gradient - self.first)
        self.second += np.float32(0.001) * (gradient * gradient - self.second)
        first = 1 - 0.9**self.count
        second = 1 - 0.999**self.count
        root = np.sqrt(self.second * np.float32(1 / second)) + np.float32(1e-8)
        self.value -= np.float32(rate / first) * self.first / root

    def state(self) -> dict[str, NDArray[Any]]:
        """The moments and the number of steps done, by name, to continue from."""
        return {"first": self.first, "second": self.second, "count": np.array(self.count)}


def flatten(network: Network) -> tuple[Array, Shapes]:
    """All parameters of a network in one array, and the shapes of its parts."""
    parts = [part for layer in network.layers for part in layer]
    flat = np.concatenate([part.reshape(-1) for part in parts])
    return flat, tuple(part.shape for part in parts)


def unflatten(flat: Any, shapes: Shapes) -> list[tuple[Any, Any]]:
    """Weights and biases by layer, as views of a flat array of NumPy or JAX."""
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
    """The loss over the rows with these indices and its gradient by all parameters, in one array:
    weighted means over parts of the rows, which threads compute."""
    if len(rows) <= PART:
        return _gradient(layers, data, rows, fit)
    parts = [rows[first : first + PART] for first in range(0, len(rows), PART)]
    found = pool.map(lambda part: _gradient(layers, data, part, fit), parts)
    total, whole = 0.0, np.zeros(0, dtype=np.float32)
    for part, (loss, gradient) in zip(parts, found, strict=True):
        share = len(part) / len(rows)
        total += share * loss
        scaled = gradient * np.float32(share)
        whole = whole + scaled if len(whole) else scaled
    return total, whole


def _gradient(
    layers: list[Layer], data: Data, rows: NDArray[np.int64], fit: Fit
) -> tuple[float, Array]:
    """The mean loss over the rows with these indices and its gradient by all parameters, in one
    array, by backpropagation."""
    inputs = [data.decode(data.codes[rows]) if data.decoded is None else data.decoded[rows]]
    for number, (weight, bias) in enumerate(layers):
        out = inputs[-1] @ weight.T
        out += bias
        if number < len(layers) - 1:
            np.maximum(out, 0.0, out=out)
        inputs.append(out)
    outputs = inputs.pop()
    columns = data.columns[rows].astype(np.int64)
    targets = data.policy_targets().take(rows) if fit.loss == "policy" else data.targets[rows]
    total, slope = output_gradient(outputs, columns, targets, data.weights[rows], fit)
    parts: list[Array] = []
    for number in range(len(layers) - 1, -1, -1):
        weight = layers[number][0]
        parts[:0] = [(slope.T @ inputs[number]).reshape(-1), slope.sum(axis=0)]
        if number:
            slope = slope @ weight
            slope *= inputs[number] > 0
    return total, np.concatenate(parts)


def output_gradient(
    outputs: Array,
    columns: NDArray[np.int64],
    targets: Array | PolicyTargets,
    weights: Array,
    fit: Fit,
) -> tuple[float, Array]:
    """The mean weighted loss of some rows, and its gradient by every output, in the shape of
    ``outputs``. ``columns`` has for each row the output columns that count, filled up with -1;
    ``targets`` has the same shape."""
    legal = columns >= 0
    chosen = np.take_along_axis(outputs, np.where(legal, columns, 0), axis=1)
    scale = (weights / np.float32(len(outputs)))[:, None]
    if isinstance(targets, PolicyTargets):
        total, part = policy_gradient(
            chosen, legal, targets, weights, ratio_clip=fit.ratio_clip, entropy=fit.entropy
        )
    elif fit.loss == "mix":
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
