"""The base of agents that play a fixed strategy of one game."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Generic, TypeVar

from fogtree.agents.protocol import Decision
from fogtree.agents.seat import SeatedAgent
from fogtree.errors import OptionError
from fogtree.game import Action, Game
from fogtree.strategy import Strategy
from fogtree.strategy.hashed import HashedStrategy

AnyStrategy = TypeVar("AnyStrategy", Strategy, HashedStrategy)


class StrategyAgent(SeatedAgent, Generic[AnyStrategy]):
    """Draws actions from a strategy; subclasses find the mix of the present information set."""

    def __init__(self, strategy: AnyStrategy, name: str = "tabular") -> None:
        self.strategy: AnyStrategy = strategy
        self.name = name

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game; it must be the one that the strategy is for."""
        if str(game) != self.strategy.game:
            raise OptionError(f"this strategy is for '{self.strategy.game}', not for '{game}'")
        self.sit(game, player)
        self._random = random.Random(seed)

    def play(self, mix: Mapping[Action, float], **stats: float) -> Decision:
        """Draw an action from a mix and record it as played; ``stats`` are numbers for the
        decision."""
        action = self._random.choices(list(mix), weights=list(mix.values()))[0]
        self.follow(action)
        return Decision(action, mix=mix, stats=stats)

    def other_actions(self) -> OptionError:
        """The error for an information set whose actions are not those of the strategy."""
        return OptionError(f"the strategy for '{self.strategy.game}' has other actions here")
