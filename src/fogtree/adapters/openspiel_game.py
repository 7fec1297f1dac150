"""A game of fogtree behind OpenSpiel's interface: ``pyspiel.Game`` and ``pyspiel.State``."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from fogtree.adapters.learner_encoding import (
    FactMemory,
    LearnerEncoding,
    learner_encoding,
    text_of_view,
)
from fogtree.adapters.survey import Survey, survey
from fogtree.errors import IllegalActionError, MissingExtraError
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.tree.size import DEEPEST

try:
    import pyspiel
except ImportError as error:
    raise MissingExtraError("open_spiel", "openspiel") from error

_LONGEST_VIEW = 60
"""Letters of a view's text in an information state; a longer one is replaced by its hash."""

Step = tuple[tuple[Action] | None, Hashable]
"""A player's own action, if there was one, and the view that followed."""

_registered: dict[str, Game] = {}


def registered(game: Game) -> Any:
    """The game as an OpenSpiel object; its name is registered with OpenSpiel on the first call."""
    base = name = "fogtree_" + re.sub(r"\W+", "_", str(game)).strip("_")
    number = 1
    while name in _registered and _registered[name] != game:
        number += 1
        name = f"{base}_{number}"
    if name not in _registered:
        found = survey(game)
        encoding = learner_encoding(game)
        kind = _game_type(name, encoding, found)
        pyspiel.register_game(kind, _class_of(kind, encoding, found))
        _registered[name] = game
    return pyspiel.load_game(name)


def _class_of(kind: Any, encoding: LearnerEncoding, found: Survey) -> type:
    """The class that OpenSpiel instantiates for a registered name, without parameters."""

    class Registered(ExportedGame):
        """The exported game, made without arguments."""

        def __init__(self, params: Any = None) -> None:
            del params
            super().__init__(kind, encoding, found)

    return Registered


def _game_type(name: str, encoding: LearnerEncoding, found: Survey) -> Any:
    """OpenSpiel's description of the game: its name, kind of payoffs and what it provides."""
    kind, game = pyspiel.GameType, encoding.game
    remembers = isinstance(encoding.memory(0), FactMemory)
    utility = kind.Utility.GENERAL_SUM
    if _constant_sum(found):
        utility = kind.Utility.CONSTANT_SUM if found.sums[0] else kind.Utility.ZERO_SUM
    return kind(
        short_name=name,
        long_name=f"fogtree: {game}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=(
            kind.ChanceMode.EXPLICIT_STOCHASTIC
            if found.most_outcomes
            else kind.ChanceMode.DETERMINISTIC
        ),
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=remembers,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _constant_sum(found: Survey) -> bool:
    """Whether the payoffs of all players add up to the same number in every game surveyed."""
    low, high = found.sums
    return high - low <= 1e-9 * max(1.0, *map(abs, found.payoffs))


def _game_info(encoding: LearnerEncoding, found: Survey) -> Any:
    """OpenSpiel's bounds of the game; payoffs are unbounded if the game is too large to be
    walked."""
    low, high = found.payoffs if found.complete else (-math.inf, math.inf)
    return pyspiel.GameInfo(
        num_distinct_actions=len(encoding.actions),
        max_chance_outcomes=found.most_outcomes,
        num_players=encoding.game.players,
        min_utility=low,
        max_utility=high,
        utility_sum=found.sums[0] if _constant_sum(found) else None,
        max_game_length=found.longest if found.complete else DEEPEST,
    )


class ExportedGame(pyspiel.Game):  # type: ignore[misc]
    """A game whose rules are fogtree's."""

    def __init__(self, kind: Any, encoding: LearnerEncoding, found: Survey) -> None:
        super().__init__(kind, _game_info(encoding, found), {})
        self.encoding = encoding

    @property
    def source(self) -> Game:
        """The game of fogtree."""
        return self.encoding.game

    def new_initial_state(self) -> ExportedState:
        return ExportedState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> KnowledgeObserver:
        """OpenSpiel's observer of the game; ``kind`` says whether it has perfect recall."""
        del params
        return KnowledgeObserver(self.encoding, kind is not None and kind.perfect_recall)


