"""Numbers with their errors: Wilson intervals, means, and ratings from pairwise results.

E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
American Statistical Association 22 (1927). Ratings: R. A. Bradley, M. E. Terry, "Rank analysis of
incomplete block designs", Biometrika 39 (1952), fitted by D. R. Hunter's minorization ("MM
algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004).
*Deviations:* a draw is half a win for both, in the interval as in the ratings; every pair starts
with one drawn game, so that an agent that wins every game still has a finite rating.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
"""Standard deviations from the mean to the end of a 95 % interval of a normal distribution."""
ELO_PER_NEPER = 400 / math.log(10)
"""Elo points for a factor e between the strengths of two players; 400 are a factor 10."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(wins: float, games: int, z: float = Z95) -> Interval:
    """The share of games won, a draw counting a half, with its Wilson interval."""
    if games == 0:
        return Interval(math.nan, 0.0, 1.0)
    share = wins / games
    scale = 1 + z * z / games
    centre = (share + z * z / (2 * games)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def mean(total: float, squares: float, count: int, z: float = Z95) -> Interval:
    """The mean of ``count`` numbers, from their sum and the sum of their squares, with the interval
    of a normal distribution."""
    if count < 2:
        return Interval(total / count if count else math.nan, -math.inf, math.inf)
    value = total / count
    variance = max(0.0, (squares - total * value) / (count - 1))
    half = z * math.sqrt(variance / count)
    return Interval(value, value - half, value + half)


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating in Elo points, with its 95 % interval; the mean of all agents is 0."""

    name: str
    elo: Interval


def bradley_terry(names: Sequence[str], score: NDArray[np.float64]) -> tuple[Rating, ...]:
    """Ratings from ``score[i, j]``: what i scored against j, a win counting 1 and a draw a half."""
    count = len(names)
    points = score + 0.5 * (1 - np.eye(count))
    games = points + points.T
    strength = np.zeros(count)
    for _ in range(10_000):
        power = np.exp(strength)
        against = (games / (power[:, None] + power[None, :])).sum(axis=1)
        following = np.log(points.sum(axis=1) / against)
        following -= following.mean()
        if np.abs(following - strength).max() < 1e-12:
            break
        strength = following
    share = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    information = games * share * (1 - share)
    np.fill_diagonal(information, 0.0)
    fisher = np.diag(information.sum(axis=1)) - information
    errors = np.sqrt(np.clip(np.diag(np.linalg.pinv(fisher)), 0, None))
    out = []
    for name, value, error in zip(names, strength, errors, strict=True):
        middle, half = ELO_PER_NEPER * value, ELO_PER_NEPER * Z95 * error
        out.append(Rating(name, Interval(middle, middle - half, middle + half)))
    return tuple(out)
