"""The search on compiled games, where everything can be measured exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fogtree import equilibrium, exploitability
from fogtree.errors import FogtreeError, GameError, OptionError, UnknownNameError
from fogtree.search import Budget, SearchOptions, TreeSearchAgent, behaviour, search_options
from fogtree.search.agent import uniform_values
from fogtree.search.behaviour import own_paths


@pytest.mark.parametrize(
    ("game", "first", "steps", "most"),
    [
        ("kuhn_poker", "Q", 5_000, 1e-4),
        ("liars_dice(sides=3)", "1", 100_000, 1e-3),
        ("goofspiel(cards=3)", None, 20_000, 1e-3),
    ],
)
def test_last_iterate_reaches_equilibrium_from_the_start(tree_of, game, first, steps, most):
    tree = tree_of(game)
    agent = TreeSearchAgent(tree, 0, SearchOptions(purification="none"))
    agent.observe(first or tree.infoset_names[int(np.argmin(tree.infoset_player))])
    agent.act(Budget(steps=steps))
    assert exploitability(tree, agent.strategy()).exploitability < most


def test_average_reaches_equilibrium_from_the_start(tree_of):
    tree = tree_of("kuhn_poker")
    for preset in ("paper", "seed"):
        agent = TreeSearchAgent(tree, 1, search_options(preset))
        agent.observe("Qc")
        agent.act(Budget(steps=100_000))
        assert exploitability(tree, agent.strategy(average=True)).exploitability < 1e-3


def test_values_of_leaves_are_exact_at_the_end(tree_of):
    """One node's terminal value equals the rules' value, whoever asks."""
    tree = tree_of("kuhn_poker")
    for player, name in ((0, "Jcb"), (1, "Jb")):
        agent = TreeSearchAgent(tree, player)
        agent.observe(name[0] if player == 0 else "Jc")
        agent.act(Budget(steps=2_000))
        fresh = TreeSearchAgent(tree, player)
        fresh.observe(name)
        decision = fresh.act(Budget(steps=5_000))
        values = {c.action: c.value for c in decision.candidates}
        assert values["fold"] == pytest.approx(-1.0, abs=1e-5)


def test_equal_seeds_make_equal_searches(tree_of):
    tree = tree_of("leduc_poker")
    decisions = []
    for _ in range(2):
        agent = TreeSearchAgent(tree, 0, SearchOptions(seed=7))
        agent.observe("Js")
        first = agent.act(Budget(steps=500))
        agent.observe("Jscr")
        second = agent.act(Budget(steps=500))
        decisions.append((first.candidates, second.candidates, second.nodes, second.iterations))
    assert decisions[0] == decisions[1]


def test_the_tree_is_carried_over(tree_of):
    tree = tree_of("leduc_poker")
    agent = TreeSearchAgent(tree, 0, SearchOptions(knowledge=2))
    agent.observe("Qs")
    before = agent.act(Budget(steps=3_000))
    agent.observe("Qscr")
    after = agent.act(Budget(steps=1_000))
    assert 0 < after.carried_nodes < before.nodes
    assert after.belief_size == 5  # any other card
    assert after.cover == tuple(sorted(after.cover))  # each order knows no less


def test_orders_of_knowledge_grow(tree_of):
    tree = tree_of("leduc_poker")
    sizes = []
    for order in (1, 2, 0):
        agent = TreeSearchAgent(tree, 0, SearchOptions(knowledge=order))
        agent.observe("Qs")
        agent.act(Budget(steps=3_000))
        agent.observe("Qscr")
        sizes.append(agent.act(Budget(steps=10)).cover[-1])
    assert sizes[0] < sizes[1] <= sizes[2]


def test_safe_below_an_equilibrium(tree_of):
    """Alternate values from an exact equilibrium: nothing to gain for the opponent, so p_max falls
    towards 0, and the subgame's answer is no worse than the blueprint."""
    tree = tree_of("kuhn_poker")
    agent = TreeSearchAgent(tree, 0, SearchOptions(purification="none", gifts=False))
    agent.observe("J")
    agent.act(Budget(steps=200_000))
    blueprint = exploitability(tree, agent.strategy()).exploitability
    assert blueprint < 1e-6
    agent.observe("Jcb")
    decision = agent.act(Budget(steps=20_000))
    assert decision.mix["fold"] == pytest.approx(1, abs=1e-6)
    margins = [row["margin"] for row in agent.choices()]
    assert min(margins) > -1e-4


