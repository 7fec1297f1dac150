"""Local best responses: between no gain and the exact best response."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import Strategy, best_response, exploitability, solve
from fogtree.evaluate.local_best_response import action_values, local_best_response


def strategies(tree):
    """Uniform, half solved, and random ones."""
    dice = np.random.default_rng(1)
    yield Strategy.uniform(tree)
    yield solve(tree, "cfr", iterations=20).strategy
    for _ in range(3):
        slots = dice.exponential(size=tree.slots)
        total = np.add.reduceat(slots, tree.first_slot[:-1])
        yield Strategy.of(tree, slots / total[tree.slot_infoset])


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker", "goofspiel(cards=3)"])
def test_local_best_response_is_between(spec, tree_of):
    tree = tree_of(spec)
    for strategy in strategies(tree):
        measured = exploitability(tree, strategy)
        for player in range(2):
            found = local_best_response(tree, strategy, player)
            assert found.value <= best_response(tree, strategy, player).value + 1e-9
            assert found.value >= measured.values[player] - 1e-9
            fixed = tree.infoset_player[tree.slot_infoset] != player
            answer = found.strategy.for_tree(tree)
            assert np.array_equal(answer[fixed], strategy.for_tree(tree)[fixed])


def test_repeated_local_best_responses_end_in_the_best(tree_of):
    """Each looks one move ahead of the one before: after as many as the game has moves, all."""
    tree = tree_of("leduc_poker")
    strategy = Strategy.uniform(tree)
    for player in range(2):
        answer = strategy
        for _ in range(9):
            answer = local_best_response(tree, strategy, player, then=answer).strategy
        value = exploitability(tree, answer).values[player]
        assert value == pytest.approx(best_response(tree, strategy, player).value, abs=1e-9)


def test_values_of_actions_by_hand(tree_of):
    """Kuhn, player 1 with a king after a bet: to call wins 2 in each of the two deals (1/6 each,
    half of them bet), to fold loses 1."""
    tree = tree_of("kuhn_poker")
    worth = action_values(tree, Strategy.uniform(tree).probabilities, 1)
    first = tree.first_slot[tree.infoset("Kb")]
    labels = tree.infoset_labels[tree.infoset("Kb")]
    by_label = dict(zip(labels, worth[first : first + 2], strict=True))
    assert by_label == pytest.approx({"fold": -1 / 6, "call": 2 / 6})
