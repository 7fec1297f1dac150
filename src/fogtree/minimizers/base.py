"""The base of all regret minimizers: accumulates regrets and turns them into a strategy."""

from __future__ import annotations

import math
from math import inf, isinf

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import OptionError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ROUNDING = 2.0**-44
"""Regrets below this part of the largest utility are rounding of sums whose true difference is 0.
The rules are scale-free and would turn such noise into pure strategies, so it counts as 0."""


def discount_factor(t: int, exponent: float) -> float:
    """``t^a / (t^a + 1)``; 1 for ``a = inf`` and 0 for ``a = -inf``."""
    if isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    try:
        return 1.0 / (1.0 + math.pow(t, -exponent))
    except OverflowError:
        return 0.0


class Minimizer:
    """Regrets in, strategies out. Subclasses say how, in :meth:`weights`.

    ``legal`` has a row per action and a column per information set. After iteration ``t`` regrets
    are multiplied by :func:`discount_factor`, by sign: ``(inf, -inf)`` keeps them at zero or above.
    """

    def __init__(
        self, legal: Bools, positive_exponent: float = inf, negative_exponent: float = inf
    ) -> None:
        """Begin without regrets, so with uniform strategies. ``legal`` marks the actions that each
        information set has; the exponents are those of the discounts of positive and of negative
        regrets."""
        self.legal = legal
        self.counts = legal.sum(axis=0)
        self.exponents = (positive_exponent, negative_exponent)
        self.t = 0
        self.regret: Floats = np.zeros(legal.shape)
        self.instantaneous: Floats = np.zeros(legal.shape)
        self.current: Floats = self.normalised(np.zeros(legal.shape))

    def weights(self, regret: Floats) -> Floats:
        """The unnormalised probabilities of the actions from their cumulative regrets: at least 0,
        and all 0 for the uniform strategy."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'weights'")

    def strategy(self, prediction: Floats | None = None) -> Floats:
        """The next strategy, from the regrets so far. ``prediction`` guesses the next utilities;
        rules that use it override this method."""
        del prediction
        self.current = self.normalised(self.weights(self.regret))
        return self.current

    def observe(self, utility: Floats) -> None:
        """Update the regrets with the counterfactual value of every action against the others."""
        self.t += 1
        expected = (self.current * utility).sum(axis=0)
        gain = utility - expected
        noise = np.abs(utility).max(axis=0, initial=0.0) * ROUNDING
        self.instantaneous = np.where(self.legal & (np.abs(gain) > noise), gain, 0.0)
        regret = self.regret + self.instantaneous
        positive, negative = (discount_factor(self.t, a) for a in self.exponents)
        self.regret = regret * np.where(regret > 0, positive, negative)

    def normalised(self, weights: Floats) -> Floats:
        """Weights as probabilities; uniform where all weights of an information set are 0."""
        if np.shape(weights) != self.legal.shape:
            raise OptionError(
                f"{type(self).__name__}.weights must give an array of shape {self.legal.shape}, "
                f"not {np.shape(weights)}"
            )
        weights = np.where(self.legal, weights, 0.0)  # padding never counts
        if not (weights >= 0).all():
            raise OptionError(f"{type(self).__name__}.weights gave a weight that is not at least 0")
        total = weights.sum(axis=0)
        some = total > 0
        shares = weights / np.where(some, total, 1.0)
        return np.where(self.legal, np.where(some, shares, 1.0 / self.counts), 0.0)

    def state(self) -> dict[str, Floats]:
        """Arrays to save for an exact resume, besides ``t`` and the current strategy."""
        return {"regret": self.regret}

    def restore(self, t: int, current: Floats, state: dict[str, Floats]) -> None:
        """Continue from what :meth:`state` returned."""
        self.t, self.current = t, current
        for name, values in state.items():
            setattr(self, name, values)
