"""Every traversal that could happen, with its probability: the mean must be the exact regret.

The code that trains is run with a source of chance that goes through all possibilities. The exact
counterfactual regrets come from the sequence-form engine.
"""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import GameTree, Strategy
from fogtree.evaluate.best_response import measuring_engine
from fogtree.evaluate.inspect import infoset_reach
from tests.support.deep_games import TOLERANCE, Table, outputs_of
from tests.support.regrets import exact_regrets

GAMES = ("kuhn_poker", "liars_dice(sides=2)", "goofspiel(cards=3)")
UNBIASED = {
    "external": {"method": "external"},
    "external, cut": {"method": "external", "depth": 2},
    "outcome": {"method": "outcome"},
    "outcome, little exploration": {"method": "outcome", "epsilon": 0.05},
    "robust": {"method": "robust", "tried": 2},
    "robust, one action": {"method": "robust", "tried": 1},
}
WITH_BASELINES = [
    (name, baseline)
    for name, options in UNBIASED.items()
    for baseline in (("",) if options["method"] == "external" else ("", "actions", "histories"))
]


@pytest.mark.parametrize(("name", "baseline"), WITH_BASELINES)
@pytest.mark.parametrize("spec", GAMES)
def test_mean_is_exact_regret(tree_of, spec, name, baseline):
    options = UNBIASED[name]
    tree = tree_of(spec)
    for seed in (1, 2):
        table = Table(tree, seed, uniform_fallback=seed == 2, **options)
        for player in range(tree.players):
            found = table.mean(player, baseline)
            exact = exact_regrets(tree, table.slots, player)
            seen = slice(None)
            if "depth" in options:  # nothing is learnt below the limit
                seen = (found["visits"] > 0)[tree.slot_infoset]
                assert 0 < seen.sum() < len(exact)
            assert np.abs(found["regret"] - exact)[seen].max() < TOLERANCE
            assert np.abs(exact).max() > 0.05


@pytest.mark.parametrize("spec", ["kuhn_poker", "liars_dice(sides=2)"])
def test_rollouts_mean_is_regret_where_the_game_went(tree_of, spec):
    """Regrets come as often as the traverser's own sampling policy leads there."""
    tree = tree_of(spec)
    epsilon = 0.4
    table = Table(tree, 1, method="rollout", epsilon=epsilon)
    uniform = Strategy.uniform(tree).probabilities
    sampling = epsilon * uniform + (1 - epsilon) * table.slots
    for player in range(tree.players):
        found = table.mean(player)
        engine = measuring_engine(tree)
        engine.set_strategy(sampling)
        # Own reach before the decision: that of the sequence that leads to the information set.
        reach = engine.reach(player) / np.where(sampling > 0, sampling, 1.0)
        exact = exact_regrets(tree, table.slots, player) * reach
        assert np.abs(found["regret"] - exact).max() < TOLERANCE


@pytest.mark.parametrize("form", ["actions", "histories"])
@pytest.mark.parametrize("spec", ["kuhn_poker", "liars_dice(sides=2)"])
def test_escher_takes_the_value_networks_word(tree_of, spec, form):
    tree = tree_of(spec)
    table = Table(tree, 3, method="escher", epsilon=1.0)
    expected = expected_escher(table, form)
    assert table.mean(0, form)["regret"] == pytest.approx(expected, abs=2e-5)
    with pytest.raises(ValueError, match="value network"):
        table.mean(0)


