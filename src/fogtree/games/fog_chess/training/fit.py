"""Fitting of a network by JAX, a number of steps at a time.

Every step draws its batch by the seed and the step's number alone, so that a run which is stopped
and continued computes the same as one that is not.
D. P. Kingma, J. Ba, "Adam: a method for stochastic optimization" (ICLR 2015).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import FileFormatError, TrainingError
from fogtree.games.fog_chess.network.net import SCALES, FogNet
from fogtree.games.fog_chess.training.model import (
    Parameters,
    kept_in_range,
    network_of,
    parameters_of,
    values,
)
from fogtree.games.fog_chess.training.options import TrainOptions
from fogtree.games.fog_chess.training.targets import Examples
from fogtree.system.jax_device import find_device, jax, jnp

CHUNK = 8192
"""Positions valued at a time where nothing is learnt."""
_LAST_RATE = 0.01  # the learning rate at the last step, as a part of the first
_MOMENTS = ("first", "second")


class Fitter:
    """The parameters, Adam's moments and the number of steps done, on a device."""

    def __init__(
        self, options: TrainOptions, start: FogNet, examples: Examples, *, accelerator: bool
    ) -> None:
        """Put the first network, the examples and zero moments on the device, and compile the
        step."""
        self.options = options
        self._device = find_device(accelerator=accelerator)
        self.king_bucket: NDArray[Any] = start.king_bucket
        with jax.default_device(self._device):
            parameters = {name: jnp.asarray(part) for name, part in parameters_of(start).items()}
            moments = [
                {name: jnp.zeros_like(part) for name, part in parameters.items()} for _ in _MOMENTS
            ]
            self._state = parameters, *moments, jnp.zeros((), jnp.int32)
            columns = examples.boards, examples.targets, examples.weights
            rows = tuple(jnp.asarray(part) for part in columns)
            self._given = rows, jax.random.key(options.seed)
        self._advance = jax.jit(partial(_advanced, options, start.king_bucket), donate_argnums=0)
        self._values = jax.jit(partial(_values, start.king_bucket))

    @property
    def step(self) -> int:
        """Steps done."""
        return int(self._state[3])

    def advance(self, count: int) -> float:
        """Do ``count`` steps; returns their mean loss."""
        with jax.default_device(self._device):
            self._state, total = self._advance(self._state, self._given, count)
            loss = float(total) / max(count, 1)
        if not math.isfinite(loss):
            raise TrainingError(f"the loss is {loss} at step {self.step}; choose a smaller rate")
        return loss

    def values(self, boards: NDArray[np.uint8]) -> NDArray[np.float32]:
        """The values of packed boards by the present network, as it would be rounded."""
        out = np.empty(len(boards), np.float32)
        size = min(CHUNK, 1 << max(len(boards) - 1, 0).bit_length())
        with jax.default_device(self._device):
            for at in range(0, len(boards), size):
                part = boards[at : at + size]
                filled = np.zeros((size, 32), np.uint8)
                filled[: len(part)] = part
                out[at : at + len(part)] = np.asarray(self._values(self._state[0], filled))[
                    : len(part)
                ]
        return out

    def network(self, description: str) -> FogNet:
        """The present network, quantised."""
        return network_of(self._state[0], self.king_bucket, description)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The parameters, Adam's moments and the step as arrays by name, for :meth:`restore`."""
        parameters, first, second, step = self._state
        named = {"parameters": parameters, "first": first, "second": second}
        out = {
            f"{group}/{name}": np.asarray(part)
            for group, parts in named.items()
            for name, part in parts.items()
        }
        return out | {"step": np.asarray(step)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from the arrays that :meth:`arrays` returned; an error if they do not fit."""
        groups: list[Parameters] = []
        for group, present in zip(("parameters", *_MOMENTS), self._state, strict=False):
            parts = {}
            for name in SCALES:
                found = arrays.get(f"{group}/{name}")
                if found is None or found.shape != present[name].shape or found.dtype != np.float32:
                    raise FileFormatError(f"it has no '{group}/{name}' of this network")
                parts[name] = jax.device_put(found, self._device)
            groups.append(parts)
        step = arrays.get("step")
        if step is None or step.shape != () or not 0 <= int(step) <= self.options.steps:
            raise FileFormatError("it has no number of steps")
        done = jax.device_put(np.asarray(step, np.int32), self._device)
        self._state = groups[0], groups[1], groups[2], done


def _values(king_bucket: NDArray[Any], parameters: Parameters, boards: Any) -> Any:
    """The values of packed boards, with the arguments in the order that ``partial`` needs."""
    return values(parameters, king_bucket, boards)


def _advanced(
    options: TrainOptions, king_bucket: NDArray[Any], state: Any, given: Any, count: Any
) -> Any:
    """The state after ``count`` more steps, and the sum of their losses; ``given`` are the rows and
    the random key."""
    (boards, targets, weights), key = given

    def loss_of(parameters: Parameters, at: Any) -> Any:
        """The loss of these parameters on the rows with these indices."""
        wrong = values(parameters, king_bucket, boards[at]) - targets[at]
        return (weights[at] * wrong * wrong).sum() / weights[at].sum()

    def step(_: Any, carry: Any) -> Any:
        """One step of Adam on a random batch, with the learning rate of this step."""
        (parameters, first, second, done), total = carry
        at = jax.random.randint(jax.random.fold_in(key, done), (options.batch,), 0, len(targets))
        loss, gradient = jax.value_and_grad(loss_of)(parameters, at)
        share = _LAST_RATE + (1 - _LAST_RATE) * (1 + jnp.cos(jnp.pi * done / options.steps)) / 2
        done = done + 1
        first = {name: 0.9 * first[name] + 0.1 * part for name, part in gradient.items()}
        second = {
            name: 0.999 * second[name] + 0.001 * part * part for name, part in gradient.items()
        }
        parameters = {
            name: part
            - options.rate
            * share
            * (first[name] / (1 - 0.9**done))
            / (jnp.sqrt(second[name] / (1 - 0.999**done)) + 1e-8)
            for name, part in parameters.items()
        }
        return (kept_in_range(parameters), first, second, done), total + loss

    return jax.lax.fori_loop(0, count, step, (state, jnp.zeros(())))
