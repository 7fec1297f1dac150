"""Training on small games of Cambia whose exact solution is known."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import exploitability, load_game
from fogtree.deep.config import options_from
from fogtree.deep.engine import prepare
from fogtree.deep.measure import RunningAverage, own_levels, own_reach
from fogtree.deep.train import train
from fogtree.strategy import Strategy

TINY = "cambia(preset='tiny1')"
TINY2 = "cambia(preset='tiny2', max_turns=1)"


@pytest.mark.parametrize("spec", [TINY, TINY2])
def test_vectors_tell_every_information_set_apart(spec):
    prepared = prepare(load_game(spec), own_features=False, values=False)
    rows = prepared.tree.rows
    mover = prepared.tree.tree.infoset_player.astype(np.float32)[:, None]
    vectors = np.hstack([mover, rows.dense()])
    assert len(np.unique(vectors, axis=0)) == len(vectors) > 300
    some = np.array([5, 0, len(rows) - 1, 5])
    assert np.array_equal(rows.dense(some), rows.dense()[some])
    assert np.array_equal(rows.take(some).dense(), rows.dense()[some])


def test_what_was_known_stays_known():
    """An information set's vector holds all of the one that its player had before."""
    game = load_game(TINY)
    prepared = prepare(game, own_features=False, values=False)
    tree, rows = prepared.tree.tree, prepared.tree.rows.dense()
    pairs = [
        (before, after)
        for level in own_levels(tree)
        for before, after in zip(tree.slot_infoset[level.slots], level.infosets, strict=True)
    ]
    assert len(pairs) > 1000
    before, after = np.array(pairs).T
    assert (rows[after] >= rows[before]).all()
    assert (rows[after].sum(axis=1) > rows[before].sum(axis=1)).all()


def test_reach_by_levels(tree_of):
    tree = tree_of("leduc_poker")
    dice = np.random.default_rng(1)
    weights = dice.random(tree.slots)
    totals = np.bincount(tree.slot_infoset, weights)[tree.slot_infoset]
    slots = weights / totals
    reach = own_reach(tree, own_levels(tree), slots)
    for node in range(len(tree.parent)):
        player = int(tree.player[node])
        if player < 0:
            continue
        expected, here = 1.0, node
        while tree.parent[here] >= 0:
            above = tree.parent[here]
            if tree.player[above] == player:
                expected *= slots[tree.first_slot[tree.index[above]] + tree.action[here]]
            here = above
        assert reach[tree.index[node]] == pytest.approx(expected)


def test_the_average_of_one_strategy_is_itself(tree_of):
    tree = tree_of("kuhn_poker")
    uniform = Strategy.uniform(tree)
    mean = RunningAverage(tree)
    mean.add(uniform, 2.0)
    mean.add(uniform, 3.0)
    assert mean.strategy().probabilities == pytest.approx(uniform.probabilities)


def test_training_comes_closer_to_the_answer():
    options = options_from(
        {
            "run": {"iterations": 8, "average": "single"},
            "traversal": {"traversals": 300},
            "network": {"hidden": [32, 32], "encoding": "history"},
            "regret": {"steps": 150, "batch": 256, "learning_rate": 3e-3},
            "evaluation": {"interval": 2},
        }
    )
    game = load_game(TINY2)
    run = train(game, options)
    found = [report.exploitability for report in run.reports if report.exploitability is not None]
    prepared = prepare(game, own_features=False, values=False)
    uniform = exploitability(
        prepared.tree.tree, Strategy.uniform(prepared.tree.tree)
    ).exploitability
    assert found[-1] < found[0] < uniform
    assert found[-1] < uniform / 20
