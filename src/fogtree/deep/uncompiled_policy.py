"""The exact exploitability of networks in a game that is too large to compile."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fogtree.deep.encoding import Vector
from fogtree.deep.network import Network, regret_matching, softmax
from fogtree.deep.policy import Policy
from fogtree.deep.support import TrainingSupport
from fogtree.deep.walkable import Codes
from fogtree.errors import OptionError
from fogtree.evaluate.uncompiled import (
    DecisionBlock,
    MixesOf,
    ResponseValues,
    Slots,
    best_response_values,
)

Outputs = Callable[[int, Codes], Vector]
"""A player's network outputs for codes, one row each."""


def output_mixes(outputs: Outputs, *, mix: bool, uniform: bool = False) -> MixesOf:
    """A function from blocks of decisions to the mixes that network outputs stand for: logarithms
    of probabilities if ``mix``, otherwise regrets. ``uniform``: uniform where no regret is
    positive, instead of the best action."""

    def mixes(block: DecisionBlock) -> Slots:
        """The probabilities of all actions in a block, decision after decision."""
        found = outputs(block.player, block.codes)
        slots = np.empty(len(block.columns), dtype=np.float32)
        for count in np.unique(block.counts).tolist():
            rows = np.flatnonzero(block.counts == count)
            places = block.first[rows, None] + np.arange(count)
            legal = found[rows[:, None], block.columns[places]]
            slots[places] = softmax(legal) if mix else regret_matching(legal, uniform=uniform)
        return slots

    return mixes


def network_outputs(support: TrainingSupport, networks: tuple[Network, ...]) -> Outputs:
    """A function that computes, by NumPy, the outputs of one network per seat, or of one for
    all."""
    native = support.native_game

    def outputs(player: int, codes: Codes) -> Vector:
        """The outputs of a player's network for codes, one row each."""
        return networks[player % len(networks)].forward(native.decode(codes))

    return outputs


def policy_mixes(policy: Policy, support: TrainingSupport) -> MixesOf:
    """The mixes of a policy of one network per seat."""
    policy.check(support.game.short_name, support.game.players, support.inputs, support.outputs)
    if len(policy.networks) != 1:
        raise OptionError(
            "the exact exploitability without compiling is for one network per seat, not for "
            f"{len(policy.networks)} stored ones: train with [run] average = 'network'"
        )
    return output_mixes(network_outputs(support, policy.networks[0]), mix=policy.mix)


def policy_response_values(
    policy: Policy, support: TrainingSupport, *, threads: int = 1
) -> ResponseValues:
    """What each player gets by a best response to a policy of one network per seat, from which the
    policy's exploitability follows."""
    return best_response_values(support.game, policy_mixes(policy, support), threads=threads)
