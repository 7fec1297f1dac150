"""Games with random networks, and the exact numbers that follow from them."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import GameTree, _core
from tests.support.networks import deep_tree, numpy_forward, random_layers

TOLERANCE = 2e-6  # single precision


def outputs_of(tree: GameTree, features, layers) -> np.ndarray:
    """What its player's network says of every slot, in NumPy."""
    rows = [
        numpy_forward(layers[player], features[infoset : infoset + 1])[0, :count]
        for infoset, (player, count) in enumerate(
            zip(tree.infoset_player, tree.infoset_actions, strict=True)
        )
    ]
    return np.concatenate(rows)


def strategy_of(tree: GameTree, features, layers, uniform_fallback=False) -> np.ndarray:
    """Regret matching on the networks' outputs."""
    out = np.zeros(tree.slots)
    advantages, at = outputs_of(tree, features, layers), 0
    for count in tree.infoset_actions:
        advantage = advantages[at : at + count]
        positive = np.maximum(advantage, 0.0)
        if positive.sum() > 0:
            out[at : at + count] = positive / positive.sum()
        elif uniform_fallback:
            out[at : at + count] = 1 / count
        else:
            out[at + advantage.argmax()] = 1.0
        at += count
    return out


class Table:
    """A game, a network per player, a value network, and what follows from them."""

    def __init__(self, tree: GameTree, seed: int, **options) -> None:
        self.tree = tree
        self.game, self.features = deep_tree(tree, seed)
        width = self.game.action_count
        self.layers = [random_layers(10 * seed + p, 12, 16, width) for p in range(tree.players)]
        self.networks = [_core.DeepNetwork(layers) for layers in self.layers]
        self.value = {
            "": None,
            "actions": _core.DeepNetwork(random_layers(99 + seed, 9, 16, width)),
            "histories": _core.DeepNetwork(random_layers(199 + seed, 9, 16, 1)),
        }
        fallback = options.get("uniform_fallback", False)
        self.slots = strategy_of(tree, self.features, self.layers, fallback)
        self.options = _core.DeepOptions(**options)

    def mean(self, player: int, form: str = ""):
        """``form``: what the value network rates, or nothing for none."""
        found = _core.deep_expectation(
            self.game, self.options, self.networks, self.value[form], player
        )
        assert found["probability"] == pytest.approx(1.0, abs=1e-5)
        return found
