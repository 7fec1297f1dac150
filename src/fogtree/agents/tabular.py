"""Plays a strategy of a compiled game."""

from __future__ import annotations

from fogtree.agents.budget import Budget
from fogtree.agents.player_history import PlayerHistory
from fogtree.agents.protocol import Decision, Observation
from fogtree.agents.strategy_agent import StrategyAgent
from fogtree.errors import GameError, OptionError
from fogtree.game import Action, Game
from fogtree.strategy import Strategy


class TabularAgent(StrategyAgent[Strategy]):
    """Looks its information set up by the name that compiling gave it.

    An information set that the strategy does not have (another size of the game) is an error.
    """

    by_name = True

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game; it must be the one that the strategy is for."""
        super().start(game, player, seed)
        self._history = PlayerHistory(player)

    def observe(self, observation: Observation) -> None:
        """Add the view to the player's history, by which the information set is found."""
        super().observe(observation)
        self._history = self._history.after_view(observation.view)

    def follow(self, action: Action) -> None:
        """Add an own action to the player's history, by which information sets are found."""
        _ = self.seat  # a game has started
        self._history = self._history.after_action(action)

    def act(self, budget: Budget | None = None) -> Decision:
        """Draw an action from the strategy's mix at the present information set."""
        del budget
        now = self.seat.to_act()
        shares = self.strategy[self.infoset()]
        by_text = {str(action): action for action in now.actions}
        if set(shares) != set(by_text):
            raise self.other_actions()
        return self.play({by_text[text]: share for text, share in shares.items()})

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
