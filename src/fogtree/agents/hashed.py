"""Plays a strategy whose information sets are found by hash, for games too large to compile."""

from __future__ import annotations

import random

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Decision, Observation
from fogtree.agents.seat import SeatedAgent
from fogtree.errors import OptionError
from fogtree.game import Action, Game, InfosetKeys
from fogtree.game.simulators import infoset_keys
from fogtree.strategy.hashed import HashedStrategy


class HashedAgent(SeatedAgent):
    """Finds its information set by the hash of the player's history.

    Where the strategy has no entry, because training never reached the information set, it plays
    uniformly at random and sets ``Decision.stats["known"]`` to 0.
    """

    def __init__(self, strategy: HashedStrategy, name: str = "tabular") -> None:
        self.strategy = strategy
        self.name = name

    def start(self, game: Game, player: int, seed: str) -> None:
        if str(game) != self.strategy.game:
            raise OptionError(f"this strategy is for '{self.strategy.game}', not for '{game}'")
        self.sit(game, player)
        self._keys: InfosetKeys = infoset_keys(game, player, self.strategy.abstraction)
        self._random = random.Random(seed)

    def observe(self, observation: Observation) -> None:
        before = self.seat.last
        super().observe(observation)
        try:
            self._keys.notice(observation.view)
        except BaseException:
            self.seat.last = before
            raise

    def follow(self, action: Action) -> None:
        _ = self.seat  # a game has started
        self._keys.follow(action)

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        actions = self.seat.to_act().actions
        shares = self.strategy.mix(self._keys.key(actions)) if len(actions) > 1 else None
        if shares is not None and len(shares) != len(actions):
            raise OptionError(f"the strategy for '{self.strategy.game}' has other actions here")
        even = 1 / len(actions)
        weights = [even] * len(actions) if shares is None else [float(share) for share in shares]
        action = self._random.choices(actions, weights=weights)[0]
        self.follow(action)
        mix = dict(zip(actions, weights, strict=True))
        return Decision(action, mix=mix, stats={"known": float(shares is not None)})
