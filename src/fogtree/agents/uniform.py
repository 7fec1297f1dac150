"""An agent that plays at random."""

from __future__ import annotations

import random
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.game import Game


class RandomAgent(Agent):
    """Plays every action with the same probability."""

    every_view: ClassVar[bool] = False

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def start(self, game: Game, player: int, seed: str) -> None:
        del game, player
        self._random = random.Random(seed)

    def observe(self, observation: Observation) -> None:
        self._actions = observation.actions

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        share = 1 / len(self._actions)
        return Decision(self._random.choice(self._actions), mix=dict.fromkeys(self._actions, share))
