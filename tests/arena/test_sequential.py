"""The sequential test that ends a match early."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from fogtree.arena import SequentialTest
from fogtree.arena.sequential import expected_score
from fogtree.errors import OptionError


def test_the_ratio_is_the_binomial_one_where_only_wins_and_losses_occur() -> None:
    test = SequentialTest(10, 60)
    low, high = expected_score(10), expected_score(60)
    wins, losses = 61, 39
    ratio = wins * math.log(high / low) + losses * math.log((1 - high) / (1 - low))
    assert test.ratio([1.0] * wins + [0.0] * losses) == pytest.approx(ratio, abs=0.01)


def test_the_ratio_is_nearly_the_normal_one_for_many_games() -> None:
    """Large samples: the likelihood ratio of a normal mean with the sample's variance."""
    scores = random.Random(3).choices([0, 0.25, 0.5, 0.75, 1], [8, 22, 40, 22, 9], k=4000)
    low, high = expected_score(0), expected_score(5)
    mean, variance = float(np.mean(scores)), float(np.var(scores))
    normal = 4000 * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert SequentialTest(0, 5).ratio(scores) == pytest.approx(normal, rel=0.05)


@pytest.mark.long
@pytest.mark.parametrize(("elo", "verdict"), [(0, "stronger"), (60, "weaker")])
def test_the_wrong_verdict_is_as_rare_as_promised(elo: float, verdict: str) -> None:
    """At the edge of a hypothesis it is wrong in 5 % of all matches; here 200 are simulated."""
    test = SequentialTest(0, 60)
    dice = random.Random(1)
    share = expected_score(elo)
    draws = 0.3
    weights = [1 - share - draws / 2, draws, share - draws / 2]
    wrong = 0
    for _ in range(200):
        scores: list[float] = []
        while (result := test.result(scores)).verdict is None:
            scores += [sum(dice.choices([0, 0.5, 1], weights, k=2)) / 2 for _ in range(4)]
        wrong += result.verdict == verdict
    assert wrong <= 20  # ten are expected, with a standard deviation of three


def test_a_test_that_makes_no_sense() -> None:
    far = ({"high": 6400.0}, {"low": -1e308, "high": 1e308}, {"high": 2001}, {"low": math.nan})
    for wrong in ({"low": 5, "high": 5}, {"high": math.inf}, {"alpha": 0.0}, {"beta": 0.7}, *far):
        with pytest.raises(OptionError):
            SequentialTest(**wrong)
    assert SequentialTest().result([]).verdict is None


def test_the_widest_test_counts_every_result() -> None:
    test = SequentialTest(-2000, 2000)
    for score, verdict in ((0.0, "weaker"), (1.0, "stronger")):
        assert test.result([score] * 50).verdict == verdict
    assert test.ratio([0.5] * 50) == pytest.approx(0, abs=1e-6)
