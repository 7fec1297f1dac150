"""The reference minimizers on their own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from fogtree.minimizers import MINIMIZERS, Hedge, NormalHedge, RegretMatching, scale
from fogtree.minimizers.exponential import exponential

REGRETS = st.lists(
    st.floats(-1e150, 1e150, allow_nan=False, allow_subnormal=True), min_size=1, max_size=40
)


def column(values):
    return np.array(values, dtype=float)[:, None]


@settings(max_examples=300)
@given(REGRETS)
def test_normal_hedge_never_overflows_nor_stalls(values):
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        rule = NormalHedge(np.ones((len(values), 1), dtype=bool))
        rule.regret = column(values)
        mix = rule.strategy()[:, 0]
    assert np.isfinite(mix).all()
    assert mix.sum() == pytest.approx(1)
    if max(values) > 0:
        assert (mix[np.array(values) <= 0] == 0).all()


@settings(max_examples=200)
@given(st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=12))
def test_normal_hedge_scale_solves_its_equation(values):
    positive = np.array(values)
    c = scale(column(values), np.ones((len(values), 1), dtype=bool))[0]
    assert np.mean(np.exp(positive**2 / (2 * c))) == pytest.approx(math.e, rel=1e-9)
    # an independent root finder agrees
    most = positive.max()
    root = brentq(
        lambda log_c: (
            np.mean(np.exp(np.minimum(positive**2 / (2 * math.exp(log_c)), 700))) - math.e
        ),
        math.log(most**2 / 1400),
        math.log(most**2 * 10),
        xtol=1e-13,
    )
    assert c == pytest.approx(math.exp(root), rel=1e-6)


def test_normal_hedge_of_the_walk_through():
    """c = 0.375^2 / (2 ln(2e - 1)) in closed form."""
    legal = np.ones((2, 1), dtype=bool)
    c = scale(column([-0.375, 0.375]), legal)[0]
    assert c == pytest.approx(0.375**2 / (2 * math.log(2 * math.e - 1)), rel=1e-12)
    assert 0.375 / c * math.exp(0.375**2 / (2 * c)) == pytest.approx(35.25, abs=0.01)


def test_exponential_is_the_exponential():
    x = np.linspace(-708, 80, 200_001)
    np.testing.assert_allclose(exponential(x), np.exp(x), rtol=4e-16)
    assert exponential(np.array([-1e300, -709.0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("rule", sorted(MINIMIZERS))
def test_regret_grows_slower_than_time(rule):
    """Against an adversary that pays the action played least, average regret must vanish."""
    minimizer = MINIMIZERS[rule](np.ones((3, 1), dtype=bool))
    averages = []
    for t in range(1, 4001):
        mix = minimizer.current[:, 0]
        utility = np.zeros((3, 1))
        utility[int(np.argmin(mix))] = 1.0
        minimizer.observe(utility)
        minimizer.strategy(utility)
        if t in (1000, 4000):
            averages.append(float(minimizer.regret.max()) / t)
    assert averages[0] < 0.1
    assert averages[1] < averages[0] * 0.7


def test_padding_is_never_played():
    legal = np.array([[True, True], [True, True], [True, False]])
    for kind in MINIMIZERS.values():
        minimizer = kind(legal)
        for _ in range(5):
            minimizer.observe(np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]]))
            mix = minimizer.strategy()
            assert mix[2, 1] == 0
            assert mix.sum(axis=0) == pytest.approx([1.0, 1.0])


def test_rounding_is_not_regret():
    for kind in (RegretMatching, Hedge, NormalHedge):
        minimizer = kind(np.ones((3, 1), dtype=bool))
        minimizer.observe(column([1 / 3, 1 / 3 + 5e-17, 1 / 3]))
        assert minimizer.strategy()[:, 0] == pytest.approx([1 / 3] * 3)
