"""Best responses and exploitability against brute force, on random games."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree import (
    TERMINAL,
    Strategy,
    compile,
    exploitability,
)
from tests.support.random_games import RandomGame


def expected(tree, slots):
    """Expected payoffs by plain recursion over the flat tree."""
    values = np.zeros((len(tree.parent), tree.players))
    for node in range(len(tree.parent) - 1, -1, -1):
        if tree.player[node] == TERMINAL:
            values[node] += tree.payoffs[tree.index[node]]
        if node == 0:
            break
        above = tree.parent[node]
        share = tree.chance[node]
        if tree.player[above] >= 0:
            share = slots[tree.first_slot[tree.index[above]] + tree.action[node]]
        values[above] += share * values[node]
    return values[0]


def brute_force_best(tree, slots, player):
    """Every pure strategy of one player, tried out."""
    mine = np.flatnonzero(tree.infoset_player == player)
    best = -np.inf
    for choice in itertools.product(*(range(tree.infoset_actions[i]) for i in mine)):
        pure = np.array(slots)
        for i, action in zip(mine, choice, strict=True):
            pure[tree.first_slot[i] : tree.first_slot[i + 1]] = 0
            pure[tree.first_slot[i] + action] = 1
        best = max(best, expected(tree, pure)[player])
    return best


def random_strategy(tree, seed):
    weights = np.random.default_rng(seed).exponential(size=tree.slots)
    total = np.bincount(tree.slot_infoset, weights=weights)[tree.slot_infoset]
    return Strategy.of(tree, weights / total)


def few_pure_strategies(tree):
    counts = [
        np.prod(tree.infoset_actions[tree.infoset_player == p].astype(float))
        for p in range(tree.players)
    ]
    return max(counts) <= 3000


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9), players=st.sampled_from([2, 2, 3]), zero_sum=st.booleans())
def test_exploitability_by_brute_force(seed, players, zero_sum):
    tree = compile(RandomGame(seed, 3, players, zero_sum and players == 2))
    if not few_pure_strategies(tree):
        return
    strategy = random_strategy(tree, seed)
    measured = exploitability(tree, strategy)
    assert measured.values == pytest.approx(expected(tree, strategy.probabilities), abs=1e-12)
    for player in range(players):
        brute = brute_force_best(tree, strategy.probabilities, player)
        assert measured.best_response_values[player] == pytest.approx(brute, abs=1e-12)