def expected_escher(table: Table, form: str) -> np.ndarray:
    """Player 0's regrets by a walk over the tree: reach, then each action's worth less the mean."""
    tree, out = table.tree, np.zeros(table.tree.slots)
    first = np.concatenate([[0], np.cumsum(tree.infoset_actions)])
    codes = np.arange(len(tree.parent), dtype="<i4").view(np.uint8).reshape(-1, 4)
    rated = table.value[form].forward(table.game.decode_history(codes)).astype(float)
    reach = np.ones(len(tree.parent))
    for node, before in enumerate(tree.parent[1:], start=1):
        step = tree.chance[node]
        if tree.player[before] >= 0:
            infoset = tree.index[before]
            own = table.slots[first[infoset] + tree.action[node]]
            step = 1 / tree.infoset_actions[infoset] if tree.player[before] == 0 else own
        reach[node] = reach[before] * step
    worth = history_worth(tree, rated)
    for node in np.nonzero(tree.player == 0)[0]:
        count = tree.infoset_actions[tree.index[node]]
        if count == 1:
            continue
        here = slice(first[tree.index[node]], first[tree.index[node]] + count)
        if form == "actions":
            q = rated[node, :count]
        else:
            children = np.nonzero(tree.parent == node)[0]
            q = worth[children[np.argsort(tree.action[children])]]
        out[here] += reach[node] * (q - q @ table.slots[here])
    return out


def history_worth(tree: GameTree, rated: np.ndarray) -> np.ndarray:
    """The first player's payoff, the network's number, or the mean over chance."""
    worth = np.zeros(len(tree.parent))
    for node in reversed(range(len(tree.parent))):
        if tree.player[node] == -2:
            worth[node] = tree.payoffs[tree.index[node], 0]
        elif tree.player[node] >= 0:
            worth[node] = rated[node, 0]
        if node > 0 and tree.player[tree.parent[node]] == -1:
            worth[tree.parent[node]] += tree.chance[node] * worth[node]
    return worth


@pytest.mark.parametrize("some", [[], [0], [1], [0, 1]])
def test_some_networks_give_logarithms(tree_of, some):
    """As where somebody learns against a strategy that stays as it is."""
    tree = tree_of("kuhn_poker")
    table = Table(tree, 1, method="external", softmax_players=some)
    powers = np.exp(outputs_of(tree, table.features, table.layers))
    mixed = powers / np.bincount(tree.slot_infoset, weights=powers)[tree.slot_infoset]
    logarithms = np.isin(tree.infoset_player[tree.slot_infoset], some)
    slots = np.where(logarithms, mixed, table.slots)
    for player in range(2):
        exact = exact_regrets(tree, slots, player)
        assert np.abs(table.mean(player)["regret"] - exact).max() < TOLERANCE
    if len(some) == 2:
        together = Table(tree, 1, method="external", softmax=True).mean(0)["regret"]
        assert np.array_equal(together, table.mean(0)["regret"])


@pytest.mark.parametrize("name", ["external", "outcome", "robust"])
def test_strategies_come_with_own_reach(tree_of, name):
    """As often as the player itself goes there, times something that no strategy changes."""
    tree = tree_of("kuhn_poker")
    chance = infoset_reach(tree, np.ones(tree.slots))[1]
    for seed in (1, 2):
        table = Table(tree, seed, **UNBIASED[name])
        for player in range(tree.players):
            found = table.mean(1 - player)
            engine = measuring_engine(tree)
            engine.set_strategy(table.slots)
            mine = tree.infoset_player[tree.slot_infoset] == player
            expected = engine.reach(player) * chance[tree.slot_infoset]
            assert found["strategy"][mine] == pytest.approx(expected[mine], abs=TOLERANCE)


@pytest.mark.parametrize("name", ["external", "outcome", "robust", "rollout"])
def test_mean_value_is_the_games(tree_of, name):
    tree = tree_of("kuhn_poker")
    table = Table(tree, 4, method=name)
    engine = measuring_engine(tree)
    engine.set_strategy(table.slots)
    expected = table.mean(0)["value"]
    opposite = table.mean(1)["value"]
    assert expected == pytest.approx(-opposite, abs=TOLERANCE)
    assert abs(expected) > 0.01
    external = Table(tree, 4, method="external").mean(0)["value"]
    assert expected == pytest.approx(external, abs=TOLERANCE)
