"""Targets of a network that holds cumulative regrets: its last outputs and the new samples.

H. Xu, K. Li, H. Fu, Q. Fu, J. Xing, J. Cheng, "Deep (predictive) discounted counterfactual regret
minimization", AAAI 2026, without prediction: an information set adds the mean of its samples, so
that how often others play towards it in an iteration does not count, to its discounted positive
regrets, and samples of earlier iterations are not needed. *Deviations:* any sampling, not only
outcomes with a value network as baseline; negative sums are clipped when they are used instead of
in the targets, so that a network need not learn where exactly zero begins.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fogtree.deep.fitting import Data
from fogtree.deep.network import Network

_AT_ONCE = 1 << 14  # rows per forward pass


def discount(iteration: int, exponent: float) -> float:
    """The factor of earlier regrets in an iteration: 0 in the first, then growing towards 1."""
    before = float(iteration - 1) ** exponent if iteration > 1 else 0.0
    return before / (before + 1.0)


def cumulative_targets(data: Data, last: Network | None, factor: float) -> Data:
    """The data with the positive regrets of the ``last`` network, times a factor, added to the
    targets. Targets may be negative: only positive outputs count, here and in regret matching."""
    if last is None or not factor:
        return data
    targets = data.targets.copy()
    for first in range(0, len(targets), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        outputs = last.forward(data.decode(data.codes[part]))
        columns = data.columns[part].astype(np.int64)
        regrets = np.take_along_axis(outputs, np.maximum(columns, 0), axis=1)
        regrets = np.where(columns >= 0, np.maximum(regrets, 0.0), 0.0)
        targets[part] += np.float32(factor) * regrets
    return replace(data, targets=targets)
