"""Training on a game whose native engine has codes, without compiling the game.

A *code* is a row of bytes that stands for an information set, or for a whole history, in a sample;
the native engine decodes it to the input vector of a network, which is much larger. A game brings
its codes (:class:`CodedGame`); the rest of a
:class:`~fogtree.deep.support.TrainingSupport` follows from them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.deep.encoding import Vector
from fogtree.deep.policy import Policy
from fogtree.deep.support import MatchScore
from fogtree.deep.walkable import Codes
from fogtree.errors import OptionError
from fogtree.game import Action, Game, State

_FIT = {"steps": 200, "batch": 512, "fresh": False}
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "traversal": {
        "sampling_method": "escher",
        "traversals": 2000,
        "exploration": 0.2,
        "value_exploration": 0.0,
    },
    "regret": _FIT,
    "average": {**_FIT, "steps": 1000},
    "value": _FIT,
}


class CodedGame(ABC):
    """A game in Python beside its native engine, and the codes of both."""

    game: Game
    native: Any  # a _core.DeepGame with columns()

    @abstractmethod
    def column(self, action: Action) -> int:
        """The output column of an action."""

    @abstractmethod
    def code(self, view: Hashable) -> Codes:
        """The code of the information set of a player who is to move and has this view."""

    @abstractmethod
    def history_code(self, state: State, viewer: int) -> Codes:
        """The code of a whole history, from the viewer's point of view."""


class CodedTraining:
    """A :class:`~fogtree.deep.support.TrainingSupport` made from a game's codes."""

    symmetric = False
    default_options = _OPTIONS
    scripted_agents: tuple[str, ...] = ()

    def __init__(self, coded: CodedGame) -> None:
        self.coded = coded
        self.game = coded.game

    @property
    def native_game(self) -> _core.DeepGame:
        """The game that the native engine walks."""
        native: _core.DeepGame = self.coded.native
        return native

    def decoding_plan(self, *, history: bool = False) -> tuple[NDArray[Any], ...]:
        """The arrays by which a device decodes codes of information sets, or of histories, to input
        vectors: for every input its source byte, kind, argument and scale."""
        return tuple(self.coded.native.columns(history))

    def walkable_game(self) -> WalkableStates:
        """The game that the reference traversal in Python walks."""
        return WalkableStates(self.coded)

    @property
    def inputs(self) -> int:
        """The length of a network's input vector."""
        return self.native_game.feature_count

    @property
    def outputs(self) -> int:
        """The number of output columns of a network."""
        return self.native_game.action_count

    def encode(self, view: Hashable) -> Vector:
        """The input vector of the information set of a player who is to move and has this view."""
        row: Vector = self.native_game.decode(self.coded.code(view)[None])[0]
        return row

    def column(self, action: Action) -> int:
        """The output column of an action."""
        return self.coded.column(action)

    def shipped_policy(self) -> Policy:
        """Refuse: no trained networks of these games come with the package."""
        raise OptionError(f"no trained networks of {self.game.short_name} come with the package")

    def scripted(self, name: str) -> _core.DeepContestant:
        """Refuse: these games have no scripted agents."""
        raise OptionError(f"{self.game.short_name} has no scripted agent '{name}'")

    has_matches = False

    def match(
        self,
        first: _core.DeepContestant,
        second: _core.DeepContestant,
        *,
        games: int,
        seed: int,
        threads: int,
    ) -> MatchScore:
        """Refuse: these games have no native matches."""
        raise OptionError(f"there are no native matches of {self.game.short_name}")


class WalkableStates:
    """The game's states in Python as a :class:`~fogtree.deep.walkable.WalkableGame`, with the
    codes of the native engine."""

    def __init__(self, coded: CodedGame) -> None:
        native = coded.native
        self._coded = coded
        self.players = coded.game.players
        self.action_count, self.most_actions = native.action_count, native.most_actions
        self.feature_count, self.code_bytes = native.feature_count, native.code_bytes
        self.history_feature_count = native.history_feature_count
        self.history_code_bytes = native.history_code_bytes
        self.decode, self.decode_history = native.decode, native.decode_history

    def root(self) -> State:
        """The state before anything has happened."""
        return self._coded.game.root()

    def player(self, state: State) -> int:
        """The player to move, ``CHANCE`` or ``TERMINAL``."""
        return state.player

    def chance(self, state: State) -> Sequence[float]:
        """The probabilities of the outcomes of a chance state."""
        return [share for _, share in state.chance()]

    def columns(self, state: State) -> NDArray[np.int64]:
        """The output columns of the legal actions."""
        return np.array([self._coded.column(action) for action in state.actions()], dtype=np.int64)

    def child(self, state: State, number: int) -> State:
        """The state after the action or chance outcome with this number, counted from 0."""
        if state.player >= 0:
            return state.child(state.actions()[number])
        return state.child(state.chance()[number][0])

    def returns(self, state: State) -> Sequence[float]:
        """The payoff of each player at a terminal state."""
        return state.returns()

    def code(self, state: State) -> Codes:
        """The code of the information set of the player to move."""
        return self._coded.code(state.observation(state.player))

    def history_code(self, state: State, viewer: int) -> Codes:
        """The code of the whole history, from the viewer's point of view."""
        return self._coded.history_code(state, viewer)
