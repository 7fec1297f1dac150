"""The linear program against regret minimization, on random games."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fogtree import (
    CHANCE,
    State,
    TabularSolver,
    compile,
    equilibrium,
    exploitability,
)
from fogtree.errors import GameError
from tests.support.random_games import RandomGame, RandomState


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
@given(seed=st.integers(0, 10**9), ties=st.booleans())
@example(seed=15369, ties=True)
def test_merged_and_whole_games_have_one_value(seed, ties):
    """Where actions tie, rounding decides whether a regret is 0 or 1e-17, and with it the next
    strategy: there only the first is the same to the last digits."""
    tree = compile(Suited(seed, 4, ties=ties))
    if len(tree.infoset_names) == 0:
        return
    assert tree.form.merged
    assert sum(tree.form.infosets) <= sum(tree.full_form.infosets) // 2
    merged, whole = TabularSolver(tree, "cfr+"), TabularSolver(tree, "cfr+", merge=False)
    for solver in (merged, whole):
        solver.run(1 if ties else 10)
    np.testing.assert_allclose(
        merged.strategy().probabilities, whole.strategy().probabilities, atol=1e-9
    )
    for solver in (merged, whole):
        solver.run(10)
        measured = exploitability(tree, solver.strategy())
        assert measured.exploitability == pytest.approx(solver.exploitability(), abs=1e-12)


def test_payoffs_may_add_up_to_another_number_than_zero():
    tree = compile("kuhn_poker")
    shifted = replace(tree, payoffs=tree.payoffs + np.array([2.0, 0.5]))
    assert shifted.payoff_sum == 2.5
    found = equilibrium(shifted)
    assert found.value == pytest.approx(2 - 1 / 18, abs=1e-9)
    assert exploitability(tree, found.strategy).exploitability == pytest.approx(0, abs=1e-7)
    uneven = replace(tree, payoffs=tree.payoffs * np.array([2.0, 1.0]))
    assert uneven.payoff_sum is None
    with pytest.raises(GameError, match="not a two-player zero-sum game"):
        equilibrium(uneven)
