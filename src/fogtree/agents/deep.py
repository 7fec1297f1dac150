"""Plays Cambia by a trained network: the one that comes with the package, or a file."""

from __future__ import annotations

import random
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from fogtree.agents.protocol import Agent, Decision, Observation
from fogtree.deep.policy import Policy
from fogtree.errors import FileFormatError, OptionError
from fogtree.game import Game
from fogtree.games.cambia import Cambia, CambiaView

if TYPE_CHECKING:
    from fogtree.search import Budget

_SHIPPED = "cambia.npz"


@lru_cache(maxsize=4)
def _policy(path: Path, changed: int) -> Policy:
    """Read once per process: agents are made often."""
    del changed
    return Policy.load(path)


def shipped_policy() -> Policy:
    """The networks in the package."""
    place = files("fogtree.deep") / "trained" / _SHIPPED
    with as_file(place) as path:
        if not path.exists():
            raise FileFormatError("this installation has no trained network; use  deep:FILE")
        return _policy(path, path.stat().st_mtime_ns)


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
        found = Path(path)
        changed = found.stat().st_mtime_ns if found.exists() else 0
        return cls(_policy(found, changed), name=f"deep:{path}")

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
