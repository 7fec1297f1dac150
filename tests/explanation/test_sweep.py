"""Iterations over the whole game are the solver's own."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import RECIPES, GameTree, TabularSolver, compile, load_game, recipe
from fogtree.evaluate.inspect import inspect
from fogtree.explanation import explain
from fogtree.minimizers import RegretMatching
from fogtree.solvers.recipes import Recipe

GAMES = [
    "rock_paper_scissors",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "liars_dice(sides=3)",
    "leduc_poker",
]
TREES = {game: compile(load_game(game)) for game in GAMES}


def regrets(solver: TabularSolver, tree: GameTree) -> dict[str, np.ndarray]:
    """The solver's cumulative regrets by information set."""
    out = {}
    for player in range(tree.players):
        table = solver.state()[f"regret_{player}"]
        mine = np.flatnonzero((tree.infoset_player == player) & (tree.infoset_actions > 1))
        for column, infoset in enumerate(mine):
            out[tree.infoset_names[infoset]] = table[: tree.infoset_actions[infoset], column]
    return out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("algorithm", RECIPES)
def test_agrees_with_the_reference_solver(algorithm: str, alternating: bool, game: str) -> None:
    tree = TREES[game]
    row = recipe(algorithm, alternating=alternating)
    solver = TabularSolver(tree, row, reference=True, merge=False)
    explanation = explain(tree, row, iterations=3)
    assert len(explanation.by_iteration()) == 3
    for steps in explanation.by_iteration():
        solver.run(1)
        following, averages, total = solver.current(), solver.strategy(), regrets(solver, tree)
        assert {step.infoset for step in steps} == set(total)
        for step in steps:
            assert step.deal is None
            assert step.cumulative_regret == pytest.approx(total[step.infoset], abs=1e-12)
            mix = tuple(following[step.infoset].values())
            assert step.next_strategy == pytest.approx(mix, abs=1e-12)
            average = tuple(averages[step.infoset].values())
            assert step.average_strategy == pytest.approx(average, abs=1e-12)


def test_the_answer_without_averaging_is_the_next_strategy() -> None:
    explanation = explain("kuhn_poker", recipe("cfr+", averaging="last"), iterations=2)
    assert all(step.average_strategy == step.next_strategy for step in explanation.steps)


def test_a_delay_leaves_first_iterations_out_of_the_average() -> None:
    first, second = explain("kuhn_poker", recipe("cfr", delay=1), iterations=2).by_iteration()
    assert all(set(step.average_strategy) == {0.5} for step in first)
    for step in second:
        reached = step.own_reach > 0
        assert step.average_strategy == pytest.approx(step.strategy if reached else (0.5, 0.5))


def test_order_of_play_within_an_update() -> None:
    tree = TREES["kuhn_poker"]
    one = explain(tree, recipe("cfr", alternating=False)).steps
    assert [s.infoset for s in one[:6]] == ["J", "Qc", "Jcb", "Qb", "Kc", "Kb"]
    assert [s.infoset for s in one] == list(tree.infoset_names)
    in_turn = explain(tree, "cfr").steps
    assert [s.player for s in in_turn] == [0] * 6 + [1] * 6


def test_values_are_those_of_the_strategy_in_use() -> None:
    """Simultaneous updates measure everything against one strategy, so `inspect` must agree."""
    tree = TREES["kuhn_poker"]
    row = recipe("hedge", alternating=False)
    solver = TabularSolver(tree, row, reference=True, merge=False)
    solver.run(4)
    used = solver.current()
    steps = {s.infoset: s for s in explain(tree, row, iterations=5).by_iteration()[-1]}
    for report in inspect(tree, used):
        step = steps[report.name]
        assert step.strategy == pytest.approx(report.probabilities, abs=1e-12)
        assert step.values == pytest.approx(report.values, abs=1e-12)
        assert step.expected_value == pytest.approx(report.expected_value, abs=1e-12)
        assert step.own_reach * step.opponent_reach == pytest.approx(report.reach, abs=1e-12)


def test_first_iteration_of_kuhn_by_hand() -> None:
    """Against the uniform strategy a king that is bet at gains by calling: +2 instead of -1."""
    step = {s.infoset: s for s in explain(TREES["kuhn_poker"], "cfr").steps}["Kcb"]
    assert step.opponent_reach == pytest.approx(2 * (1 / 6) * 0.5)
    assert step.values == pytest.approx((-1.0, 2.0))
    assert step.regret == pytest.approx((-0.25, 0.25))
    assert (step.histories, step.moves) == (2, ("check", "bet"))


def test_hidden_moves_are_not_told() -> None:
    column = explain(TREES["rock_paper_scissors"], "cfr").steps[1]
    assert (column.histories, column.moves) == (3, None)


def test_a_minimizer_of_ones_own() -> None:
    class Squared(RegretMatching):
        def weights(self, regret: np.ndarray) -> np.ndarray:
            return np.maximum(regret, 0) ** 2

    steps = explain(TREES["leduc_poker"], Recipe("squared", Squared)).steps
    mixed = [s for s in steps if sum(r > 1e-9 for r in s.cumulative_regret) == 2]
    assert mixed
    for step in mixed:
        squares = np.maximum(step.cumulative_regret, 0) ** 2
        assert step.next_strategy == pytest.approx(squares / squares.sum())


def test_single_actions_are_no_steps() -> None:
    tree = compile(load_game("battleship(width=2, height=1, ships=[2], shots=1)"))
    assert (tree.infoset_actions == 1).any()
    steps = explain(tree, "cfr").steps
    assert len(steps) == (tree.infoset_actions > 1).sum() > 0
