"""Fitting networks: gradients, Adam, and losses over legal actions only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from fogtree.deep.fitting import (
    PART,
    Adam,
    Data,
    Fit,
    NumpyBackend,
    _gradient,
    _whole_gradient,
    merge_equal_codes,
    normalise_targets,
    output_gradient,
)
from fogtree.deep.network import Network, regret_matching, softmax
from fogtree.deep.policy_loss import anchors
from tests.support.networks import random_layers

FIT = Fit("regret", 20, 32, 0.01, 1.0)


def make_data(rows=40, inputs=6, outputs=5, most=3):
    dice = np.random.default_rng(5)
    table = dice.normal(size=(rows, inputs)).astype(np.float32)
    columns = np.full((rows, most), -1, dtype=np.int16)
    targets = np.zeros((rows, most), dtype=np.float32)
    for row in range(rows):
        count = dice.integers(1, most + 1)
        columns[row, :count] = dice.choice(outputs, count, replace=False)
        targets[row, :count] = dice.dirichlet(np.ones(count))
    codes = np.arange(rows, dtype="<i4").view(np.uint8).reshape(rows, 4)
    weights = dice.uniform(0.5, 2.0, rows).astype(np.float32)

    def decode(some):
        return table[np.ascontiguousarray(some).view("<i4").reshape(-1)]

    return Data(
        codes, decode, columns, targets, weights, vectors=None if table is None else lambda: table
    )


@pytest.mark.parametrize("loss", ["regret", "mix"])
def test_gradient_is_the_slope_of_the_loss(loss):
    data = make_data()
    network = Network.make([6, 7, 5], (1,))
    dice = np.random.default_rng(2)
    layers = [(dice.normal(size=w.shape), dice.normal(size=b.shape)) for w, b in network.layers]
    rows = np.arange(40)
    exact = Data(
        data.codes,
        lambda codes: data.decode(codes).astype(np.float64),
        data.columns,
        data.targets.astype(np.float64),
        data.weights.astype(np.float64),
    )
    fit = replace(FIT, loss=loss)
    _, gradient = _gradient(layers, exact, rows, fit)
    flat = np.concatenate([part.reshape(-1) for layer in layers for part in layer])
    parts = [part for layer in layers for part in layer]
    for place in dice.choice(len(flat), 25, replace=False):
        totals = []
        for step in (1e-5, -1e-5):
            moved = flat.copy()
            moved[place] += step
            pieces = np.split(moved, np.cumsum([part.size for part in parts])[:-1])
            shaped = [p.reshape(q.shape) for p, q in zip(pieces, parts, strict=True)]
            changed = list(zip(shaped[::2], shaped[1::2], strict=True))
            totals.append(_gradient(changed, exact, rows, fit)[0])
        assert gradient[place] == pytest.approx((totals[0] - totals[1]) / 2e-5, rel=1e-4, abs=1e-7)


def test_loss_is_not_divided_by_the_number_of_actions():
    outputs = np.zeros((2, 4), dtype=np.float32)
    columns = np.array([[0, -1, -1], [1, 2, 3]])
    targets = np.ones((2, 3), dtype=np.float32)
    total, slope = output_gradient(outputs, columns, targets, np.ones(2, np.float32), FIT)
    assert total == pytest.approx((1 + 3) / 2)
    assert slope[0].tolist() == [-1, 0, 0, 0]
    assert slope[1].tolist() == [0, -1, -1, -1]


def test_adam_as_in_the_paper():
    value = np.array([1.0, -2.0], dtype=np.float32)
    adam = Adam(value.copy(), None)
    first = second = np.zeros(2)
    expected = value.astype(np.float64)
    for step in range(1, 6):
        gradient = np.array([0.3 * step, -1.0], dtype=np.float32)
        adam.step(gradient, 0.01)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        expected -= 0.01 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    assert adam.value == pytest.approx(expected, rel=1e-5)


def test_fits_weighted_means():
    """Rows that look alike: the answer is their weighted mean."""
    codes = np.zeros((4, 4), dtype=np.uint8)
    data = Data(
        codes,
        lambda some: np.ones((len(some), 1), dtype=np.float32),
        np.array([[0, 1]] * 4, dtype=np.int16),
        np.array([[1, 0], [3, 2], [5, 4], [7, 6]], dtype=np.float32),
        np.array([1, 1, 1, 5], dtype=np.float32) / 2,
    )
    fitted = NumpyBackend().fit(
        Network.make([1, 8, 2], (0,)), data, Fit("regret", 800, 64, 0.02, 10.0), (1,)
    )
    assert fitted.network.forward(np.ones((1, 1), np.float32))[0] == pytest.approx(
        [5.5, 4.5], abs=0.25
    )


def test_parts_of_a_batch_make_up_the_whole():
    """Three parts, the last one smaller: their mean is the gradient, on any number of threads."""
    data = make_data(rows=2 * PART + 100)
    rows = np.arange(2 * PART + 100)
    layers = list(Network.make([6, 7, 5], (1,)).layers)
    with ThreadPoolExecutor(2) as pool:
        total, whole = _whole_gradient(layers, data, rows, FIT, pool)
    expected, gradient = _gradient(layers, data, rows, FIT)
    assert total == pytest.approx(expected, rel=1e-5)
    assert whole == pytest.approx(gradient, abs=1e-6)
    fit = replace(FIT, batch=len(rows))
    first, *others = (
        NumpyBackend(threads).fit(Network.make([6, 7, 5], (1,)), data, fit, (1,)).network
        for threads in (1, 2, 3)
    )
    for other in others:
        for (a, b), (c, d) in zip(first.layers, other.layers, strict=True):
            assert np.array_equal(a, c)
            assert np.array_equal(b, d)


def test_products_are_on_one_thread_each_while_it_fits():
    seen = []

    def decode(some):
        seen.extend(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")
        return np.ones((len(some), 6), dtype=np.float32)

    before = threadpool_info()
    NumpyBackend(2).fit(Network.make([6, 5], (1,)), replace(make_data(), decode=decode), FIT, (1,))
    assert set(seen) == {1}
    assert threadpool_info() == before


def test_targets_normalise_targets():
    """Only what is legal counts, by its weight; nothing but zeros stays as it is."""
    data = make_data()
    scaled, size = normalise_targets(data)
    legal = data.columns >= 0
    counts = np.broadcast_to(data.weights[:, None], legal.shape)[legal]
    assert np.average(scaled.targets[legal] ** 2, weights=counts) == pytest.approx(1)
    assert scaled.targets * size == pytest.approx(data.targets)
    assert normalise_targets(replace(data, targets=0 * data.targets))[1] == 1
    network = NumpyBackend().fit(Network.make([6, 7, 5], (1,)), data, FIT, (1,)).network
    rows = data.decode(data.codes)
    assert network.scaled(3.0).forward(rows) == pytest.approx(3 * network.forward(rows), abs=1e-5)


def test_jax_fits_the_same():
    pytest.importorskip("jax")
    from fogtree.deep.jax_backend import JaxBackend

    data = make_data(rows=1)  # one row only: which rows are drawn does not matter
    for loss in ("regret", "mix"):
        fit = Fit(loss, 50, 8, 0.01, 0.5)
        network = Network.make([6, 7, 5], (3,))
        ours = NumpyBackend().fit(network, data, fit, (1,))
        theirs = JaxBackend(accelerator=False).fit(network, data, fit, (1,))
        for (a, b), (c, d) in zip(ours.network.layers, theirs.network.layers, strict=True):
            assert a == pytest.approx(c, abs=1e-4)
            assert b == pytest.approx(d, abs=1e-4)
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-3)


def test_mixes():
    assert regret_matching(np.array([1.0, -2.0, 3.0])).tolist() == [0.25, 0, 0.75]
    assert regret_matching(np.array([-3.0, -1.0, -2.0])).tolist() == [0, 1, 0]
    assert regret_matching(np.array([-3.0, -1.0]), uniform=True).tolist() == [0.5, 0.5]
    assert softmax(np.log([0.2, 0.3, 0.5])) == pytest.approx([0.2, 0.3, 0.5])


def policy_data(rows=40):
    """Rows with advantages, played probabilities and anchors, as of a policy network."""
    data, dice = make_data(rows), np.random.default_rng(8)
    legal = data.columns >= 0
    advantages = np.where(legal, dice.normal(size=legal.shape), 0.0).astype(np.float32)
    anchors = np.where(legal, dice.normal(size=legal.shape), 0.0).astype(np.float32)
    return replace(data, targets=advantages, played=data.targets, anchors=anchors)


@pytest.mark.parametrize("ratio_clip", [0.0, 0.2])
def test_gradient_of_the_policy_loss(ratio_clip):
    data, dice = policy_data(), np.random.default_rng(3)
    fit = replace(FIT, loss="policy", ratio_clip=ratio_clip, entropy=0.7)
    outputs = dice.normal(size=(40, 5))
    columns = data.columns.astype(np.int64)
    rest = columns, data.policy_targets(), data.weights.astype(np.float64), fit
    _, slope = output_gradient(outputs, *rest)
    for _ in range(60):
        row, column = dice.integers(40), dice.integers(5)
        ends = []
        for step in (1e-5, -1e-5):
            moved = outputs.copy()
            moved[row, column] += step
            ends.append(output_gradient(moved, *rest)[0])
        assert slope[row, column] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-4, abs=1e-7)


def test_the_least_policy_loss_is_the_step_of_mirror_descent():
    """One decision: with exact advantages the fit ends at the closed form of the update,
    (q m^(as) e^(sA))^(1 / (1 + as)), as in equation 7 of Sokota et al."""
    magnet_weight, step = 0.4, 1.5
    played = np.array([[0.5, 0.3, 0.2]], dtype=np.float32)
    magnet = np.array([[0.2, 0.2, 0.6]], dtype=np.float32)
    advantages = np.array([[0.3, -0.5, 0.1]], dtype=np.float32)
    data = Data(
        np.zeros((1, 4), dtype=np.uint8),
        lambda codes: np.ones((len(codes), 1), dtype=np.float32),
        np.arange(3, dtype=np.int16)[None],
        advantages,
        np.ones(1, dtype=np.float32),
        played=played,
        anchors=anchors(played, magnet, magnet_weight, 1 / step),
    )
    fit = Fit("policy", 3000, 1, 0.01, 0.0, entropy=magnet_weight + 1 / step)
    network = NumpyBackend().fit(Network.make([1, 3], (1,)), data, fit, (1,)).network
    power = played * magnet ** (magnet_weight * step) * np.exp(step * advantages)
    expected = power ** (1 / (1 + magnet_weight * step))
    assert softmax(network.forward(np.ones((1, 1), dtype=np.float32))) == pytest.approx(
        expected / expected.sum(), abs=1e-4
    )


def test_jax_fits_policies_the_same():
    pytest.importorskip("jax")
    from fogtree.deep.jax_backend import JaxBackend

    backend, data = JaxBackend(accelerator=False), policy_data(1)
    network = Network.make([6, 5], (3,))
    for rate in (0.01, 0.02):  # the second uses the compiled program of the first
        fit = Fit("policy", 30, 8, rate, 0.5, ratio_clip=0.2, entropy=0.3)
        ours = NumpyBackend().fit(network, data, fit, (1,))
        theirs = backend.fit(network, data, fit, (1,))
        assert ours.network.layers[0][0] == pytest.approx(theirs.network.layers[0][0], abs=1e-4)
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-3)
    assert backend.outputs(network, data) == pytest.approx(
        NumpyBackend().outputs(network, data), abs=1e-5
    )


def test_rows_are_merged_alike_however_many_codes_there_are():
    data = make_data(30)
    twice = replace(data, codes=np.concatenate([data.codes[:15]] * 2))
    few, many = (merge_equal_codes(twice, count) for count in (30, 10**6))
    assert len(few.codes) == 15
    for name in ("codes", "columns", "targets", "weights"):
        assert np.array_equal(getattr(few, name), getattr(many, name)), name


def test_equal_codes_with_other_actions_are_not_merged():
    data = make_data(3)
    data = replace(
        data,
        codes=np.repeat(data.codes[:1], 3, axis=0),
        columns=np.array([[0, 1, -1], [2, 3, -1], [0, 1, -1]], dtype=np.int16),
        targets=np.array([[1, 2, 0], [10, 20, 0], [3, 4, 0]], dtype=np.float32),
        weights=np.ones(3, dtype=np.float32),
    )
    merged = merge_equal_codes(data)
    rows = {
        tuple(c): t for c, t in zip(merged.columns.tolist(), merged.targets.tolist(), strict=True)
    }
    assert rows == {(0, 1, -1): [2, 3, 0], (2, 3, -1): [10, 20, 0]}
    assert sorted(merged.weights.tolist()) == pytest.approx([2 / 3, 4 / 3])


def test_equal_codes_have_equal_outputs():
    data, network = make_data(7), Network(tuple(random_layers(2, 6, 8, 5)))
    twice = replace(data, codes=np.concatenate([data.codes, data.codes[::-1]]))
    expected = network.forward(data.decode(twice.codes))
    assert NumpyBackend(2).outputs(network, twice) == pytest.approx(expected, abs=1e-6)
