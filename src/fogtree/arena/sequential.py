"""The generalized sequential probability ratio test: stops a match once it is decided.

A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945);
for unknown distributions of results M. Van den Bergh, "The generalized sequential probability
ratio test for chess" (2019), with the constrained maximum likelihood of A. B. Owen's "Empirical
likelihood" (2001).
*Deviations:* one observation is a deal, played once from every seat, so that a lopsided opening
does not look like strength; a result that never occurred counts as a thousandth of an observation.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fogtree.errors import OptionError

_NEVER = 1e-3  # observations that stand for a result that did not occur
_MOST_ELO = 2000  # expected score 0.99999; far above, scores look equal
Verdict = Literal["weaker", "stronger"]


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """Is the first agent at most ``low`` or at least ``high`` Elo points better than the second?"""

    low: float = 0.0
    high: float = 20.0
    alpha: float = 0.05  # probability of the verdict "stronger" if the difference is low
    beta: float = 0.05  # probability of the verdict "weaker" if the difference is high

    def __post_init__(self) -> None:
        """Refuse hypotheses that are not in order, and error rates that make no sense."""
        if not -_MOST_ELO <= self.low < self.high <= _MOST_ELO:
            raise OptionError(
                f"a sequential test needs LOW < HIGH, both between -{_MOST_ELO} and {_MOST_ELO} "
                f"Elo, not {self.low:g}, {self.high:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise OptionError("alpha and beta of a sequential test must be between 0 and 0.5")

    @classmethod
    def read(cls, text: str) -> SequentialTest:
        """The test between the two Elo differences of ``LOW,HIGH``."""
        try:
            low, high = (float(part) for part in text.split(","))
        except ValueError:
            raise OptionError(f"--sprt needs two numbers, as in 0,20, not '{text[:40]}'") from None
        return cls(low, high)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test accepts ``low`` and ``high``."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, scores: Sequence[float]) -> float:
        """The log-likelihood ratio of the hypothesis ``high`` against ``low``, given the mean score
        of each deal, between 0 and 1."""
        if not scores:
            return 0.0
        # With two players a deal scores 0, 1/4, ... or 1: the mean of two games.
        counts = {number / 4: _NEVER for number in range(5)} | Counter(scores)
        likelihoods = [_likelihood(counts, expected_score(elo)) for elo in (self.low, self.high)]
        return likelihoods[1] - likelihoods[0]

    def result(self, scores: Sequence[float]) -> SequentialResult:
        """The state of the test after these deals."""
        ratio, (lower, upper) = self.ratio(scores), self.bounds
        verdict: Verdict | None = None
        if ratio <= lower:
            verdict = "weaker"
        elif ratio >= upper:
            verdict = "stronger"
        return SequentialResult(self.low, self.high, ratio, lower, upper, verdict)


@dataclass(frozen=True, slots=True)
class SequentialResult:
    """The state of a test; ``verdict`` is None while it is undecided."""

    low: float
    high: float
    ratio: float
    lower: float
    upper: float
    verdict: Verdict | None

    def __str__(self) -> str:
        says = self.verdict or "undecided"
        return f"{says} ({self.ratio:+z.2f} in [{self.lower:.2f}, {self.upper:.2f}])"


def expected_score(elo: float) -> float:
    """The expected score of a player who is ``elo`` points better."""
    return 1 / (1 + 10 ** (-elo / 400))


def _likelihood(counts: Mapping[float, float], mean: float) -> float:
    """The greatest log-likelihood of these scores among the distributions on them that have this
    mean.

    Its probabilities are p_i ∝ n_i / (1 + θ (a_i − mean)), θ such that the mean is right.
    """
    total = sum(counts.values())
    # Between these all probabilities are positive; the sum falls from +∞ to −∞.
    low, high = -1 / (max(counts) - mean), -1 / (min(counts) - mean)
    for _ in range(200):
        theta = (low + high) / 2  # bisection
        slope = sum(n * (a - mean) / (1 + theta * (a - mean)) for a, n in counts.items())
        low, high = (theta, high) if slope > 0 else (low, theta)
    theta = (low + high) / 2
    return sum(n * math.log(n / total / (1 + theta * (a - mean))) for a, n in counts.items())
