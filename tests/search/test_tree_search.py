"""The search on compiled games, where everything can be measured exactly."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fogtree.agents import Budget
from fogtree.errors import FogtreeError, GameError, OptionError, UnknownNameError
from fogtree.search import SearchOptions, TreeSearch, search_options
from fogtree.search.behaviour import own_paths
from fogtree.search.tree_search import uniform_values
from fogtree.strategy import Strategy


def test_equal_seeds_make_equal_searches(tree_of):
    tree = tree_of("leduc_poker")
    decisions = []
    for _ in range(2):
        agent = TreeSearch(tree, 0, SearchOptions(seed=7))
        agent.observe("Js")
        first = agent.act(Budget(steps=500))
        agent.observe("Jscr")
        second = agent.act(Budget(steps=500))
        decisions.append((first.candidates, second.candidates, second.nodes, second.iterations))
    assert decisions[0] == decisions[1]


def test_the_tree_is_carried_over(tree_of):
    tree = tree_of("leduc_poker")
    agent = TreeSearch(tree, 0, SearchOptions(knowledge=2))
    agent.observe("Qs")
    before = agent.act(Budget(steps=3_000))
    agent.observe("Qscr")
    after = agent.act(Budget(steps=1_000))
    assert 0 < after.carried_nodes < before.nodes
    assert after.belief_size == 5  # any other card
    assert after.cover == tuple(sorted(after.cover))  # each order knows no less


def test_pruning_saves_work_and_changes_no_answer(tree_of):
    tree = tree_of("leduc_poker")
    work, values = [], []
    for pruning in (True, False):
        agent = TreeSearch(tree, 0, SearchOptions(pruning=pruning, purification="none"))
        agent.observe("Qs")
        decision = agent.act(Budget(steps=20_000))
        work.append(decision.stats["touched"] / decision.iterations)
        values.append(decision.value)
    assert work[0] < 0.9 * work[1]
    assert abs(values[0] - values[1]) < 0.05


def test_orders_of_knowledge_grow(tree_of):
    tree = tree_of("leduc_poker")
    sizes = []
    for order in (1, 2, 0):
        agent = TreeSearch(tree, 0, SearchOptions(knowledge=order))
        agent.observe("Qs")
        agent.act(Budget(steps=3_000))
        agent.observe("Qscr")
        sizes.append(agent.act(Budget(steps=10)).cover[-1])
    assert sizes[0] < sizes[1] <= sizes[2]


def _drawn(tree, steps, **options):
    """A search whose positions were all drawn: the agent, its decision, the value that it expected
    before, and by position whether it was opened and the opponent's choice that it is."""
    agent = TreeSearch(tree, 0, SearchOptions(knowledge=1, purification="none", **options))
    agent.observe("Qs")
    expected = agent.act(Budget(steps=20)).value
    agent.observe("Qscr")
    decision = agent.act(Budget(steps=steps))
    assert (decision.cover, decision.sampled, decision.belief_size) == ((0,), 5, 5)
    choices = agent.choices()
    rows = {row.state: (row.nodes > 1, choices[row.choice]) for row in agent.native.roots()}
    assert len(rows) == len(choices) == 5
    return agent, decision, expected, rows


@pytest.mark.parametrize("halves", [(True, True), (True, False), (False, True)])
def test_a_drawn_position_takes_part_once_it_is_opened_with_the_evaluators_value(tree_of, halves):
    tree, met = tree_of("leduc_poker"), set()
    values = uniform_values(tree)
    for steps in (1, 5, 100):
        agent, _, expected, rows = _drawn(tree, steps, resolve=halves[0], maxmargin=halves[1])
        for state, (opened, choice) in rows.items():
            promised = min(values[state], expected) if opened else expected
            assert choice.alternate * agent.scale == pytest.approx(promised, abs=1e-6)
            if not opened:
                assert (choice.reach, choice.enter, choice.maxmargin, choice.margin) == (0, 0, 0, 0)
            met.add((opened, bool(values[state] < expected), choice.reach > 0))
    assert {(False, False, False), (False, True, False), (True, True, True)} <= met
    assert all(opened for opened, _ in rows.values())  # after 100 steps


