"""Plays a strategy of a compiled game."""

from __future__ import annotations

import random

from fogtree.agents.budget import Budget
from fogtree.agents.player_history import PlayerHistory
from fogtree.agents.protocol import Decision, Observation
from fogtree.agents.seat import SeatedAgent
from fogtree.errors import GameError, OptionError
from fogtree.game import Action, Game
from fogtree.strategy import Strategy


class TabularAgent(SeatedAgent):
    """Looks its information set up by the name that compiling gave it.

    An information set that the strategy does not have (another size of the game) is an error.
    """

    by_name = True

    def __init__(self, strategy: Strategy, name: str = "tabular") -> None:
        self.strategy = strategy
        self.name = name

    def start(self, game: Game, player: int, seed: str) -> None:
        if str(game) != self.strategy.game:
            raise OptionError(f"this strategy is for '{self.strategy.game}', not for '{game}'")
        self.sit(game, player)
        self._random = random.Random(seed)
        self._history = PlayerHistory(player)

    def observe(self, observation: Observation) -> None:
        super().observe(observation)
        self._history = self._history.after_view(observation.view)

    def follow(self, action: Action) -> None:
        _ = self.seat  # a game has started
        self._history = self._history.after_action(action)

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        now = self.seat.to_act()
        shares = self.strategy[self.infoset()]
        by_text = {str(action): action for action in now.actions}
        if set(shares) != set(by_text):
            raise OptionError(f"the strategy for '{self.strategy.game}' has other actions here")
        mix = {by_text[text]: share for text, share in shares.items()}
        action = self._random.choices(list(mix), weights=list(mix.values()))[0]
        self.follow(action)
        return Decision(action, mix=mix)

    def infoset(self) -> str:
        """The name of the present information set; an error if the strategy does not have it."""
        now = self.seat.to_act()
        name = self._history.infoset(now, self.strategy)
        if name is None:
            shown = now.name or f"{self._history.player}:{now.view}"
            raise OptionError(
                f"the strategy for '{self.strategy.game}' has no information set '{shown:.80}'"
            )
        if self.strategy.player_at(name) != self._history.player:
            raise GameError(f"another player decides at information set '{name:.80}'")
        return name
