"""Training on Cambia without compiling it: native walks and matches, network inputs, options."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.agents import Agent, quick_agent_names
from fogtree.deep.agent import DeepAgent, load_deep
from fogtree.deep.policy import Policy
from fogtree.deep.support import TrainingSupport
from fogtree.errors import OptionError
from fogtree.game import Action, Game
from fogtree.games.cambia.game import Cambia, is_full_cambia
from fogtree.games.cambia.shipped_networks import shipped_policy
from fogtree.games.cambia.view import CambiaView
from fogtree.games.cambia.walkable import WalkableCambia

_FIT = {"steps": 100, "batch": 512, "learning_rate": 7e-4, "fresh": False}
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "traversal": {
        "sampling_method": "escher",
        "traversals": 2000,
        "exploration": 0.2,
        "value_exploration": 0.0,
    },
    "regret": _FIT,
    "average": {**_FIT, "steps": 1000, "learning_rate": 1e-3, "weight_exponent": 2.0},
    "value": {**_FIT, "steps": 50, "capacity": 1_000_000},
}


class CambiaTraining:
    """Cambia's :class:`~fogtree.deep.support.TrainingSupport`."""

    symmetric = True

    def __init__(self, game: Cambia) -> None:
        self.game = game

    @property
    def default_options(self) -> Mapping[str, Mapping[str, Any]]:
        """The training options by section; games of two players are also evaluated against the
        scripted agents."""
        if not self.scripted_agents:
            return _OPTIONS
        return {**_OPTIONS, "evaluation": {"baselines": ["mi5", "mi3"]}}

    @cached_property
    def native_game(self) -> _core.DeepCambia:
        """The game that the native engine walks."""
        return _core.DeepCambia(self.game.native_rules)

    def decoding_plan(self, *, history: bool = False) -> tuple[NDArray[Any], ...]:
        """How codes become input vectors: see :class:`~fogtree.deep.support.TrainingSupport`."""
        return tuple(self.native_game.columns(history))

    def walkable_game(self) -> WalkableCambia:
        """The game that the reference traversal in Python walks."""
        return WalkableCambia(self.game)

    @property
    def inputs(self) -> int:
        """The length of a network's input vector."""
        return self.game.encoding.size

    @property
    def outputs(self) -> int:
        """The number of a network's output columns, one for every action."""
        return self.game.layout.count

    def encode(self, view: Hashable) -> NDArray[np.float32]:
        """The input vector of the information set of a player who is to move and has this view."""
        assert isinstance(view, CambiaView)
        return self.game.encoding.encode(view)

    def column(self, action: Action) -> int:
        """The output column of an action: its number."""
        return self.game.layout.number[str(action)]

    def shipped_policy(self) -> Policy:
        """The trained networks that come with the package."""
        return shipped_policy()

    @property
    def scripted_agents(self) -> tuple[str, ...]:
        """The agents without networks that a native match can be played against; they play games of
        two."""
        if self.game.players != 2:
            return ()
        return tuple(name for name in quick_agent_names(self.game) if name != "deep")

    def scripted(self, name: str) -> _core.DeepContestant:
        """A scripted agent by its name, as a side of :meth:`match`."""
        return _core.DeepContestant.scripted(name)

    has_matches = True

    def match(
        self,
        first: _core.DeepContestant,
        second: _core.DeepContestant,
        *,
        games: int,
        seed: int,
        threads: int,
    ) -> _core.CambiaScore:
        """Play a native match between two sides, every deal from both seats."""
        return _core.cambia_match(self.native_game, first, second, games, seed, threads)


def training_support(game: Game) -> TrainingSupport | None:
    """How to train on full-size Cambia; None for the smaller presets, which are compiled."""
    return CambiaTraining(game) if is_full_cambia(game) else None


def deep_agent(game: Game, file: str | Path | None = None) -> Agent:
    """Plays what networks learnt in training: those of the package or, with a file, of your own."""
    if file is not None:
        return load_deep(game, file)
    if not isinstance(game, Cambia):
        raise OptionError(f"deep plays cambia, not {game}")
    return DeepAgent(shipped_policy(), CambiaTraining(game))
