"""The agent that plays a strategy found by sampling, for games too large to compile."""

from __future__ import annotations

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Decision, Observation
from fogtree.agents.strategy_agent import StrategyAgent
from fogtree.game import Action, Game, InfosetKeys
from fogtree.game.simulators import infoset_keys
from fogtree.strategy.hashed import HashedStrategy


class HashedAgent(StrategyAgent[HashedStrategy]):
    """Finds its information set by the hash of the player's history.

    Where the strategy has no entry, because training never reached the information set, it plays
    uniformly at random and sets ``Decision.stats["known"]`` to 0.
    """

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game; it must be the one that the strategy is for."""
        super().start(game, player, seed)
        self._keys: InfosetKeys = infoset_keys(game, player, self.strategy.abstraction)

    def observe(self, observation: Observation) -> None:
        """Add the view to the player's history; if the view is refused, nothing changes."""
        before = self.seat.last
        super().observe(observation)
        try:
            self._keys.notice(observation.view)
        except BaseException:
            self.seat.last = before
            raise

    def follow(self, action: Action) -> None:
        """Record an own action, which may change the keys of later information sets."""
        _ = self.seat  # a game has started
        self._keys.follow(action)

    def act(self, budget: Budget | None = None) -> Decision:
        """Draw an action from the strategy's mix, uniformly where the strategy has no entry."""
        del budget
        actions = self.seat.to_act().actions
        shares = self.strategy.mix(self._keys.key(actions)) if len(actions) > 1 else None
        if shares is not None and len(shares) != len(actions):
            raise self.other_actions()
        if shares is None:
            return self.play(dict.fromkeys(actions, 1 / len(actions)), known=0.0)
        return self.play(dict(zip(actions, map(float, shares), strict=True)), known=1.0)
