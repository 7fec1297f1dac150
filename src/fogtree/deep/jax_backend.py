"""Fitting on an accelerator by JAX, with samples that are kept and decoded there.

Losses and optimiser are those of :mod:`fogtree.deep.fitting`. Samples are sent to the device as
codes, once; every step draws its batch there. A fit is a sequence of short programs, of which only
a few are queued at a time, so that walks can use the device in between.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.device_arrays import decode, overwrite
from fogtree.deep.device_reservoir import DeviceReservoir, DeviceWindow
from fogtree.deep.fitting import AdamState, Data, Fit, Fitted, Seed, Shapes, flatten, unflatten
from fogtree.deep.network import Network
from fogtree.deep.policy_loss import LEAST_PROBABILITY
from fogtree.deep.reservoir import Column, Reservoir, Window
from fogtree.system.jax_device import find_device, jax, jnp

_LEAST_ROWS = 1 << 12  # smallest size of padded arrays
_COLUMNS = ("codes", "actions", "targets", "weights", "iteration")


class JaxBackend:
    """Fits networks on an accelerator, or on the processor as JAX uses it.

    ``program`` is the number of steps per program, ``ahead`` the number of queued programs.
    """

    def __init__(self, *, accelerator: bool = True, program: int = 8, ahead: int = 2) -> None:
        self.device = find_device(accelerator=accelerator)
        self.program = program
        self.ahead = ahead
        self._programs: dict[Any, Any] = {}
        self._copies: dict[int, _DeviceCopy] = {}

    def fit(
        self, network: Network, data: Data, fit: Fit, seed: Seed, optimiser: AdamState | None = None
    ) -> Fitted:
        """Fit a network on the device, in programs of several steps each, a few of which are queued
        ahead."""
        if not data.count:
            return Fitted(network, float("nan"), {})
        with jax.default_device(self.device):
            begin, shapes = flatten(network)
            flat = jnp.asarray(begin)
            carry = (flat, *_adam_state(flat, optimiser)), jnp.zeros((), jnp.int32), jnp.zeros(())
            key = jax.random.key(int(np.random.default_rng([*seed]).integers(2**31)))
            numbers = jnp.float32(fit.learning_rate), jnp.float32(fit.entropy)
            count = jnp.asarray(data.count)
            given = (key, count, *numbers), self._rows(data), _decoder(data)
            queued: deque[Any] = deque()
            for first in range(0, fit.steps, self.program):
                steps = min(self.program, fit.steps - first)
                carry, mark = self._program(fit, steps, shapes, data)(carry, given)
                queued.append(mark)
                if len(queued) > self.ahead:
                    queued.popleft().block_until_ready()
            (flat, *state), _, total = carry
            mean = float(total) / _averaged_steps(fit)
        return _fitted(np.asarray(flat), state, shapes, mean)

    def outputs(self, network: Network, data: Data) -> NDArray[np.float32]:
        """The network's outputs for every row, computed on the device."""
        flat, shapes = flatten(network)
        with jax.default_device(self.device):
            codes, decoder = _filled(data.codes, _padded_size(data.count)), _decoder(data)
            key = "outputs", shapes, data.vectors is not None
            if key not in self._programs:
                self._programs[key] = jax.jit(partial(_outputs, shapes))
            return np.asarray(self._programs[key](flat, codes, decoder))[: data.count]

    def _rows(self, data: Data) -> tuple[Any, ...]:
        """The rows to fit as arrays on the device, with weights that include the iterations."""
        reservoir = data.reservoir
        if reservoir is None:
            return _padded(data)
        if reservoir.on_device:
            rows = reservoir.arrays(*_COLUMNS)
        else:
            rows = self._copies.setdefault(id(reservoir), _DeviceCopy(reservoir)).rows()
        *columns, weights, iterations = rows
        if data.iteration:
            weights = _importance(weights, iterations, data.iteration, data.exponent, data.count)
        return (*columns, weights)

    def reservoir(
        self, kind: type[Reservoir], columns: Sequence[Column], capacity: int, *, skipping: bool
    ) -> Reservoir:
        """A new, empty reservoir in the device's memory that samples as the class ``kind`` does."""
        found = DeviceWindow if issubclass(kind, Window) else DeviceReservoir
        return found(columns, capacity, skipping=skipping, device=self.device)

    def _program(self, fit: Fit, steps: int, shapes: Shapes, data: Data) -> Any:
        """The compiled program of ``steps`` steps of fitting; each kind is compiled once."""
        fixed = replace(fit, learning_rate=0.0, entropy=0.0)  # these two are arguments
        key = fixed, steps, shapes, data.vectors is not None
        if key not in self._programs:
            self._programs[key] = jax.jit(partial(_run, fixed, steps, shapes), donate_argnums=0)
        return self._programs[key]


