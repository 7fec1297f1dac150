"""The worked example of docs/explanation/search_by_hand.md: fractions, program and page agree."""

from __future__ import annotations

import re
from fractions import Fraction as F

import pytest

from fogtree import _core, exploitability
from fogtree.agents import Budget
from fogtree.search import SearchOptions, TreeSearch
from fogtree.search.tree_analysis import analyse_tree, search_at, trace_tree
from fogtree.terminal.inputs import find_strategy
from tests.support.paths import DOCS

PAGES = DOCS / "explanation"


@pytest.fixture
def start(tree_of):
    tree = tree_of("kuhn_poker")
    blueprint = find_strategy(PAGES / "kuhn_equilibrium.json", tree)
    assert exploitability(tree, blueprint).exploitability < 1e-12
    return tree, blueprint


def watched(start):
    """What the root and our information set look like after every iteration."""
    tree, blueprint = start
    agent = search_at(tree, "Qcb", Budget(steps=1), SearchOptions(), blueprint)
    seen = []

    def look(moment):
        if moment.event in (_core.SearchEvent.opened, _core.SearchEvent.iterated):
            mine = agent.native.infoset(agent.native.key, 0)
            seen.append((agent.native.choices(), mine))

    agent.watch(Budget(steps=1), look, every=True)
    return seen


def test_alternate_values_and_priors(start):
    choices, mine = watched(start)[0]
    jack = (F(1, 3) * 1 + F(2, 3) * F(-1, 2) + 1) / 2
    king = (F(1, 3) * -1 + F(2, 3) * F(-1, 2) + F(-1, 2)) / 2
    assert (jack, king) == (F(1, 2), F(-7, 12))
    assert [c.alternate for c in choices] == pytest.approx([jack, king], abs=1e-6)
    assert [c.prior for c in choices] == pytest.approx([F(3, 8), F(5, 8)], abs=1e-6)
    assert [c.reach for c in choices] == pytest.approx([F(3, 8), F(5, 8)], abs=1e-6)
    assert [a.strategy for a in mine.actions] == pytest.approx([F(2, 3), F(1, 3)])


def test_first_iteration(start):
    choices, mine = watched(start)[1]
    reach = F(3, 16) + F(5, 16)
    fold, call = F(-1, 2), (F(3, 16) - F(5, 16)) / reach
    average = F(2, 3) * fold + F(1, 3) * call
    regrets = [reach * (fold - average), reach * (call - average)]
    assert regrets == [F(-1, 24), F(1, 12)]
    assert mine.others_reach == pytest.approx(float(reach))
    assert [a.value for a in mine.actions] == pytest.approx([fold, call], abs=1e-6)
    assert [a.regret for a in mine.actions] == pytest.approx(regrets, abs=1e-6)
    assert [a.cumulative for a in mine.actions] == pytest.approx([0, F(1, 12)], abs=1e-6)
    assert [a.strategy for a in mine.actions] == [0, 1]
    assert [c.margin for c in choices] == pytest.approx([F(1, 2), F(-1, 6)], abs=1e-6)
    assert [c.enter for c in choices] == [0, 1]
    assert [c.maxmargin for c in choices] == [0, 1]
    assert [c.reach for c in choices] == pytest.approx([0, F(5, 8)])


def test_second_iteration(start):
    _, mine = watched(start)[2]
    fold = F(5, 16) * (F(-1, 2) - F(-1))
    assert [a.regret for a in mine.actions] == pytest.approx([fold, 0], abs=1e-6)
    share = 2 * fold / (2 * fold + F(1, 12))
    assert share == F(15, 19)
    expected = [share, 1 - share]
    assert [a.strategy for a in mine.actions] == pytest.approx(expected, abs=1e-6)


def test_it_ends_where_it_should(start):
    tree, blueprint = start
    analysis = analyse_tree(tree, "Qcb", Budget(steps=2_000), blueprint=blueprint)
    assert analysis.decision.mix == pytest.approx({"fold": 2 / 3, "call": 1 / 3}, abs=1e-3)
    assert analysis.decision.p_max == 0
    assert sum(analysis.gap) < 1e-4


def test_the_page_shows_what_the_program_says(start):
    tree, blueprint = start
    page = (PAGES / "search_by_hand.md").read_text(encoding="utf-8")
    shown = re.search(r"```markdown\n(.*?)```\n", page, re.DOTALL)
    assert shown is not None
    options = SearchOptions()
    agent = search_at(tree, "Qcb", Budget(steps=1), options, blueprint)
    assert trace_tree(agent, "Qcb", Budget(steps=1), options) == shown[1]


@pytest.mark.parametrize("focus", [True, False])
def test_we_explore_from_where_we_may_be(start, focus):
    """With a queen in hand; the opponent thinks of a king as well, and explores against both."""
    tree, blueprint = start
    options = SearchOptions(focus=focus)
    agent = search_at(tree, "Qcb", Budget(steps=1), options, blueprint)
    told = trace_tree(agent, "Qcb", Budget(steps=60), options)
    assert "At Qcb, we explore" in told
    assert ("At Kcb, we explore" in told) == (not focus)
    assert "At Kcb, we play" in told


def test_a_traced_search_is_the_search(tree_of):
    """Looking on changes nothing."""
    tree = tree_of("leduc_poker")
    decisions = []
    for looks in (False, True):
        agent = TreeSearch(tree, 0, SearchOptions(seed=3))
        agent.observe("Qs")
        if looks:
            decision = agent.watch(Budget(steps=200), lambda moment: None, every=True, looks=7)
        else:
            decision = agent.act(Budget(steps=200))
        decisions.append((decision.candidates, decision.nodes, decision.iterations))
    assert decisions[0] == decisions[1]


def test_what_a_watcher_raises_is_raised(tree_of):
    agent = TreeSearch(tree_of("kuhn_poker"), 0)
    agent.observe("Q")

    def complain(moment):
        raise LookupError(moment.event.name)

    with pytest.raises(LookupError, match="progress"):
        agent.watch(Budget(steps=100_000_000), complain, looks=3)
    assert agent.act(Budget(steps=50)).action in ("check", "bet")


@pytest.mark.parametrize("exploration", ["puct", "policy"])
def test_a_bound_is_that_of_the_exploration_rule(tree_of, exploration):
    """By policy an exploring walk always takes the highest bound, by value only sometimes."""
    options = SearchOptions(exploration=exploration)
    agent = search_at(tree_of("kuhn_poker"), "Q", Budget(steps=1), options)
    told = trace_tree(agent, "Q", Budget(steps=60), options)
    explored = re.findall(r"explore: .*", told)
    highest = [line for line in explored if "the highest bound" in line]
    assert len(explored) > 20
    assert (len(highest) == len(explored)) == (exploration == "policy")
