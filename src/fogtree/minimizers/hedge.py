"""Hedge: weights are exponential in regret.

Freund & Schapire, "A decision-theoretic generalization of on-line learning" (1997).
Deviations: the rate ``sqrt(8 ln n) / m``, with ``m`` the root of the sum of squared ranges of the
utilities seen, replaces the one tuned to a known horizon and payoff bound. ``m`` is kept without
squaring: a range may be as small as the smallest product of reaches.
"""

from __future__ import annotations

import math
from math import inf

import numpy as np

from fogtree.minimizers.base import Bools, Floats, Minimizer
from fogtree.minimizers.exponential import exponential


class Hedge(Minimizer):
    """The minimizer of ``hedge``; ``memory`` is m, one number per information set."""

    def __init__(
        self, legal: Bools, positive_exponent: float = inf, negative_exponent: float = inf
    ) -> None:
        super().__init__(legal, positive_exponent, negative_exponent)
        self.memory: Floats = np.zeros(legal.shape[1])

    def observe(self, utility: Floats) -> None:
        """Update the regrets, and ``memory`` with the range of this iteration's utilities: the root
        of the sum of all squared ranges."""
        super().observe(utility)
        high = np.where(self.legal, self.instantaneous, -inf).max(axis=0)
        low = np.where(self.legal, self.instantaneous, inf).min(axis=0)
        large, small = np.maximum(self.memory, high - low), np.minimum(self.memory, high - low)
        ratio = small / np.where(large > 0, large, 1.0)
        self.memory = large * np.sqrt(1.0 + ratio * ratio)

    def weights(self, regret: Floats) -> Floats:
        """The weights of the actions: exp(rate × (regret - largest regret)), 0 for illegal
        actions."""
        denominator, numerator = self.rate_parts()
        most = np.where(self.legal, regret, -inf).max(axis=0)
        return np.where(self.legal, exponential((regret - most) / denominator * numerator), 0.0)

    def rate(self) -> Floats:
        """The learning rate of every information set."""
        denominator, numerator = self.rate_parts()
        return numerator / denominator

    def rate_parts(self) -> tuple[Floats, Floats]:
        """Denominator and numerator of the learning rate; their quotient could overflow."""
        denominator = np.where(self.memory > 0, self.memory, 1.0)
        return denominator, np.array([math.sqrt(8.0 * math.log(n)) for n in self.counts])

    def state(self) -> dict[str, Floats]:
        return {"regret": self.regret, "memory": self.memory}