def _adam_state(flat: Any, saved: AdamState | None) -> Any:
    """Adam's first and second moments and number of steps on the device: those of an earlier fit,
    or zeros."""
    if not saved:
        return jnp.zeros_like(flat), jnp.zeros_like(flat), jnp.zeros((), jnp.int32)
    moments = jnp.asarray(saved["first"]), jnp.asarray(saved["second"])
    return *moments, jnp.asarray(saved["count"], jnp.int32)


def _fitted(flat: NDArray[Any], state: Any, shapes: Shapes, loss: float) -> Fitted:
    """The result of a fit, brought back from the device."""
    layers = tuple((np.array(w), np.array(b)) for w, b in unflatten(flat, shapes))
    names = ("first", "second", "count")
    saved = {name: np.asarray(value) for name, value in zip(names, state, strict=True)}
    return Fitted(Network(layers), loss, saved)


class _DeviceCopy:
    """A copy of a reservoir on the device; only changed rows are sent."""

    def __init__(self, reservoir: Reservoir) -> None:
        self.reservoir = reservoir
        self.arrays: list[Any] = []

    def rows(self) -> tuple[Any, ...]:
        """The reservoir's columns on the device; rows that changed since the last call are sent
        first."""
        reservoir, size = self.reservoir, self.reservoir.capacity  # one size: compiled once
        if not self.arrays:
            self.arrays = [_filled(reservoir[name], size) for name in _COLUMNS]
        elif reservoir.changed:
            changed = np.unique(np.concatenate(reservoir.changed))
            count = max(_LEAST_ROWS, 1 << (len(changed) - 1).bit_length())
            indices = np.full(count, size, dtype=np.int32)  # out of range: not written
            indices[: len(changed)] = changed
            for number, name in enumerate(_COLUMNS):
                values = _filled(reservoir[name][changed], count)
                self.arrays[number] = overwrite(self.arrays[number], indices, values)
        reservoir.changed = []
        return tuple(self.arrays)


def _filled(rows: NDArray[Any], size: int) -> Any:
    """Rows on the device, padded with rows of zeros to ``size`` rows."""
    out = np.zeros((size, *rows.shape[1:]), dtype=rows.dtype)
    out[: len(rows)] = rows
    return jnp.asarray(out)


@partial(jax.jit)
def _importance(weights: Any, iterations: Any, iteration: Any, exponent: Any, count: Any) -> Any:
    """As :meth:`fogtree.deep.fitting.Data.importance`; only the first ``count`` rows are filled."""
    out = weights * (iterations / iteration) ** exponent
    filled = jnp.arange(len(weights)) < count
    mean = jnp.where(filled, out, 0).sum() / count
    return out / jnp.where(mean > 0, mean, 1)


def _padded_size(count: int) -> int:
    """The next power of two, from 4096 up: arrays of few different sizes need few compiled
    programs."""
    return max(_LEAST_ROWS, 1 << (count - 1).bit_length())


def _padded(data: Data) -> tuple[Any, ...]:
    """The arrays of the rows on the device, padded to a power of two so that few programs are
    compiled: codes, columns, targets, weights and, for a policy, what was played and anchors."""
    size = _padded_size(len(data.codes))
    rows = (data.codes, data.columns, data.targets, data.importance(), data.played, data.anchors)
    return tuple(_filled(part, size) for part in rows if part is not None)


