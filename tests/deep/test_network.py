"""The native network against NumPy, on every instruction set of this processor."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import _core
from tests.support.networks import numpy_forward, random_layers


def sparse_features(rows: int, width: int) -> np.ndarray:
    random = np.random.default_rng(7)
    features = (random.random((rows, width)) < 0.15).astype(np.float32)
    features[:, -3:] = random.normal(size=(rows, 3))
    return features


@pytest.mark.parametrize("kernels", _core.DeepNetwork.kernels())
@pytest.mark.parametrize(
    "sizes", [(40, 5), (40, 256, 7), (40, 33, 5), (100, 256, 256, 146), (9, 64, 1, 130, 3)]
)
def test_forward_is_numpys(sizes, kernels):
    layers = random_layers(1, *sizes)
    network = _core.DeepNetwork(layers, kernels)
    for rows in (1, 7, 8, 45):
        features = sparse_features(rows, sizes[0])
        out = network.forward(features)
        assert out.shape == (rows, sizes[-1])
        assert out == pytest.approx(numpy_forward(layers, features), abs=2e-5)


def quantised_forward(layers, features):
    """Layers between the first and the head in whole numbers: 7 bits times 8 bits."""
    (first, first_bias), *middle, (head, head_bias) = layers
    x = np.maximum(features @ first.T + first_bias, 0.0)
    for weight, bias in middle:
        unit = np.abs(weight).max(axis=1, keepdims=True) / 127
        most = x.max(axis=1, keepdims=True) / 127
        whole = np.floor(x / np.where(most > 0, most, 1.0) + 0.5)
        x = np.maximum((whole @ np.rint(weight / unit).T) * (most * unit.T) + bias, 0.0)
    return x @ head.T + head_bias


@pytest.mark.parametrize("kernels", _core.DeepNetwork.kernels())
@pytest.mark.parametrize("sizes", [(40, 7, 5), (100, 256, 256, 146), (40, 33, 70, 20, 5)])
def test_quantised_is_numpys(sizes, kernels):
    layers = random_layers(4, *sizes)
    network = _core.DeepNetwork(layers, kernels, quantised=True)
    features = sparse_features(45, sizes[0])
    out, exact = network.forward(features), numpy_forward(layers, features)
    expected = quantised_forward(layers, features.astype(np.float64))
    # A number on the edge may be rounded either way; hardly any is.
    off = np.abs(out - expected)
    assert np.median(off) < 1e-5
    assert off.max() < 0.01
    assert np.abs(out - exact).max() < 0.03 * np.abs(exact).max()
    if len(sizes) > 3:
        assert not np.allclose(out, exact, atol=1e-5)


@pytest.mark.parametrize("quantised", [False, True])
@pytest.mark.parametrize("kernels", _core.DeepNetwork.kernels())
def test_a_row_does_not_depend_on_its_company(kernels, quantised):
    layers = random_layers(2, 60, 256, 128, 20)
    network = _core.DeepNetwork(layers, kernels, quantised=quantised)
    features = sparse_features(77, 60)
    together = network.forward(features)
    for row in (0, 5, 31, 32, 76):
        assert np.array_equal(network.forward(features[row : row + 1])[0], together[row])
    assert np.array_equal(network.forward(features[::-1].copy())[::-1], together)


def test_layers_must_fit():
    good = random_layers(3, 4, 5, 6)
    for bad in ([], [good[0], good[0]], [(good[0][0], good[1][1])]):
        with pytest.raises(ValueError):
            _core.DeepNetwork(bad)
    with pytest.raises(ValueError):
        _core.DeepNetwork(good).forward(np.zeros((2, 3), np.float32))
