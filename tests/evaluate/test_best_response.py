"""Games nobody designed: random trees with random secrets, checked by brute force."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree import (
    CHANCE,
    TERMINAL,
    State,
    Strategy,
    TabularSolver,
    compile,
    equilibrium,
    exploitability,
)
from tests.support.random_games import RandomGame, RandomState


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


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), ties=st.booleans())
def test_algorithms_agree_with_the_linear_program(seed, ties):
    tree = compile(RandomGame(seed, 5, ties=ties))
    exact = equilibrium(tree)
    assert exploitability(tree, exact.strategy).exploitability == pytest.approx(0, abs=1e-7)
    for algorithm in ("cfr+", "pcfr+", "dcfr"):
        solver = TabularSolver(tree, algorithm)
        solver.run(3000)
        result = solver.evaluate()
        assert result.exploitability + 1e-12 >= 0
        assert abs(result.value - exact.value) <= 2 * result.exploitability + 1e-7
        assert result.exploitability < 0.02


class Suited(RandomGame):
    """Before the game a suit is drawn that decides nothing: its information sets must merge."""

    def root(self):
        return SuitState(super().root())


@dataclass(frozen=True, slots=True)
class SuitState(State):
    below: RandomState

    player = CHANCE

    def chance(self):
        return [("hearts", 0.5), ("spades", 0.5)]

    def child(self, action):
        game = self.below.game
        return RandomState(game, (), tuple((action,) for _ in range(game.players)))

    def observation(self, player):
        return None


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_merged_and_whole_games_have_one_value(seed):
    tree = compile(Suited(seed, 4, ties=True))
    if len(tree.infoset_names) == 0:
        return
    assert tree.form.merged
    assert sum(tree.form.infosets) <= sum(tree.full_form.infosets) // 2
    merged, whole = TabularSolver(tree, "cfr+"), TabularSolver(tree, "cfr+", merge=False)
    for solver in (merged, whole):
        solver.run(10)
    np.testing.assert_allclose(
        merged.strategy().probabilities, whole.strategy().probabilities, atol=1e-9
    )
    measured = exploitability(tree, merged.strategy())
    assert measured.exploitability == pytest.approx(merged.exploitability(), abs=1e-12)