@pytest.mark.parametrize(("seed", "folds"), [(0, 0.598), (1, 0.112)])
def test_the_order_in_which_drawn_positions_are_opened_does_not_matter_in_the_end(
    tree_of, seed, folds
):
    """The mixes are those of a search in which all values were there from the beginning."""
    _, decision, _, rows = _drawn(tree_of("leduc_poker"), 20_000, seed=seed)
    assert all(opened for opened, _ in rows.values())
    assert decision.mix["fold"] == pytest.approx(folds, abs=1e-3)
    assert decision.value == pytest.approx(-1, abs=1e-4)


@pytest.mark.parametrize(("most", "ours"), [(4, 2), (8, 4), (12, 5), (0, 5)])
def test_a_subgame_begins_with_so_many_positions_half_of_them_ours(tree_of, most, ours):
    tree = tree_of("leduc_poker")
    agent = TreeSearch(tree, 0, SearchOptions(most_roots=most, sample=1))
    agent.observe("Qs")
    agent.act(Budget(steps=3_000))
    agent.observe("Qscr")
    assert agent.act(Budget(steps=10)).cover == (5, 25)  # what there is to choose from
    roots = agent.native.roots()
    assert ours < len(roots) <= (most or 25)
    assert sum(row.possible for row in roots) == ours


def _masses(tree, seed, most, uniform=False, sharp=1):
    """How likely each position at the root is: whether it is ours, and by the old strategies."""
    options = SearchOptions(most_roots=most, sample=1, seed=seed, uniform_prior=uniform)
    agent = TreeSearch(tree, 0, options, np.zeros(len(tree.parent)))  # leaves do not matter here
    slots = np.random.default_rng(0).uniform(0.1, 1, tree.slots) ** sharp
    slots /= np.add.reduceat(slots, tree.first_slot[:-1])[tree.slot_infoset]
    agent.adopt(Strategy.of(tree, slots))
    agent.observe("Qscr")
    agent.act(Budget(steps=1))
    return {row.state: (row.possible, row.earlier_reach) for row in agent.native.roots()}


@pytest.mark.long
def test_positions_that_are_drawn_stand_for_those_left_out(tree_of):
    tree = tree_of("leduc_poker")
    exact = _masses(tree, 0, 0)
    drawn = [_masses(tree, seed, 12) for seed in range(400)]
    for state, (ours, mass) in exact.items():
        found = np.array([row[state][1] if state in row else 0.0 for row in drawn])
        if ours:
            assert found == pytest.approx(mass, rel=1e-5)
        else:
            assert 0 < np.mean(found > 0) < 1
            assert abs(found.mean() - mass) < 4 * found.std() / math.sqrt(len(found))


@pytest.mark.long
def test_a_uniform_prior_forgets_how_likely_the_opponent_was_to_come_also_in_what_is_drawn(tree_of):
    tree, seeds = tree_of("leduc_poker"), 400
    ours = [state for state, (here, _) in _masses(tree, 0, 0, sharp=4).items() if here]
    shares = {}
    for uniform in (False, True):
        drawn = [_masses(tree, seed, 4, uniform, sharp=4) for seed in range(seeds)]
        shares[uniform] = np.array([np.mean([state in row for row in drawn]) for state in ours])
        assert shares[uniform].sum() == pytest.approx(2)  # of five
    error = math.sqrt(0.4 * 0.6 / seeds)
    assert np.all(np.abs(shares[True] - 0.4) < 4 * error)
    assert np.max(np.abs(shares[False] - 0.4)) > 6 * error


def _ours_elsewhere(agent, tree, hand):
    """Our mixes below what we are about to know with other cards in hand, where there are any."""
    slots, out = agent.strategy().probabilities, {}
    for number, name in enumerate(tree.infoset_names):
        if tree.infoset_player[number] == 0 and name[2:].startswith("cr") and name[:2] != hand:
            mix = slots[tree.first_slot[number] : tree.first_slot[number + 1]]
            if len(set(mix)) > 1:  # not one that the tree does not have
                out[name] = tuple(mix)
    return out


