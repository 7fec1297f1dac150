"""Networks and games for the tests of the deep core."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fogtree import GameTree, _core

Layers = list[tuple[NDArray[np.float32], NDArray[np.float32]]]


def random_layers(seed: int, *sizes: int) -> Layers:
    random = np.random.default_rng(seed)
    return [
        (
            (random.normal(size=(b, a)) / np.sqrt(a)).astype(np.float32),
            (0.1 * random.normal(size=b)).astype(np.float32),
        )
        for a, b in pairwise(sizes)
    ]


def numpy_forward(layers: Layers, features: NDArray[np.float32]) -> NDArray[np.float64]:
    x = features.astype(np.float64)
    for number, (weight, bias) in enumerate(layers):
        x = x @ weight.T.astype(np.float64) + bias
        if number + 1 < len(layers):
            x = np.maximum(x, 0.0)
    return x


def deep_tree(tree: GameTree, seed: int = 0) -> tuple[_core.DeepTree, NDArray[np.float32]]:
    """A compiled game with random inputs, so that no two information sets look alike."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(len(tree.infoset_player), 12)).astype(np.float32)
    history = random.normal(size=(len(tree.parent), 9)).astype(np.float32)
    first = np.concatenate([[0], np.cumsum(tree.infoset_actions)])
    actions = (np.arange(tree.slots) - first[tree.slot_infoset]).astype(np.int32)
    game = _core.DeepTree(tree.flat, features, actions, int(actions.max()) + 1, history)
    return game, features
