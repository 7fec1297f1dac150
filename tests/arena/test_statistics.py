"""Wilson intervals and Bradley-Terry ratings."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fogtree.arena import (
    bradley_terry,
    wilson,
)


def test_wilson_is_the_published_interval() -> None:
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    for wins, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        found = wilson(wins, games)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_ratings_find_the_strengths_results_were_made_of() -> None:
    strength = np.array([0.9, 0.1, -1.0])
    share = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    ratings = bradley_terry(["a", "b", "c"], 100_000 * share * (1 - np.eye(3)))
    for rating, value in zip(ratings, strength, strict=True):
        assert rating.elo.value == pytest.approx(value * 400 / math.log(10), abs=0.1)
        assert rating.elo.low < rating.elo.value < rating.elo.high
