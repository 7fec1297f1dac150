"""An action that a search is told to examine gets its value, and changes nothing else."""

from __future__ import annotations

from contextlib import closing

import pytest

from fogtree import _core
from fogtree.game import History
from fogtree.registry import load_game
from fogtree.search.agent import SearchAgent, search_settings
from fogtree.search.analysis import follow_history

BUDGET = _core.SearchBudget(steps=3000)


def at_root(spec: str) -> SearchAgent:
    """A search agent of player 0 at its first decision."""
    game = load_game(spec)
    agent = SearchAgent(game, search_settings(game))
    follow_history(agent, History.of(game, ()), earlier=0, seed="s")
    agent.adapter.prepare()
    return agent


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_rest_of_the_strategy_stays_free(number: int) -> None:
    """Rock is worth 0 though a fifth of all games has it: the rest of the strategy makes up for it.
    If it were played always, it would be worth -1."""
    with closing(at_root("rock_paper_scissors")) as agent:
        native = agent.adapter.native
        native.examine(number)
        examined = native.decide(BUDGET)
        assert examined.value == pytest.approx(0, abs=0.02)
        shares = {one.action: one.strategy for one in examined.candidates}
        assert shares[number] >= 0.2
        assert [one.value for one in examined.candidates] == pytest.approx([0, 0, 0], abs=0.05)
        native.examine(None)
        assert native.decide(BUDGET).value == pytest.approx(0, abs=0.02)


def test_a_third_of_the_walks_takes_the_action() -> None:
    """A search that just decides hardly goes there."""
    position = "3rk3/ppp2ppp/3p4/8/3Q4/8/PPP2PPP/4K3 w - - 0 1"
    with closing(at_root(f"fog_chess(fen='{position}')")) as agent:
        native = agent.adapter.native
        plain = native.decide(BUDGET)
        infoset = native.infoset(native.key, 0)
        assert infoset is not None
        number = next(
            one.action
            for one in infoset.actions
            if agent.adapter.notation.action(one.action) == "d4d6"
        )
        before = {one.action: one for one in plain.candidates}[number]
        assert before.probability == 0
        native.examine(number)
        after = {one.action: one for one in native.decide(BUDGET).candidates}[number]
        assert before.visits < 150
        assert after.visits - before.visits > 700
        assert after.value < plain.value - 0.2


def test_an_action_that_is_not_there() -> None:
    with closing(at_root("rock_paper_scissors")) as agent:
        native = agent.adapter.native
        native.examine(17)
        with pytest.raises(ValueError, match="no such action"):
            native.decide(BUDGET)
        native.examine(None)
        native.decide(BUDGET)
