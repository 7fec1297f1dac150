"""The loss of a policy network in magnetic mirror descent, and its gradient.

S. Sokota et al., "A unified approach to reinforcement learning, quantal response equilibria, and
two-player zero-sum games", ICLR 2023; the clipped surrogate is that of J. Schulman et al.,
"Proximal policy optimization algorithms", 2017. With the policy p, the policy q that played,
advantages A, a magnet m, its weight a and the step size s, the loss of a decision is

    - sum q min(r A, clip(r, 1 - c, 1 + c) A) + a KL(p, m) + 1/s KL(p, q),    r = p / q.

*Deviations:* the advantage of an action that was not taken is 0 and that of the action taken is
divided by q, so that the first sum is PPO's term for one sampled action, and the same loss takes
exact advantages of all actions; terms that do not depend on p are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.network import Array

LEAST_PROBABILITY = 1e-8
"""Smaller probabilities of the policy that played count as this."""


@dataclass(frozen=True, slots=True)
class PolicyTargets:
    """Targets of a policy network, one row per decision and one column per legal action.

    ``anchors`` is a log m + 1/s log q: all of the two divergences but the entropy of p.
    """

    advantages: Array
    played: Array
    anchors: Array

    def take(self, rows: NDArray[np.int64]) -> PolicyTargets:
        """The targets of the rows with these numbers."""
        return PolicyTargets(self.advantages[rows], self.played[rows], self.anchors[rows])


def anchors(
    played: Array, magnet: Array | None, magnet_weight: float, inverse_step: float
) -> Array:
    """The anchors of decisions, see :class:`PolicyTargets`: ``inverse_step`` (1/s) times log
    ``played`` plus ``magnet_weight`` (a) times log ``magnet``. The magnet None is uniform play,
    which would add a constant only."""
    out = np.float32(inverse_step) * np.log(np.maximum(played, LEAST_PROBABILITY))
    if magnet is not None:
        out += np.float32(magnet_weight) * np.log(np.maximum(magnet, LEAST_PROBABILITY))
    return out.astype(np.float32)


def policy_gradient(
    chosen: Array,
    legal: NDArray[np.bool_],
    targets: PolicyTargets,
    weights: Array,
    *,
    ratio_clip: float,
    entropy: float,
) -> tuple[float, Array]:
    """The mean weighted loss of some decisions, and its gradient by the logits ``chosen`` of their
    legal actions. ``entropy`` is a + 1/s; ``ratio_clip`` 0 does not clip."""
    peak = np.where(legal, chosen, -np.inf).max(axis=1, keepdims=True)
    shifted = np.where(legal, chosen - peak, -np.inf)
    powers = np.exp(shifted)
    sums = powers.sum(axis=1, keepdims=True)
    mix = powers / sums
    logs = np.where(legal, shifted - np.log(sums), 0.0)
    played = np.maximum(targets.played, np.float32(LEAST_PROBABILITY))
    ratio, advantages = mix / played, targets.advantages
    gain = ratio * advantages
    followed = np.ones_like(legal)
    if ratio_clip > 0:
        bounded = np.clip(ratio, 1 - ratio_clip, 1 + ratio_clip) * advantages
        followed = gain <= bounded
        gain = np.minimum(gain, bounded)
    spread = np.float32(entropy) * logs - targets.anchors
    scale = (weights / np.float32(len(chosen)))[:, None]
    total = float((scale * np.where(legal, mix * spread - played * gain, 0.0)).sum())
    by_mix = spread - np.where(followed, advantages, 0.0)
    mean = (mix * by_mix).sum(axis=1, keepdims=True)
    return total, np.where(legal, scale * mix * (by_mix - mean), 0.0)
