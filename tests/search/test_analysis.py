"""Analyses of a search: correct and complete."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import exploitability, load_game
from fogtree.agents import Budget
from fogtree.game import History
from fogtree.search import TreeSearch
from fogtree.search.analysis import searched_before
from fogtree.search.tree_analysis import analyse_tree
from fogtree.strategy import Strategy


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "liars_dice(sides=3)"])
@pytest.mark.parametrize("player", [0, 1])
def test_the_gap_is_what_best_responses_gain(tree_of, game, player):
    """On a tree that is whole it is NashConv, whatever the strategy."""
    tree = tree_of(game)
    random = np.random.default_rng(5)
    slots = random.random(tree.slots)
    slots /= np.add.reduceat(slots, tree.first_slot[:-1])[tree.slot_infoset]
    strategy = Strategy.of(tree, slots)
    agent = TreeSearch(tree, player)
    agent.adopt(strategy)
    exact = exploitability(tree, strategy)
    gains = [
        best - value for best, value in zip(exact.best_response_values, exact.values, strict=True)
    ]
    ours, theirs = (agent.scale * part for part in agent.native.gap())
    assert ours == pytest.approx(gains[player], abs=1e-5)
    assert theirs == pytest.approx(gains[1 - player], abs=1e-5)


def test_levels_count_every_node(tree_of):
    analysis = analyse_tree(tree_of("leduc_poker"), "Qscr", Budget(steps=2_000))
    assert sum(level.nodes for level in analysis.levels) == analysis.decision.nodes
    assert all(level.expanded + level.terminal <= level.nodes for level in analysis.levels)
    assert analysis.decision.cover == tuple(sorted(analysis.decision.cover))
    assert sum(one.positions for one in analysis.opponents) == len(analysis.lines)


@pytest.mark.parametrize(
    ("earlier", "searched"), [(0, set()), (1, {2}), (2, {0, 2}), (3, {0, 2}), (9, {0, 2})]
)
def test_the_last_decisions_before_are_searched(earlier, searched):
    history = History.of(load_game("fog_chess"), ["e2e4", "e7e5", "g1f3", "b8c6"])
    assert searched_before(history.states, earlier) == searched
