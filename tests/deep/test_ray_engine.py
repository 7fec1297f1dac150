"""Traversals in processes of Ray: the same samples as in one process, also if workers die."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import load_game
from fogtree.deep.engine import prepare
from fogtree.deep.network import Network
from fogtree.deep.train import train
from fogtree.deep.traversal import Task, Walks
from tests.support.training import same_networks, small

pytestmark = pytest.mark.slow  # a cluster takes its time to start


@pytest.mark.parametrize("compiled", [True, False])
def test_samples_are_those_of_the_engine_here(ray, compiled):
    from fogtree.deep.ray_engine import RayEngine, joined

    prepared = prepare(load_game("leduc_poker"), compiled=compiled)
    game = prepared.engine.game
    networks = [
        Network.make((game.feature_count, 8, game.action_count), (seed,)) for seed in (1, 2)
    ]
    afar = RayEngine(prepared, 3)
    how = {"traverser": 1, "iteration": 4}
    parts = [
        prepared.engine.traverse(
            Task(Walks(), networks, None, **how, traversals=count, seed=9 + 1_000_003 * number)
        ).arrays()
        for number, count in enumerate((33, 33, 34))
    ]
    for kill in (False, True):
        if kill:
            ray.kill(afar._workers[1])
        task = Task(Walks(), networks, None, **how, traversals=100, seed=9)
        found = afar.traverse(task).arrays()
        for name, expected in joined(parts).items():
            assert np.array_equal(found[name], expected), name
    assert found["traversals"] == 100
    afar.close()


@pytest.mark.usefixtures("ray")
def test_training_is_repeatable():
    game = load_game("kuhn_poker")
    first, second = (train(game, small(), backend="ray", workers=2) for _ in range(2))
    assert same_networks(first.policy, second.policy)
    assert first.iterations == 4
