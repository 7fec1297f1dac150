"""Fully connected networks with rectified linear units between their layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import FileFormatError

Array = NDArray[np.float32]
Layer = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class Network:
    """A fully connected network; each layer is a weight (outputs × inputs) and a bias."""

    layers: tuple[Layer, ...]

    @classmethod
    def make(cls, sizes: Sequence[int], seed: Sequence[int]) -> Network:
        """A network with layers of the widths ``sizes``, from inputs to outputs, and random weights
        scaled for rectified layers; the last layer is zero, so that all outputs are."""
        rng = np.random.default_rng([*seed])
        layers = []
        for number, (inputs, outputs) in enumerate(pairwise(sizes)):
            last = number == len(sizes) - 2
            scale = 0.0 if last else np.sqrt(2.0 / inputs)
            weight = rng.standard_normal((outputs, inputs), dtype=np.float32) * np.float32(scale)
            layers.append((weight, np.zeros(outputs, dtype=np.float32)))
        return cls(tuple(layers))

    @property
    def inputs(self) -> int:
        return int(self.layers[0][0].shape[1])

    @property
    def sizes(self) -> list[int]:
        """The widths of the layers, that of the inputs first."""
        return [self.inputs, *(len(bias) for _, bias in self.layers)]

    @property
    def outputs(self) -> int:
        return int(self.layers[-1][0].shape[0])

    def forward(self, features: Array) -> Array:
        """The outputs of the network, one row for each row of input features."""
        out = features
        for number, (weight, bias) in enumerate(self.layers):
            out = out @ weight.T + bias
            if number < len(self.layers) - 1:
                np.maximum(out, 0.0, out=out)
        return out

    def scaled(self, factor: float) -> Network:
        """The network with outputs multiplied by a factor."""
        if factor == 1.0:
            return self
        *before, (weight, bias) = self.layers
        by = np.float32(factor)
        return Network((*before, (weight * by, bias * by)))

    def arrays(self, prefix: str = "") -> dict[str, Array]:
        """Weights and biases of all layers by name, as a file stores them; ``prefix`` begins every
        name."""
        out: dict[str, Array] = {}
        for number, layer in enumerate(self.layers):
            out.update(zip(layer_names(number, prefix), layer, strict=True))
        return out

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Any], prefix: str = "") -> Network:
        """The network whose layers are stored in arrays under these names."""
        layers: list[Layer] = []
        while f"{prefix}weight{len(layers)}" in arrays:
            number = len(layers)
            weight = np.asarray(arrays[f"{prefix}weight{number}"], dtype=np.float32)
            bias = np.asarray(arrays[f"{prefix}bias{number}"], dtype=np.float32)
            fits = weight.ndim == 2 and bias.shape == weight.shape[:1]
            if not fits or (layers and layers[-1][0].shape[0] != weight.shape[1]):
                raise FileFormatError("a network's layers do not fit together")
            layers.append((np.ascontiguousarray(weight), np.ascontiguousarray(bias)))
        if not layers:
            raise FileFormatError("there is no network in this file")
        network = cls(tuple(layers))
        network.check_finite()
        return network

    def check_finite(self) -> None:
        """Refuse weights that are not finite numbers."""
        if not all(np.isfinite(array).all() for layer in self.layers for array in layer):
            raise FileFormatError("a network has weights that are not finite numbers")

    def native(self) -> _core.DeepNetwork:
        """A copy of the network for the native engine."""
        self.check_finite()
        return _core.DeepNetwork([(weight, bias) for weight, bias in self.layers])


def layer_names(number: int, prefix: str = "") -> tuple[str, str]:
    """The names under which a layer's weight and bias are stored."""
    return f"{prefix}weight{number}", f"{prefix}bias{number}"


def regret_matching(outputs: NDArray[Any], *, uniform: bool = False) -> NDArray[np.float64]:
    """Probabilities of the legal actions (the last axis), proportional to positive regrets.

    Where no regret is positive the best action gets 1, or with ``uniform`` all the same.
    """
    values = np.asarray(outputs, dtype=np.float64)
    positive = np.maximum(values, 0.0)
    total = positive.sum(axis=-1, keepdims=True)
    if uniform:
        other = np.full_like(values, 1.0 / values.shape[-1])
    else:
        other = np.zeros_like(values)
        np.put_along_axis(other, values.argmax(axis=-1, keepdims=True), 1.0, axis=-1)
    return np.where(total > 0, positive / np.where(total > 0, total, 1.0), other)


def softmax(outputs: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities of the legal actions (the last axis) from their logits: logarithms up to a
    constant."""
    values = np.asarray(outputs, dtype=np.float64)
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    out: NDArray[np.float64] = powers / powers.sum(axis=-1, keepdims=True)
    return out
