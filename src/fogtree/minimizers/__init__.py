"""Local regret minimizers, readable: the reference for every native kernel, and how to add one.

A minimizer decides for *all* information sets of a player at once. Arrays have one row per action
and one column per information set; rows beyond an information set's number of actions are padding
and stay 0. Your own is a subclass with one method::

    class Squared(Minimizer):
        def weights(self, regret):
            return np.maximum(regret, 0) ** 2

    solve(tree, Recipe("squared", Squared), iterations=1000)
"""

from fogtree.minimizers.base import Minimizer
from fogtree.minimizers.hedge import Hedge
from fogtree.minimizers.normal_hedge import NormalHedge, scale
from fogtree.minimizers.regret_matching import (
    AsymmetricPredictiveRegretMatching,
    PredictiveRegretMatching,
    RegretMatching,
)

MINIMIZERS: dict[str, type[Minimizer]] = {
    "regret_matching": RegretMatching,
    "predictive": PredictiveRegretMatching,
    "asymmetric_predictive": AsymmetricPredictiveRegretMatching,
    "normal_hedge": NormalHedge,
    "hedge": Hedge,
}
"""Reference minimizers by the name of their rule."""

__all__ = [
    "MINIMIZERS",
    "AsymmetricPredictiveRegretMatching",
    "Hedge",
    "Minimizer",
    "NormalHedge",
    "PredictiveRegretMatching",
    "RegretMatching",
    "scale",
]