@pytest.mark.parametrize("frozen", [False, True])
def test_frozen_means_that_nothing_is_learnt_where_we_know_we_are_not(tree_of, frozen):
    """Neither at what was carried over nor at what is opened later: that stays as it began."""
    tree = tree_of("leduc_poker")
    agent = TreeSearch(tree, 0, SearchOptions(frozen=frozen, knowledge=0))
    agent.observe("Qs")
    agent.act(Budget(steps=300))
    before = _ours_elsewhere(agent, tree, "Qs")
    agent.observe("Qscr")
    agent.act(Budget(steps=5_000))
    after = _ours_elsewhere(agent, tree, "Qs")
    kept = before.keys() & after.keys()
    new = after.keys() - before.keys()
    assert len(kept) > 3
    assert len(new) > 3
    assert all(after[name] == before[name] for name in kept) == frozen
    assert all(max(after[name]) == 1 for name in new) == frozen


def test_purification(tree_of):
    tree = tree_of("leduc_poker")
    for kind, most in (("stable", 3), ("argmax", 1)):
        agent = TreeSearch(tree, 0, SearchOptions(purification=kind))
        agent.observe("Qs")
        decision = agent.act(Budget(steps=2_000))
        assert sum(p > 0 for p in decision.mix.values()) <= most
        assert sum(decision.mix.values()) == pytest.approx(1)
        assert decision.mix[decision.action] > 0


def test_a_second_search_of_a_decision_forgets_what_left_the_support_in_the_first(tree_of):
    tree, mixed = tree_of("leduc_poker"), 0
    for seed in range(8):
        agent = TreeSearch(tree, 0, SearchOptions(seed=seed, tolerance=0.3))  # so that all is safe
        agent.observe("Js")
        agent.act(Budget(steps=300))
        decision = agent.act(Budget(steps=2_000))
        assert decision.safe
        mixed += sum(p > 0 for p in decision.mix.values()) > 1
    assert mixed > 0


def test_a_bound_on_nodes(tree_of):
    agent = TreeSearch(tree_of("leduc_poker"), 0, SearchOptions(most_nodes=300))
    agent.observe("Qs")
    assert agent.act(Budget(steps=2_000)).nodes < 320


def test_threads(tree_of):
    agent = TreeSearch(tree_of("leduc_poker"), 0, SearchOptions(purification="none"))
    agent.observe("Qs")
    decision = agent.act(Budget(nodes=3_000, expanders=2))
    assert decision.iterations > 1
    assert decision.nodes >= 3_000
    assert math.isclose(sum(decision.mix.values()), 1, abs_tol=1e-5)


def test_bad_input(tree_of):
    tree = tree_of("kuhn_poker")
    agent = TreeSearch(tree, 0)
    with pytest.raises(OptionError, match="observe"):
        agent.act(Budget(steps=10))
    with pytest.raises(OptionError, match="other player"):
        agent.observe("Qb")
    with pytest.raises(UnknownNameError):
        agent.observe("Z")
    agent.observe("Q")
    assert agent.act(Budget(steps=100)).action in ("check", "bet")
    with pytest.raises(GameError):
        TreeSearch(tree_of("kuhn_poker(players=3)"), 0)
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


@pytest.mark.parametrize("how", ["stopped", "no time"])
def test_the_turn_to_a_new_root_ends_with_the_time_or_a_stop(tree_of, how):
    tree = tree_of("leduc_poker")
    carried = {}
    for limited in (False, True):
        agent = TreeSearch(tree, 0, SearchOptions(knowledge=0))
        agent.observe("Qs")
        agent.act(Budget(steps=20_000))
        agent.place("Qscr")
        if limited and how == "stopped":
            agent.native.stop_flag.set()
        agent.turn(1e-9 if limited and how == "no time" else None)
        agent.native.stop_flag.clear()
        decision = agent.act(Budget(steps=50))
        assert decision.action in ("fold", "call", "raise")
        assert decision.belief_size == 5
        carried[limited] = decision.carried_nodes
    assert carried[True] < carried[False] / 2
