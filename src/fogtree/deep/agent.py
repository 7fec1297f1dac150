"""Plays by trained networks: those that come with the package, or a run's.

In full-size Cambia they are asked at every decision; a game that compiles is asked for as a whole.
"""

from __future__ import annotations

import random
from importlib.resources import as_file, files
from pathlib import Path
from typing import ClassVar

from fogtree.agents.budget import Budget
from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.agents.tabular import TabularAgent
from fogtree.deep.policy import Policy, policy_file
from fogtree.errors import FileFormatError, OptionError
from fogtree.game import Game
from fogtree.games.cambia.game import Cambia, is_full_cambia
from fogtree.games.cambia.view import CambiaView
from fogtree.strategy import Strategy
from fogtree.system.file_cache import read_once
from fogtree.tree import compile

_SHIPPED = "policy.npz"

_policy = read_once(Policy.load)
_tables: dict[tuple[int, str], tuple[Policy, Strategy]] = {}  # by policy and game


def load_deep(game: Game, file: str | Path | None = None) -> Agent:
    """An agent for any game that can be trained on, from a file or the folder of a run; without one
    from the networks that come with the package."""
    if file is None:
        return DeepAgent.shipped()
    path = Path(file)
    if is_full_cambia(game):
        return DeepAgent.load(path)
    policy = _policy(policy_file(Path(path)))
    policy.check_game(game.short_name or str(game), game.players)
    key = id(policy), str(game)
    if key not in _tables:
        from fogtree.deep.policy_strategy import policy_strategy  # noqa: PLC0415 - for these games

        if len(_tables) > 4:
            _tables.clear()
        _tables[key] = policy, policy_strategy(game, compile(game), policy)
    return TabularAgent(_tables[key][1], name=f"deep:{path}")


def shipped_policy() -> Policy:
    """The networks in the package."""
    place = files("fogtree.games.cambia") / "networks" / _SHIPPED
    with as_file(place) as path:
        if not path.exists():
            raise FileFormatError("this installation has no trained network; use  deep:FILE")
        return _policy(path)


class DeepAgent(Agent):
    """Asks a network at every decision and draws from its mix."""

    every_view: ClassVar[bool] = False

    def __init__(self, policy: Policy, name: str = "deep") -> None:
        self.policy, self.name = policy, name

    @classmethod
    def shipped(cls) -> DeepAgent:
        return cls(shipped_policy())

    @classmethod
    def load(cls, path: str | Path) -> DeepAgent:
        """From a file that training wrote."""
        return cls(_policy(policy_file(Path(path))), name=f"deep:{path}")

    def start(self, game: Game, player: int, seed: str) -> None:
        if not isinstance(game, Cambia):
            raise OptionError(f"{self.name} plays cambia, not {game}")
        self._layout = game.layout
        self._encoding = game.encoding
        self.policy.check("cambia", game.players, self._encoding.size, game.layout.count)
        self._random = random.Random(seed)
        networks = self.policy.draw(self._random)
        self._network = networks[player % len(networks)]
        self._now: Observation | None = None

    def observe(self, observation: Observation) -> None:
        self._now = observation

    def act(self, budget: Budget | None = None) -> Decision:
        del budget
        assert self._now is not None, "observe comes before act"
        view, actions = self._now.view, self._now.actions
        assert isinstance(view, CambiaView)
        columns = [self._layout.number[str(action)] for action in actions]
        shares = self.policy.probabilities(self._network, self._encoding.encode(view), columns)
        mix = dict(zip(actions, shares.tolist(), strict=True))
        action = self._random.choices(list(mix), weights=list(mix.values()))[0]
        return Decision(action, mix=mix)
