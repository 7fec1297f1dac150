"""Our iterates against OpenSpiel's solvers, information set by information set."""

from __future__ import annotations

import pytest

from fogtree import TabularSolver, compile, from_openspiel

pyspiel = pytest.importorskip("pyspiel")
cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
discounted_cfr = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")

GAMES = ("kuhn_poker", "leduc_poker", "kuhn_poker(players=3)")


def solver_of(algorithm, game):
    return {
        "cfr": cfr.CFRSolver,
        "cfr+": cfr.CFRPlusSolver,
        "lcfr": discounted_cfr.LCFRSolver,
        "dcfr": discounted_cfr.DCFRSolver,
    }[algorithm](game)


def by_their_names(strategy):
    return {name.split(":", 1)[1]: mix for name, mix in strategy.to_dict().items()}


@pytest.mark.long
@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "lcfr", "dcfr"])
@pytest.mark.parametrize("spec", GAMES)
def test_average_policies_are_equal(spec, algorithm):
    iterations = 4 if "leduc" in spec else 30
    game = pyspiel.load_game(spec)
    theirs = solver_of(algorithm, game)
    for _ in range(iterations):
        theirs.evaluate_and_update_policy()
    policy = theirs.average_policy()
    tree = compile(from_openspiel(game))
    ours = TabularSolver(tree, algorithm)
    ours.run(iterations)
    strategy = by_their_names(ours.strategy())
    assert set(strategy) == set(policy.state_lookup)
    for name, row in policy.state_lookup.items():
        shares = [p for p in policy.action_probability_array[row] if p > 0]
        mine = [p for p in strategy[name].values() if p > 0]
        assert mine == pytest.approx(shares, abs=1e-9), name
    assert ours.evaluate().nash_conv == pytest.approx(
        exploitability.nash_conv(game, policy), abs=1e-9
    )


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
def test_native_openspiel_solver(spec):
    game = pyspiel.load_game(spec)
    theirs = pyspiel.CFRPlusSolver(game)
    for _ in range(10):
        theirs.evaluate_and_update_policy()
    policy = theirs.tabular_average_policy().policy_table()
    tree = compile(from_openspiel(game))
    ours = TabularSolver(tree, "cfr+")
    ours.run(10)
    strategy = by_their_names(ours.strategy())
    for name, mix in policy.items():
        assert list(strategy[name].values()) == pytest.approx([p for _, p in mix], abs=1e-9), name
