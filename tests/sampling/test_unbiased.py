"""Every walk that could happen, with its probability: the mean must be the exact regret.

The native code that trains is run with a source of chance that goes through all possibilities, so
what is tested is what is used. The exact counterfactual regrets come from the sequence-form engine.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.property.test_random_games import RandomGame

from fogtree import GameTree, Strategy, _core, compile
from fogtree.evaluate.best_response import measuring_engine
from fogtree.evaluate.inspect import infoset_reach
from fogtree.solvers.samplers import KINDS, Sampler

GAMES = (
    "kuhn_poker",
    "matching_pennies",
    "rock_paper_scissors",
    "liars_dice(sides=2)",
    "goofspiel(cards=3)",
)
UNBIASED = [kind for kind in KINDS if kind != "outcome-seed"]
SAMPLERS = {
    **{kind: Sampler(kind) for kind in UNBIASED},
    "outcome, little exploration": Sampler("outcome", exploration=0.05),
    "robust, one action": Sampler("robust", tried=1),
    # A beta so small that actions are really left out.
    "average, few actions": Sampler("average", epsilon=0.3, tau=0.5, beta=0.1),
}


def random_table(tree: GameTree, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Regrets, averages and baselines; some regrets negative, some strategies pure."""
    random = np.random.default_rng(seed)
    regret = random.normal(size=tree.slots)
    return regret, random.random(tree.slots), random.normal(size=tree.slots * tree.players)


def strategy_of(tree: GameTree, regret: np.ndarray) -> np.ndarray:
    weights = np.maximum(regret, 0.0)
    totals = np.bincount(tree.slot_infoset, weights=weights)[tree.slot_infoset]
    uniform = Strategy.uniform(tree).probabilities
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform)


def exact_regrets(tree: GameTree, slots: np.ndarray, player: int) -> np.ndarray:
    engine = measuring_engine(tree)
    engine.set_strategy(slots)
    utility = engine.utilities(player)
    expected = np.bincount(tree.slot_infoset, weights=utility * slots)[tree.slot_infoset]
    mine = (tree.infoset_player[tree.slot_infoset] == player) & (
        tree.infoset_actions[tree.slot_infoset] > 1
    )
    return np.where(mine, utility - expected, 0.0)


def expected_update(tree: GameTree, sampler: Sampler, player: int, seed: int):
    regret, average, baseline = random_table(tree, seed)
    update = _core.expected_update(tree.flat, sampler.options(), player, regret, average, baseline)
    assert update["probability"] == pytest.approx(1.0, abs=1e-12)
    return update, exact_regrets(tree, strategy_of(tree, regret), player)


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS.keys())
@pytest.mark.parametrize("spec", GAMES)
def test_mean_is_exact_regret(tree_of, spec, sampler):
    tree = tree_of(spec)
    for player in range(tree.players):
        for seed in (1, 2):
            update, exact = expected_update(tree, sampler, player, seed)
            assert np.abs(update["regret"] - exact).max() < 1e-12
            if spec == "kuhn_poker":
                assert update["walks"] >= 6  # one deal each at least
                assert np.abs(exact).max() > 0.1


@pytest.mark.parametrize("kind", UNBIASED)
@pytest.mark.parametrize("seed", range(8))
def test_mean_is_exact_regret_in_random_games(kind, seed):
    tree = compile(RandomGame(seed=seed, players=2 + seed % 2, zero_sum=seed % 2 == 0))
    if tree.slots == 0:
        pytest.skip("nobody decides anything in this game")
    for player in range(tree.players):
        update, exact = expected_update(tree, Sampler(kind), player, seed)
        assert np.abs(update["regret"] - exact).max(initial=0.0) < 1e-12


@pytest.mark.parametrize("kind", ["outcome", "outcome-baseline"])
def test_mean_is_exact_regret_with_many_actions(kind):
    """Outcome sampling has code of its own for up to 4, up to 8 and more actions."""
    widths: set[int] = set()
    for seed in range(12):
        tree = compile(RandomGame(seed=seed, depth=3, widest=12))
        if tree.slots == 0:
            continue
        widths.update(tree.infoset_actions.tolist())
        for player in range(tree.players):
            update, exact = expected_update(tree, Sampler(kind), player, seed)
            assert np.abs(update["regret"] - exact).max(initial=0.0) < 1e-12
    assert widths & {2, 3, 4}
    assert widths & {5, 6, 7, 8}
    assert widths & {9, 10, 11, 12, 13}


@pytest.mark.parametrize("spec", ["kuhn_poker", "liars_dice(sides=2)"])
def test_the_simplified_formula_is_biased(tree_of, spec):
    """What ``mccfr-outcome-seed`` gets wrong is no small matter: whole signs are."""
    tree = tree_of(spec)
    update, exact = expected_update(tree, Sampler("outcome-seed"), 0, 1)
    assert np.abs(update["regret"] - exact).max() > 0.1
    matters = np.abs(exact) > 0.01
    assert (np.sign(update["regret"]) != np.sign(exact))[matters].any()


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS.keys())
def test_mean_of_averages_is_own_reach(tree_of, sampler):
    """Averages grow with the player's own reach times something that no strategy changes."""
    tree = tree_of("kuhn_poker")
    chance = infoset_reach(tree, np.ones(tree.slots))[1]  # everybody does everything
    for player in range(tree.players):
        for seed in (1, 2):
            regret, average, baseline = random_table(tree, seed)
            slots = strategy_of(tree, regret)
            # Chance sampling averages where the traverser moves, the others where it does not.
            traverser = player if sampler.kind == "chance" else 1 - player
            update = _core.expected_update(
                tree.flat, sampler.options(), traverser, regret, average, baseline
            )
            engine = measuring_engine(tree)
            engine.set_strategy(slots)
            mine = tree.infoset_player[tree.slot_infoset] == player
            expected = engine.reach(player) * chance[tree.slot_infoset]
            assert update["average"][mine] == pytest.approx(expected[mine], abs=1e-12)
