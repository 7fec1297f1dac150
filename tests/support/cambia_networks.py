"""Cambia for the native traversals, with random networks."""

from __future__ import annotations

from fogtree import _core
from fogtree.games.cambia.game import Cambia
from tests.support.networks import random_layers


def cambia_game(**parameters) -> _core.DeepCambia:
    return _core.DeepCambia(Cambia(**parameters).native_rules)


def cambia_networks(game: _core.DeepGame, hidden: int = 32) -> list[_core.DeepNetwork]:
    sizes = game.feature_count, hidden, hidden, game.action_count
    return [_core.DeepNetwork(random_layers(p, *sizes)) for p in range(game.players)]


def options_for(method: str) -> _core.DeepOptions:
    return _core.DeepOptions(
        method=method, epsilon=0.5, tried=2, depth=12 if method == "robust" else 0
    )
