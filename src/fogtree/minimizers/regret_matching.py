"""Regret matching: play in proportion to positive regret.

Hart & Mas-Colell, "A simple adaptive procedure leading to correlated equilibrium" (2000). With
negative regrets dropped it is regret matching+, Tammelin, "Solving large imperfect information
games using CFR+" (2014). The predictive form is Farina, Kroer & Sandholm, "Faster game solving via
predictive Blackwell approachability" (2021), the asymmetric one Meng et al., "Faster game solving
via asymmetry of step sizes" (2025).
Deviations: the prediction is always the last regret.
"""

from __future__ import annotations

import numpy as np

from fogtree.minimizers.base import Floats, Minimizer


class RegretMatching(Minimizer):
    """Regret matching; ``cfr``, ``cfr+``, ``lcfr`` and ``dcfr`` differ only in their discounts."""

    def weights(self, regret: Floats) -> Floats:
        """The positive parts of the regrets."""
        return np.maximum(regret, 0.0)


class PredictiveRegretMatching(RegretMatching):
    """Regret matching on the regrets plus a prediction: the last regret counted once more."""

    prediction = 1.0
    """The share of the last regret that is added."""

    def weights(self, regret: Floats) -> Floats:
        """The positive parts of the predicted regrets: the cumulative ones plus ``prediction``
        times those of the last iteration."""
        return np.maximum(regret + self.instantaneous * self.prediction, 0.0)

    def state(self) -> dict[str, Floats]:
        return {"regret": self.regret, "instantaneous": self.instantaneous}


class AsymmetricPredictiveRegretMatching(PredictiveRegretMatching):
    """Predictive regret matching that adds a third of the last regret, so that a wrong prediction
    does less harm."""

    prediction = 1 / 3