def _decoder(data: Data) -> Any:
    """The array of all vectors, or the decoding plan, on the device."""
    if data.vectors is not None:
        return jnp.asarray(data.vectors())
    assert data.decoding_plan is not None
    return tuple(jnp.asarray(part) for part in data.decoding_plan)


def _forward(flat: Any, shapes: Shapes, features: Any) -> Any:
    """The outputs of a network whose parameters are one array."""
    layers, out = unflatten(flat, shapes), features
    for number, (weight, bias) in enumerate(layers):
        out = out @ weight.T + bias
        if number < len(layers) - 1:
            out = jax.nn.relu(out)
    return out


def _outputs(shapes: Shapes, flat: Any, codes: Any, decoder: Any) -> Any:
    """The outputs of a network for rows of codes."""
    return _forward(flat, shapes, decode(codes, decoder))


def _loss(fit: Fit, entropy: Any, outputs: Any, rows: Any) -> Any:
    """The mean weighted loss of a batch over the legal actions, as in
    :func:`fogtree.deep.fitting.output_gradient`; ``rows`` are the arrays of the batch without the
    codes."""
    columns, targets, weights, *policy = rows
    columns = columns.astype(jnp.int32)
    legal = columns >= 0
    chosen = jnp.take_along_axis(outputs, jnp.where(legal, columns, 0), axis=1)
    if fit.loss == "policy":
        each = _policy_loss(fit, entropy, chosen, legal, (targets, *policy))
        return jnp.mean(weights * each.sum(axis=1))
    if fit.loss == "mix":
        logs = jax.nn.log_softmax(jnp.where(legal, chosen, -1e30), axis=1)
        each = -jnp.where(legal, targets * logs, 0.0)
    else:
        each = jnp.where(legal, (chosen - targets) ** 2, 0.0)
    return jnp.mean(weights * each.sum(axis=1))


def _policy_loss(fit: Fit, entropy: Any, chosen: Any, legal: Any, targets: Any) -> Any:
    """The loss of :mod:`fogtree.deep.policy_loss` by decision and action; ``chosen`` are the logits
    of the actions."""
    advantages, played, anchors = targets
    logs = jnp.where(legal, jax.nn.log_softmax(jnp.where(legal, chosen, -1e30), axis=1), 0.0)
    mix = jnp.where(legal, jnp.exp(logs), 0.0)
    played = jnp.maximum(played, LEAST_PROBABILITY)
    ratio = mix / played
    gain = ratio * advantages
    if fit.ratio_clip > 0:
        low, high = 1 - fit.ratio_clip, 1 + fit.ratio_clip
        gain = jnp.minimum(gain, jnp.clip(ratio, low, high) * advantages)
    return jnp.where(legal, mix * (entropy * logs - anchors) - played * gain, 0.0)


def _averaged_steps(fit: Fit) -> int:
    """The number of last steps over which the loss is averaged."""
    return max(1, fit.steps // 10)


def _run(fit: Fit, steps: int, shapes: Shapes, start: Any, given: Any) -> Any:
    """Run some steps of a fit on the device. Returns the state at their end and, for the caller to
    wait on, the number of steps done.

    ``start``: the network with Adam's state, the number of steps done, the sum of losses;
    ``given``: the random key with the number of rows, the learning rate and the weight of the
    entropy; the rows; the decoder.
    """
    (key, count, rate, entropy), (codes, *rows), decoder = given

    def loss_of(flat: Any, at: Any) -> Any:
        """The loss of a network on the rows with these indices."""
        outputs = _forward(flat, shapes, decode(codes[at], decoder))
        return _loss(fit, entropy, outputs, [part[at] for part in rows])

    def step(carry: Any, _: Any) -> Any:
        """One step of Adam on a random batch; ``carry`` has the network, Adam's state, the step
        number and the sum of losses."""
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
        flat = flat - rate * share * ahead / spread
        total = total + jnp.where(number >= fit.steps - _averaged_steps(fit), loss, 0.0)
        return ((flat, first, second, done), number + 1, total), None

    carry, _ = jax.lax.scan(step, start, length=steps)
    return carry, carry[1]
