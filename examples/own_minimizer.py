"""An algorithm of your own: a minimizer is one method, and runs on every game."""

import numpy as np

from fogtree import Minimizer, Recipe


class Squared(Minimizer):
    """Play in proportion to the square of positive regret."""

    def weights(self, regret):
        return np.maximum(regret, 0) ** 2


SQUARED_PLUS = Recipe("squared+", Squared, averaging="linear", negative_exponent=-np.inf)
