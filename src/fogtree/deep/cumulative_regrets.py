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
from pathlib import Path

import numpy as np

from fogtree.deep.config import TrainingOptions
from fogtree.deep.engine import PreparedGame
from fogtree.deep.fitting import Backend, Data, Loss, merge_equal_codes
from fogtree.deep.network import Network
from fogtree.deep.training import DeepTrainer
from fogtree.errors import OptionError

_AT_ONCE = 1 << 14  # rows per forward pass


def discount(iteration: int, exponent: float) -> float:
    """The factor of earlier regrets in iteration t: (t - 1)^a / ((t - 1)^a + 1) with the exponent
    a; 0 in the first iteration, then growing towards 1."""
    before = float(iteration - 1) ** exponent if iteration > 1 else 0.0
    return before / (before + 1.0)


def cumulative_targets(data: Data, last: Network | None, factor: float) -> Data:
    """The samples with targets for cumulative regrets: each sampled regret plus the positive output
    of the ``last`` network times a factor. Targets may be negative: regret matching uses only
    positive outputs."""
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


class CumulativeRegretTrainer(DeepTrainer):
    """Deep CFR with networks that hold cumulative regrets; no samples are kept between
    iterations."""

    rescales_regrets = True

    def __init__(
        self,
        prepared: PreparedGame,
        options: TrainingOptions,
        backend: Backend,
        folder: Path | None = None,
    ) -> None:
        """Refuse a game with native walks of its own, whose samples are not merged."""
        if prepared.support is not None:
            raise OptionError(
                f"{prepared.game} has native walks of its own: training needs method deep_cfr or "
                "mmd"
            )
        super().__init__(prepared, options, backend, folder)
        self._dropped: dict[str, float] = {}

    def _merged(self, data: Data, loss: Loss) -> Data:
        """The rows with equal codes merged, also in a game that is not compiled."""
        if self.prepared.tree is None and loss == "regret":
            return merge_equal_codes(data)
        return super()._merged(data, loss)

    def _regret_targets(self, data: Data, owner: int) -> Data:
        """The samples with cumulative regrets as targets, from the owner's last network."""
        last = self.current[owner] if owner < len(self.current) else None
        factor = discount(self.iteration, self.options.regret.weight_exponent)
        return cumulative_targets(data, last, factor)

    def _fit_regret(self, owner: int) -> None:
        """Fit an owner's regret network, and drop the samples: the network has taken them in."""
        super()._fit_regret(owner)
        samples = self.regret_samples[owner]
        self._dropped[f"regret{owner}"] = len(samples) / samples.capacity
        samples.clear()

    def filled(self) -> dict[str, float]:
        """The share of each reservoir that held samples before they were dropped."""
        return {**super().filled(), **self._dropped}
