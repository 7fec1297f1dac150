"""A budget that is none is refused wherever one is given."""

from __future__ import annotations

from typing import Any

import pytest

import fogtree
from fogtree.agents import Agent, Decision
from fogtree.agents.lookup import agent_names
from fogtree.agents.protocol import Observation
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.search.agent import SearchAgent

REFUSED = "the budget of a decision is None or a Budget"
GAMES = ("kuhn_poker", "cambia", "fog_chess")


class First(Agent):
    """An agent of somebody's own: it plays the first action and looks at its budget."""

    name = "first"

    def start(self, game: Game, player: int, seed: str) -> None:
        pass

    def observe(self, observation: Observation) -> None:
        self.seen = observation

    def act(self, budget: fogtree.Budget | None = None) -> Decision:
        """Play the first action."""
        return Decision(self.seen.actions[0], stats={"steps": budget.steps if budget else -1})


@pytest.mark.parametrize("spec", GAMES)
def test_every_agent_refuses_a_budget_that_is_none(spec: str) -> None:
    game = fogtree.load_game(spec)
    agents = [fogtree.agent(name, game) for name in agent_names(game)]
    wrong: Any
    for agent in [*agents, First()]:
        agent.start(game, 0, "seed")
        for wrong in (5, "x", {"seconds": 1}, fogtree.Budget):
            with pytest.raises(OptionError, match=REFUSED) as caught:
                agent.act(wrong)
            assert "\n" not in str(caught.value)
        agent.close()


def test_a_budget_reaches_an_agent_of_ones_own() -> None:
    agent = First()
    agent.observe(Observation(0, "x", ("fold", "call")))
    assert agent.act().stats == agent.act(None).stats == {"steps": -1}
    assert agent.act(fogtree.Budget(steps=3)).stats == {"steps": 3}
    assert agent.act(budget=fogtree.Budget(steps=4)).stats == {"steps": 4}
    assert First.act.__doc__ == "Play the first action."


def test_functions_refuse_a_budget_that_is_none() -> None:
    wrong: Any = 5
    with pytest.raises(OptionError, match=REFUSED):
        fogtree.play("kuhn_poker", ["random", "random"], budget=wrong)
    with pytest.raises(OptionError, match=REFUSED):
        fogtree.match("kuhn_poker", "random", "random", games=2, processes=1, budget=wrong)
    with pytest.raises(OptionError, match=REFUSED):
        fogtree.analyse("kuhn_poker", infoset="Jb", budget=wrong)
    agent = fogtree.agent("search", "kuhn_poker")
    assert isinstance(agent, SearchAgent)
    with pytest.raises(OptionError, match=REFUSED):
        agent.watch(print, wrong)