@dataclass(frozen=True, eq=False)
class Place:
    """A state and what each player has seen and done; immutable, so copies of a state share it."""

    encoding: LearnerEncoding
    state: State
    steps: tuple[Action, ...]
    histories: tuple[tuple[Step, ...], ...]

    def __deepcopy__(self, memo: object) -> Place:
        """The object itself, which never changes."""
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the game and the steps, which are replayed to make the place again."""
        return _replayed, (self.encoding.game, self.steps)

    @classmethod
    def start(cls, encoding: LearnerEncoding) -> Place:
        """The place before anything has happened."""
        root = encoding.game.root()
        views = [root.observation(player) for player in range(encoding.game.players)]
        return cls(encoding, root, (), tuple(((None, view),) for view in views))

    def after(self, action: Action) -> Place:
        """The place after an action or an outcome of chance."""
        state, mover = self.state.child(action), self.state.player
        histories = []
        for player, steps in enumerate(self.histories):
            view, own = state.observation(player), (action,) if player == mover else None
            same = own is None and view == steps[-1][1]
            histories.append(steps if same else (*steps, (own, view)))
        return Place(self.encoding, state, (*self.steps, action), tuple(histories))

    @cached_property
    def edges(self) -> dict[int, Action]:
        """The legal actions, or the possible outcomes of chance, by OpenSpiel's numbers."""
        if self.state.player == CHANCE:
            outcomes = [outcome for outcome, share in self.state.chance() if share > 0]
            return dict(enumerate(outcomes))
        if self.state.player == TERMINAL:
            return {}
        return dict(sorted(self.encoding.legal(self.state).items()))

    def information_state(self, player: int) -> str:
        """All that a player remembers as text, different for different information sets."""
        game = self.encoding.game
        texts = [f"{player}"]
        for own, view in self.histories[player]:
            text = text_of_view(game, view)
            if len(text) > _LONGEST_VIEW:
                text = blake2b(text.encode(), digest_size=12).hexdigest()
            texts.append(text if own is None else f"{own[0]} > {text}")
        return " | ".join(texts)


def _replayed(game: Game, steps: tuple[Action, ...]) -> Place:
    """The place after these actions and chance outcomes, from the root on."""
    place = Place.start(learner_encoding(game))
    for step in steps:
        place = place.after(step)
    return place


class ExportedState(pyspiel.State):  # type: ignore[misc]
    """A history of an :class:`ExportedGame`."""

    def __init__(self, game: ExportedGame) -> None:
        super().__init__(game)
        self.place = Place.start(game.encoding)

    def current_player(self) -> int:
        """The player to move, in OpenSpiel's numbers for chance and the end of the game."""
        player = self.place.state.player
        if player == TERMINAL:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if player == CHANCE else player

    def _legal_actions(self, player: int) -> list[int]:
        """The numbers of the legal actions of the player to move; none for other players."""
        return list(self.place.edges) if player == self.place.state.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The numbers of the possible chance outcomes with their probabilities."""
        shares = [share for _, share in self.place.state.chance() if share > 0]
        return list(enumerate(shares))

    def _apply_action(self, action: int) -> None:
        """Called by OpenSpiel: play the action, or take the chance outcome, with this number."""
        if action not in self.place.edges:
            raise IllegalActionError(f"{self.place.encoding.game}: action {action} is not legal")
        self.place = self.place.after(self.place.edges[action])

    def _action_to_string(self, player: int, action: int) -> str:
        """The name of an action, or of a chance outcome, by its number."""
        if player == self.place.state.player or player < 0:
            return str(self.place.edges[action])
        return self.place.encoding.actions[action]

    def is_terminal(self) -> bool:
        return self.place.state.player == TERMINAL

    def returns(self) -> list[float]:
        """The payoffs of all players; zeros before the end, as OpenSpiel expects."""
        if not self.is_terminal():
            return [0.0] * self.place.encoding.game.players
        return [float(value) for value in self.place.state.returns()]

    def __str__(self) -> str:
        """What each player remembers."""
        players = range(self.place.encoding.game.players)
        return "\n".join(self.place.information_state(player) for player in players)


class KnowledgeObserver:
    """An observer as OpenSpiel defines it: gives what a player knows as text and as a vector."""

    def __init__(self, encoding: LearnerEncoding, perfect_recall: bool) -> None:
        self._encoding, self._perfect_recall = encoding, perfect_recall
        self.tensor = np.zeros(encoding.size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: ExportedState, player: int) -> None:
        """Write what a player knows in a state to ``tensor``."""
        memory = self._encoding.memory(player)
        for own, view in state.place.histories[player]:
            memory.look(view, own)
        self.tensor[:] = memory.vector()

    def string_from(self, state: ExportedState, player: int) -> str:
        """All that a player remembers as text; without perfect recall only the present view."""
        if self._perfect_recall:
            return state.place.information_state(player)
        return (
            f"{player} | {text_of_view(self._encoding.game, state.place.histories[player][-1][1])}"
        )
