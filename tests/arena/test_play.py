"""One game between agents: repeatable, with fair deals and legal moves."""

from __future__ import annotations

from typing import Any

import pytest

import fogtree
from fogtree import load_game
from fogtree.agents import (
    Agent,
    Decision,
    Observation,
    RandomAgent,
)
from fogtree.arena import (
    play_game,
    read_record,
    replay,
)
from fogtree.errors import IllegalActionError
from fogtree.game import TERMINAL

GAMES = ("kuhn_poker", "kuhn_poker(players=3)", "goofspiel", "cambia", "cambia(players=4)")


@pytest.mark.parametrize("spec", GAMES)
def test_equal_seeds_make_equal_games_and_records_replay(spec: str) -> None:
    game = load_game(spec)
    agents = [RandomAgent() for _ in range(game.players)]
    one, two = (play_game(game, agents, seed="7").record for _ in range(2))
    assert one == two
    assert play_game(game, agents, seed="8").record != one
    again = read_record(one.to_json())
    assert again == one
    states = list(replay(again))
    assert states[-1].player == TERMINAL
    assert len(states) == len(one.steps) + 1


def test_a_deal_is_the_same_whoever_sits_where() -> None:
    """Same chance, other agents: the hands dealt and the stock's order do not change."""
    game = load_game("cambia")
    drawn = []
    for names in (("imperfect_greedy", "random_no_cambia"), ("random_no_cambia", "greedy")):
        agents = [fogtree.agent(name, game) for name in names]
        record = play_game(game, agents, seed=f"own {names}", deal="6").record
        drawn.append([step for step in record.steps if len(step) == 2 or step[0] == "X"])
    shorter = min(map(len, drawn))
    assert shorter > 12
    assert drawn[0][:shorter] == drawn[1][:shorter]


def test_an_agent_that_cheats_is_stopped() -> None:
    class Cheat(Agent):
        name = "cheat"

        def start(self, game: Any, player: int, seed: str) -> None:
            pass

        def observe(self, observation: Observation) -> None:
            pass

        def act(self, budget: Any = None) -> Decision:
            return Decision("win")

    with pytest.raises(IllegalActionError, match="cheat chose 'win'"):
        play_game(load_game("cambia"), [Cheat(), Cheat()], seed="1")
