"""An agent that plays at random."""

from __future__ import annotations

import random
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Decision
from fogtree.agents.seat import SeatedAgent
from fogtree.game import Game


class RandomAgent(SeatedAgent):
    """Plays every action with the same probability."""

    every_view: ClassVar[bool] = False

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def start(self, game: Game, player: int, seed: str) -> None:
        self.sit(game, player)
        self._random = random.Random(seed)

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        actions = self.seat.to_act().actions
        mix = dict.fromkeys(actions, 1 / len(actions))
        return Decision(self._random.choice(actions), mix=mix)
