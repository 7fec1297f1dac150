"""The search on compiled games refuses what cannot be seen, and goes on as if it was never told."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree.agents import Budget
from fogtree.errors import FogtreeError, GameError, OptionError
from fogtree.search import SearchDecision, SearchOptions, TreeSearch
from fogtree.search.behaviour import own_paths
from fogtree.strategy import Strategy

BUDGET = Budget(steps=300)
PHANTOM = "phantom_ttt(rows=1, columns=4, line=2, max_plies=4)"


def agent_at(tree, infoset, player=0):
    agent = TreeSearch(tree, player, SearchOptions(seed=5))
    agent.observe(infoset)
    agent.act(BUDGET)
    return agent


def found(decision: SearchDecision) -> tuple[object, ...]:
    return (decision.action, decision.candidates, decision.value, decision.nodes, decision.cover)


def refused(agent, infoset):
    with pytest.raises(GameError, match="cannot come after") as caught:
        agent.observe(infoset)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("game", "first", "wrong", "then"),
    [
        ("leduc_poker", "Js", ["Kscc/Qs", "Ks", "Jh", "Jhcr"], "Jscr"),
        ("leduc_poker", "Jscrc/Qs", ["Js", "Jscr", "Jscrc/Ks", "Jscrc/Kscr"], "Jscrc/Qscr"),
        ("kuhn_poker", "Q", ["J", "K", "Kcb", "Jcb"], "Qcb"),
    ],
)
def test_a_wrong_information_set_is_refused_and_forgotten(tree_of, game, first, wrong, then):
    tree = tree_of(game)
    told, spared = agent_at(tree, first), agent_at(tree, first)
    for name in wrong:
        refused(told, name)
        with pytest.raises(GameError, match="cannot come after"):
            told.branch(name)
    assert found(told.branch(then).act(BUDGET)) == found(spared.branch(then).act(BUDGET))
    for agent in (told, spared):
        agent.observe(then)
    refused(told, first)
    assert found(told.act(BUDGET)) == found(spared.act(BUDGET))


def test_a_game_does_not_begin_again(tree_of):
    agent = agent_at(tree_of("kuhn_poker"), "Q")
    agent.observe("Qcb")
    agent.act(BUDGET)
    for name in ("J", "Q", "Jcb"):
        refused(agent, name)


@pytest.mark.parametrize("game", ["kuhn_poker", PHANTOM])
def test_what_lies_below_is_taken_and_nothing_else_is(tree_of, game):
    """Every pair of a player's information sets, whatever was decided at the first."""
    tree = tree_of(game)
    paths, pairs = own_paths(tree), 0
    for player in (0, 1):
        own = np.flatnonzero(tree.infoset_player == player)
        for first in own[:: max(1, len(own) // 12)]:
            agent = agent_at(tree, tree.infoset_names[first], player)
            for number in own:
                if first in paths[number] or first == number:
                    assert agent.branch(tree.infoset_names[number])
                    pairs += 1
                else:
                    refused(agent, tree.infoset_names[number])
    assert pairs > 12


def test_the_same_information_set_again_changes_nothing(tree_of):
    tree = tree_of("leduc_poker")
    once, twice = agent_at(tree, "Qs"), agent_at(tree, "Qs")
    twice.observe("Qs")
    for agent in (once, twice):
        agent.observe("Qscr")
    twice.observe("Qscr")
    assert found(once.act(BUDGET)) == found(twice.act(BUDGET))


def test_what_was_played_is_followed(tree_of):
    agent = agent_at(tree_of("leduc_poker"), "Qs")
    with pytest.raises(GameError, match="'fold' is not an action at 'Qs'"):
        agent.follow("fold")
    agent.follow("raise")
    with pytest.raises(GameError, match="'Qscr' cannot come after 'Qs' and 'raise'"):
        agent.observe("Qscr")
    agent.branch("Qscr")
    agent.observe("Qsrr")
    assert agent.act(BUDGET).mix


def test_a_strategy_that_is_adopted_is_a_new_beginning(tree_of):
    tree = tree_of("kuhn_poker")
    agent = agent_at(tree, "Q")
    agent.adopt(Strategy.uniform(tree))
    with pytest.raises(OptionError, match="observe"):
        agent.act(BUDGET)
    agent.observe("Jcb")
    assert agent.act(BUDGET).mix


def test_nothing_is_followed_before_anything_is_seen(tree_of):
    with pytest.raises(FogtreeError, match="observe"):
        TreeSearch(tree_of("kuhn_poker"), 0).follow("b")
