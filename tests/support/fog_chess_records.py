"""Recorded games of Fog-of-War chess that end in different ways."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

import fogtree
from fogtree.agents.protocol import Agent, Decision, Observation, Resigned
from fogtree.arena import (
    GameRecord,
    play_game,
    with_views,
)
from fogtree.game import Game
from fogtree.games.fog_chess.game import FogChess
from tests.support.fog_chess_twins import Scripted

OTHER_START = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 5"


QUIET = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


class Quitter(Agent):
    """Resigns when its moves are played."""

    def __init__(self, *moves: str) -> None:
        self.name = 'the "quitter" \\'
        self.moves = list(moves)

    def start(self, game: Game, player: int, seed: str) -> None:
        """Nothing to prepare."""

    def observe(self, observation: Observation) -> None:
        """Nothing to see."""

    def act(self, budget: object = None) -> Decision:
        if not self.moves:
            raise Resigned
        return Decision(self.moves.pop(0))


def some_records() -> list[GameRecord]:
    records = []
    for number, game in enumerate(
        [FogChess(), FogChess("openspiel"), FogChess("fairy", OTHER_START)]
    ):
        names = ("greedy", "random") if number % 2 else ("random", "greedy")
        agents = [fogtree.agent(name, game) for name in names]
        records.append(with_views(play_game(game, agents, seed=f"s{number}").record))
    quits = play_game(FogChess(), [Quitter("e2e4", "g1f3"), Scripted(["e7e5", "b8c6"])], seed="1")
    return [*records, with_views(quits.record)]


RECORDS = some_records()
