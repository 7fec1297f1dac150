"""NormalHedge: weights grow like ``exp(R² / 2c)``, and the scale ``c`` sets itself.

Chaudhuri, Freund & Hsu, "A parameter-free hedging algorithm" (2009).
Deviations: none in the rule. The scale is found through ``tau = max(R+)² / 2c``, for which
``mean exp(q tau) = e`` with ``q = (R+ / max R+)²`` in [0, 1]: convex and increasing, its root in
``[1, ln(1 + n(e - 1))]``. Newton's method from the right end of that interval falls monotonically
to the root, so it can neither overflow nor stall, whatever the regrets are.
"""

from __future__ import annotations

import math

import numpy as np

from fogtree.minimizers.base import Bools, Floats, Minimizer
from fogtree.minimizers.exponential import exponential


def scale_exponent(q: Floats, legal: Bools) -> Floats:
    """The exponent ``tau`` of every column of ``q`` (see the module's docstring), by Newton's
    method; undefined where a column is 0."""
    count = legal.sum(axis=0).astype(np.float64)
    tau = np.array([math.log(1.0 + n * (math.e - 1.0)) for n in count])
    for _ in range(60):
        power = np.where(legal, exponential(q * tau), 0.0)
        slope = (q * power).sum(axis=0)
        step = (power.sum(axis=0) - count * np.e) / np.maximum(slope, 1.0)
        following = np.maximum(tau - step, 1.0)
        falls = tau - following > tau * 4e-16
        tau = np.where(falls, following, tau)
        if not falls.any():
            break
    return tau


def scale(regret: Floats, legal: Bools) -> Floats:
    """The scale ``c`` of every information set; 0 where no regret is positive."""
    positive = np.maximum(regret, 0.0)
    most = positive.max(axis=0)
    ratio = positive / np.where(most > 0, most, 1.0)
    with np.errstate(over="ignore", under="ignore"):  # regrets beyond 1e154 have no finite scale
        return np.where(most > 0, most * (most / (2.0 * scale_exponent(ratio**2, legal))), 0.0)


class NormalHedge(Minimizer):
    """The minimizer of ``normalhedge`` and, with negative regrets dropped, of ``normalhedge+``."""

    def weights(self, regret: Floats) -> Floats:
        """R exp(R² / 2c) of the positive regrets R, up to a common factor."""
        positive = np.maximum(regret, 0.0)
        most = positive.max(axis=0)
        ratio = positive / np.where(most > 0, most, 1.0)
        tau = scale_exponent(ratio * ratio, self.legal)
        return np.where(ratio > 0, ratio * exponential(ratio * ratio * tau), 0.0)
