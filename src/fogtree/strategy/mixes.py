"""From weights of actions to probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def mixes_of(weights: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.float64]:
    """Probabilities proportional to weights within every information set, uniform where all its
    weights are 0. Weights and probabilities are over slots: the actions of the first set, then
    those of the second, and so on; ``counts`` are the numbers of actions of the sets."""
    owner = np.repeat(np.arange(len(counts)), counts)
    totals = np.bincount(owner, weights=weights, minlength=len(counts))[owner]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), 1.0 / counts[owner])