@pytest.mark.parametrize("knowledge", [1, 2, 3, 0])
@pytest.mark.parametrize("frozen", [False, True])
def test_behaviour_of_kuhn_is_an_equilibrium(tree_of, knowledge, frozen):
    tree = tree_of("kuhn_poker")
    options = SearchOptions(knowledge=knowledge, frozen=frozen, purification="none")
    # Until the last leaf is expanded a new one can upset the others; here all are by then.
    strategy = behaviour(tree, options, Budget(steps=20_000))
    assert exploitability(tree, strategy).exploitability < 2e-3
    value = equilibrium(tree).value
    assert exploitability(tree, strategy).value == pytest.approx(value, abs=5e-3)


def test_without_a_gadget_the_search_is_exploitable(tree_of):
    """The reason that the gadget is there."""
    tree = tree_of("kuhn_poker")
    options = SearchOptions(resolve=False, maxmargin=False, purification="none")
    strategy = behaviour(tree, options, Budget(steps=3_000))
    assert exploitability(tree, strategy).exploitability > 0.01


def test_purification(tree_of):
    tree = tree_of("leduc_poker")
    for kind, most in (("stable", 3), ("argmax", 1)):
        agent = TreeSearchAgent(tree, 0, SearchOptions(purification=kind))
        agent.observe("Qs")
        decision = agent.act(Budget(steps=2_000))
        assert sum(p > 0 for p in decision.mix.values()) <= most
        assert sum(decision.mix.values()) == pytest.approx(1)
        assert decision.mix[decision.action] > 0


def test_a_bound_on_nodes(tree_of):
    agent = TreeSearchAgent(tree_of("leduc_poker"), 0, SearchOptions(most_nodes=300))
    agent.observe("Qs")
    assert agent.act(Budget(steps=2_000)).nodes < 320


def test_threads(tree_of):
    agent = TreeSearchAgent(tree_of("leduc_poker"), 0, SearchOptions(purification="none"))
    agent.observe("Qs")
    decision = agent.act(Budget(seconds=0.3, expanders=2))
    assert decision.iterations > 10
    assert decision.nodes > 1_000
    assert 0.25 < decision.seconds < 5
    assert math.isclose(sum(decision.mix.values()), 1, abs_tol=1e-5)


def test_bad_input(tree_of):
    tree = tree_of("kuhn_poker")
    agent = TreeSearchAgent(tree, 0)
    with pytest.raises(OptionError, match="observe"):
        agent.act(Budget(steps=10))
    with pytest.raises(OptionError, match="other player"):
        agent.observe("Qb")
    with pytest.raises(UnknownNameError):
        agent.observe("Z")
    agent.observe("Q")
    assert agent.act(Budget(steps=100)).action in ("check", "bet")
    with pytest.raises(GameError):
        TreeSearchAgent(tree_of("kuhn_poker(players=3)"), 0)
    for make in (
        Budget,
        lambda: Budget(steps=-1),
        lambda: SearchOptions(knowledge=-1),
        lambda: SearchOptions(sample=0),
        lambda: SearchOptions(purification="some"),  # type: ignore[arg-type]
        lambda: search_options("papers"),
        lambda: search_options(knowlege=3),
    ):
        with pytest.raises(FogtreeError) as caught:
            make()
        assert "\n" not in str(caught.value)


def test_uniform_values_are_expected_payoffs(tree_of):
    tree = tree_of("kuhn_poker")
    values = uniform_values(tree)
    assert values[0] == pytest.approx(0.125)  # 1/8: by hand, both play at random
    ends = tree.player == -2
    np.testing.assert_array_equal(values[ends], tree.payoffs[tree.index[ends], 0])


def test_own_paths(tree_of):
    tree = tree_of("kuhn_poker")
    paths = own_paths(tree)
    assert paths[tree.infoset("Jcb")] == [tree.infoset("J")]
    assert paths[tree.infoset("Jb")] == []
