"""Agents that play by trained networks.

A game with a :class:`~fogtree.deep.support.TrainingSupport` asks a network at every decision, and
so does one whose networks were trained without compiling; any other game is compiled, and the
networks become a strategy over its information sets.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from pathlib import Path
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.agents.seat import SeatedAgent
from fogtree.agents.tabular import TabularAgent
from fogtree.deep.history_encoding import trained_encoding
from fogtree.deep.policy import Policy, read_policy
from fogtree.deep.policy_strategy import policy_strategy
from fogtree.deep.support import TrainingSupport, support_for
from fogtree.errors import OptionError
from fogtree.game import Action, Game
from fogtree.strategy import Strategy
from fogtree.tree import compile

_strategies: dict[tuple[int, str], tuple[Policy, Strategy]] = {}  # by the policy's id and the game


def load_deep(game: Game, file: str | Path, memory: int | None = None) -> Agent:
    """The agent ``deep:FILE``, from a policy file or the folder of a training run; ``memory`` is
    the number of bytes that compiling the game may use, where that is needed."""
    policy, name = read_policy(file), f"deep:{file}"
    support = support_for(game)
    if support is not None:
        return DeepAgent(policy, support, name)
    policy.check_game(game.short_name or str(game), game.players)
    if not policy.compiled:
        return HistoryAgent(policy, game, name)
    key = id(policy), str(game)
    if key not in _strategies:
        if len(_strategies) > 4:
            _strategies.clear()
        tree = compile(game, memory=memory)
        _strategies[key] = policy, policy_strategy(game, tree, policy)
    return TabularAgent(_strategies[key][1], name=name)


class DeepAgent(SeatedAgent):
    """Asks a network at every decision and draws an action from its probabilities."""

    every_view: ClassVar[bool] = False

    def __init__(self, policy: Policy, support: TrainingSupport, name: str = "deep") -> None:
        game = support.game
        policy.check(game.short_name, game.players, support.inputs, support.outputs)
        self.policy, self.support, self.name = policy, support, name

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game, which must be the one that the networks were loaded for; draw the networks
        that play it."""
        if str(game) != str(self.support.game):
            raise OptionError(f"{self.name} was loaded for {self.support.game}, not for {game}")
        self.sit(game, player)
        self._random = random.Random(seed)
        networks = self.policy.draw(self._random)
        self._network = networks[player % len(networks)]

    def act(self, budget: Budget | None = None) -> Decision:
        """Draw an action from the network's probabilities at the present view."""
        del budget
        now = self.seat.to_act()
        features, actions = self.support.encode(now.view), now.actions
        columns = [self.support.column(action) for action in actions]
        shares = self.policy.probabilities(self._network, features, columns)
        mix = dict(zip(actions, shares.tolist(), strict=True))
        action = self._random.choices(list(mix), weights=list(mix.values()))[0]
        return Decision(action, mix=mix)


class HistoryAgent(SeatedAgent):
    """Asks a network at every decision about all that the player has seen and done."""

    _played: tuple[Action] | None
    """The action since the last view, if there was one."""
    _seen: list[tuple[tuple[Action] | None, Hashable]]
    """Views since the last decision, each with the own action before it."""

    def __init__(self, policy: Policy, game: Game, name: str = "deep") -> None:
        """Take a policy that was trained on the game without compiling it."""
        spec = game.short_name or str(game)
        policy.check_game(spec, game.players)
        encoding = trained_encoding(game, policy)
        policy.check(spec, game.players, encoding.feature_count, encoding.action_count)
        self.policy, self.game, self.encoding, self.name = policy, game, encoding, name

    def start(self, game: Game, player: int, seed: str) -> None:
        """Begin a game, which must be the one that the networks were loaded for; draw the networks
        that play it."""
        if str(game) != str(self.game):
            raise OptionError(f"{self.name} was loaded for {self.game}, not for {game}")
        self.sit(game, player)
        self._random = random.Random(seed)
        networks = self.policy.draw(self._random)
        self._network = networks[player % len(networks)]
        self._memory, self._played = self.encoding.nothing, None
        self._seen = []

    def observe(self, observation: Observation) -> None:
        """Note the view, and the own action before it; the next decision encodes them, so the end
        of a game, which training does not see, is never encoded."""
        super().observe(observation)
        self._seen.append((self._played, observation.view))
        self._played = None

    def follow(self, action: Action) -> None:
        """Note an own action; it is remembered with the next view."""
        _ = self.seat  # a game has started
        self._played = (action,)

    def act(self, budget: Budget | None = None) -> Decision:
        """Draw an action from the network's probabilities at what the player remembers."""
        del budget
        actions = self.seat.to_act().actions
        for own, view in self._seen:
            self._memory = self.encoding.next(self._memory, own, view)
        self._seen = []
        features = self.encoding.decode(self._memory.code[None])[0]
        columns = self.encoding.columns(actions).tolist()
        shares = self.policy.probabilities(self._network, features, columns)
        mix = dict(zip(actions, shares.tolist(), strict=True))
        action = self._random.choices(list(mix), weights=list(mix.values()))[0]
        self.follow(action)
        return Decision(action, mix=mix)
