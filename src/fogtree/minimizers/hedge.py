"""Hedge: weights are exponential in regret.

Freund & Schapire, "A decision-theoretic generalization of on-line learning" (1997).
Deviations: the rate ``sqrt(8 ln n / sum of squared ranges of the utilities seen)`` replaces the
one tuned to a known horizon and payoff bound.
"""

from __future__ import annotations

from math import inf

import numpy as np

from fogtree.minimizers.base import Bools, Floats, Minimizer


class Hedge(Minimizer):
    def __init__(
        self, legal: Bools, positive_exponent: float = inf, negative_exponent: float = inf
    ) -> None:
        super().__init__(legal, positive_exponent, negative_exponent)
        self.memory: Floats = np.zeros(legal.shape[1])

    def observe(self, utility: Floats) -> None:
        super().observe(utility)
        high = np.where(self.legal, self.instantaneous, -inf).max(axis=0)
        low = np.where(self.legal, self.instantaneous, inf).min(axis=0)
        self.memory = self.memory + (high - low) * (high - low)

    def weights(self, regret: Floats) -> Floats:
        seen = np.where(self.memory > 0, self.memory, 1.0)
        rate = np.sqrt(8.0 * np.log(self.counts) / seen)
        most = np.where(self.legal, regret, -inf).max(axis=0)
        return np.where(self.legal, np.exp(rate * (regret - most)), 0.0)

    def state(self) -> dict[str, Floats]:
        return {"regret": self.regret, "memory": self.memory}
