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
from fogtree.system.random_streams import derived_seed

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


class Keeps(RandomAgent):
    """Keeps the seed that it is given."""

    def start(self, game: Any, player: int, seed: str) -> None:
        super().start(game, player, seed)
        self.seed = seed


def test_the_seed_of_an_agent_tells_nothing_about_the_deal() -> None:
    """Whoever has it cannot find the game's seed in it, nor the stream of chance or another's."""
    game = load_game("kuhn_poker")
    agents = [Keeps(), Keeps()]
    for number in range(20):
        secret = f"secret {number}"
        play_game(game, agents, seed=secret)
        seeds = [agent.seed for agent in agents]
        streams = {*seeds, derived_seed(secret, "chance")}
        assert len(streams) == 3
        assert not any(secret in seed or seed in secret for seed in seeds)
        assert all(len(seed) == 64 and int(seed, 16) for seed in seeds)
        assert derived_seed(seeds[0], "chance") not in streams


def test_the_deal_does_not_depend_on_the_agents_and_nor_do_they_on_it() -> None:
    game = load_game("kuhn_poker")
    first, second = [Keeps(), Keeps()], [Keeps(), Keeps()]
    one = play_game(game, first, seed="a", deal="x").record
    other = play_game(game, second, seed="b", deal="x").record
    assert one.steps[:2] == other.steps[:2]
    assert first[0].seed != second[0].seed
    play_game(game, second, seed="a", deal="y")
    assert second[0].seed == first[0].seed
