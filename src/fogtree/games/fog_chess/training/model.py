"""The evaluation network in JAX, with real numbers instead of the file's scaled integers (see
``docs/reference/files.md``).

Everything that the native inference rounds is rounded here too, with the gradient of the number
before rounding, so that little is lost when the network is written.
Y. Bengio, N. Léonard, A. Courville, "Estimating or propagating gradients through stochastic
neurons for conditional computation" (2013): the straight-through estimator.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import OptionError
from fogtree.games.fog_chess.network.net import (
    ONE,
    OUTPUT_ONE,
    PASSED_ON,
    PLANES,
    UNIT,
    WEIGHT_ONE,
    FogNet,
)
from fogtree.games.fog_chess.training.rows import PIECES
from fogtree.system.jax_device import jax, jnp

Parameters = dict[str, Any]
"""The network's arrays by name."""

OWN_KING = PIECES.index("K")
MOST_LAYER = 1.98
"""Weights of the first two layers are kept within this, those of the third within MOST_THIRD:
what eight bits hold."""
MOST_THIRD = 1.68
MOST_COLUMN = 7.5
"""Sums of 32 columns and the bias then fit in 16 bits."""
_CUT = 1e-3  # against a floor below the number that floating-point arithmetic misses


def parameters_of(net: FogNet) -> dict[str, NDArray[np.float32]]:
    """The parameters of a network, from which training continues."""
    if not net.mirrored or not np.isclose(net.unit, UNIT):
        raise OptionError("training can start only from a network that it has written itself")
    return net.floats()


def network_of(parameters: Parameters, king_bucket: NDArray[Any], description: str) -> FogNet:
    """The network with the file's integers that trained parameters are rounded to."""
    floats = {name: np.asarray(part) for name, part in parameters.items()}
    return FogNet.quantised(description, king_bucket, mirrored=True, **floats)


def kept_in_range(parameters: Parameters) -> Parameters:
    """The parameters clipped to what their integers hold."""
    bounds = {
        "weight": MOST_COLUMN,
        "bias": MOST_COLUMN,
        "first_weight": MOST_LAYER,
        "second_weight": MOST_LAYER,
        "third_weight": MOST_THIRD,
    }
    return {
        name: jnp.clip(part, -bounds[name], bounds[name]) if name in bounds else part
        for name, part in parameters.items()
    }


def values(parameters: Parameters, king_bucket: NDArray[Any], boards: Any) -> Any:
    """The values of packed boards (n, 32) for their movers, from −1 to 1: (n,). ``king_bucket`` has
    the bucket of each king square."""
    squares = jnp.stack([boards & 15, boards >> 4], axis=2).reshape(-1, 64).astype(jnp.int32)
    count, width = len(boards), parameters["bias"].shape[0]
    both = jnp.concatenate([squares, _from_other_side(squares)])
    features = _features(both, king_bucket)
    # Integers of at most 11 bits, so that these sums are exact at the reduced precision. The
    # gradient is not: it is computed at that precision too.
    columns = _rounded(parameters["weight"] * ONE, 1)
    sums = jnp.matmul(features, columns, precision="high") / ONE
    half = jnp.clip(sums + _rounded(parameters["bias"], ONE), 0, 1)
    pairs = _floored(half[:, : width // 2] * half[:, width // 2 :] * (ONE / 128))
    inputs = jnp.concatenate([pairs[:count], pairs[count:]], axis=1)
    squares_worth = jnp.matmul(features, parameters["psqt"], precision="highest")
    psqt = (squares_worth[:count] - squares_worth[count:]) / 2
    outputs = _layers(parameters, inputs) + psqt
    pieces = (squares > 0).sum(axis=1)
    stack = (pieces - 1) * outputs.shape[1] // 32
    return jnp.tanh(jnp.take_along_axis(outputs, stack[:, None], axis=1)[:, 0])


def _layers(parameters: Parameters, inputs: Any) -> Any:
    """The outputs of all stacks: (n, stacks)."""
    first_weight = _rounded(parameters["first_weight"], WEIGHT_ONE)
    first = _einsum("nw,sow->nso", inputs, first_weight) + parameters["first_bias"]
    passed = first[..., :PASSED_ON]
    squared = jnp.minimum(passed * passed * (ONE / 128), 1)
    middle = _floored(jnp.concatenate([squared, jnp.clip(passed, 0, 1)], axis=2))
    second_weight = _rounded(parameters["second_weight"], WEIGHT_ONE)
    second = _einsum("nsi,soi->nso", middle, second_weight) + parameters["second_bias"]
    last = _floored(jnp.clip(second, 0, 1))
    third_weight = _rounded(parameters["third_weight"], OUTPUT_ONE / ONE)
    third = _einsum("nsi,si->ns", last, third_weight) + parameters["third_bias"]
    return third + first[..., PASSED_ON]


def _from_other_side(squares: Any) -> Any:
    """Boards as the other side sees them: turned over, colours changed."""
    over = squares.reshape(-1, 8, 8)[:, ::-1].reshape(-1, 64)
    return jnp.where(over > 0, ((over - 1) ^ 1) + 1, 0)


def _features(squares: Any, king_bucket: NDArray[Any]) -> Any:
    """The network's inputs for boards of 64 piece numbers (0: empty), each 0 or 1: (n, 768 · king
    buckets), one for each king bucket, piece and square. A board whose own king is on files a to d
    is mirrored left to right first; ``king_bucket`` has the bucket of each king square."""
    count = len(squares)
    king = (squares == OWN_KING).argmax(axis=1)
    mirror = (king % 8 < 4)[:, None]
    mirrored = squares.reshape(-1, 8, 8)[:, :, ::-1].reshape(-1, 64)
    squares = jnp.where(mirror, mirrored, squares)
    numbers = jnp.arange(1, PLANES + 1)[None, :, None]
    planes = (squares[:, None, :] == numbers).astype(jnp.float32).reshape(count, PLANES * 64)
    buckets = int(king_bucket.max()) + 1
    if buckets == 1:
        return planes
    at = jnp.asarray(king_bucket, jnp.int32)[jnp.where(mirror[:, 0], king ^ 7, king)]
    return (jax.nn.one_hot(at, buckets)[:, :, None] * planes[:, None, :]).reshape(count, -1)


def _einsum(form: str, one: Any, two: Any) -> Any:
    """An Einstein sum in full precision, which accelerators reduce by default."""
    return jnp.einsum(form, one, two, precision="highest")


def _rounded(numbers: Any, one: float) -> Any:
    """The numbers rounded to multiples of 1 / ``one``, as integers store them; gradients pass
    unchanged."""
    return numbers + jax.lax.stop_gradient(jnp.round(numbers * one) / one - numbers)


def _floored(numbers: Any) -> Any:
    """Activations rounded down as the inference does; gradients pass unchanged."""
    cut = jnp.floor(numbers * ONE + _CUT) / ONE
    return numbers + jax.lax.stop_gradient(cut - numbers)
