"""Any OpenSpiel game as a game of fogtree.

A simultaneous game is taken in its turn-based form. Where the game has information states, a
player's view changes only when on move, and is then OpenSpiel's information state, so that the
information sets are OpenSpiel's; else a player sees OpenSpiel's observation after every move.
"""

from __future__ import annotations

import importlib
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Any

from fogtree.errors import GameError, MissingExtraError, OptionError, UnknownNameError, require
from fogtree.game import CHANCE, TERMINAL, Action, Game, State


def from_openspiel(game: Any) -> OpenSpielGame:
    """A game of OpenSpiel as a game of fogtree, given by its spec or as OpenSpiel's own object.

    ``load_game("openspiel:leduc_poker(players=2)")`` does the same by name. Needs the extra
    ``fogtree[openspiel]``.

    >>> import fogtree
    >>> fogtree.compile(fogtree.from_openspiel("kuhn_poker")).sizes().infosets  # doctest: +SKIP
    (6, 6)
    """
    pyspiel = _pyspiel()
    if isinstance(game, str):
        game = _load(pyspiel, game)
    require(game, pyspiel.Game, "a game of OpenSpiel")
    kind = pyspiel.GameType
    if game.get_type().dynamics == kind.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    if game.get_type().dynamics != kind.Dynamics.SEQUENTIAL:
        raise GameError(f"OpenSpiel's {game} is a mean-field game, which has no tree")
    if game.get_type().chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(f"OpenSpiel's {game} samples its chance events and cannot list them")
    imported = OpenSpielGame(game)
    if not (imported.has_information_states or game.get_type().provides_observation_string):
        raise GameError(f"OpenSpiel's {game} does not say what a player sees")
    return imported


class OpenSpielGame(Game):
    """A game whose rules are OpenSpiel's; made by :func:`from_openspiel`."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.players = game.num_players()
        self.has_information_states: bool = game.get_type().provides_information_state_string

    def root(self) -> OpenSpielState:
        return OpenSpielState(self, self.game.new_initial_state(), (None,) * self.players)

    def __str__(self) -> str:
        return f"openspiel:{self.game}".removesuffix("()")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielGame) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return from_openspiel, (str(self.game),)


class OpenSpielState(State):
    """OpenSpiel's state, and the last view of each player."""

    def __init__(self, game: OpenSpielGame, state: Any, views: tuple[str | None, ...]) -> None:
        self.game = game
        self.state = state
        self.views = self._look(views)

    def _look(self, views: tuple[str | None, ...]) -> tuple[str | None, ...]:
        """The players' views in this state, from their views before it."""
        everyone = range(self.game.players)
        if not self.game.has_information_states:
            return tuple(self.state.observation_string(player) for player in everyone)
        if self.state.is_terminal():
            return tuple(self.state.information_state_string(player) for player in everyone)
        mover = self.player
        if mover == CHANCE:
            return views
        return (*views[:mover], self.state.information_state_string(mover), *views[mover + 1 :])

    @property
    def player(self) -> int:
        if self.state.is_terminal():
            return TERMINAL
        return CHANCE if self.state.is_chance_node() else int(self.state.current_player())

    @cached_property
    def numbers(self) -> dict[Action, int]:
        """OpenSpiel's number of each action or outcome, by its label."""
        labels: dict[Action, int] = {}
        for number in self.state.legal_actions():
            label = self.state.action_to_string(number)
            labels[f"{label} ({number})" if label in labels else label] = number
        return labels

    def actions(self) -> Sequence[Action]:
        return tuple(self.numbers)

    def chance(self) -> Sequence[tuple[Action, float]]:
        chances = dict(self.state.chance_outcomes())
        return [(label, chances[number]) for label, number in self.numbers.items()]

    def child(self, action: Action) -> OpenSpielState:
        return OpenSpielState(self.game, self.state.child(self.numbers[action]), self.views)

    def returns(self) -> Sequence[float]:
        return tuple(self.state.returns())

    def observation(self, player: int) -> Hashable:
        return self.views[player]


def _pyspiel() -> Any:
    """OpenSpiel's Python module; an error that names the extra if it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        raise MissingExtraError("open_spiel", "openspiel") from None


def _load(pyspiel: Any, spec: str) -> Any:
    """An OpenSpiel game by its own spec."""
    name = spec.partition("(")[0].strip()
    names = pyspiel.registered_names()
    if name not in names:
        raise UnknownNameError("OpenSpiel game", name, names)
    try:
        return pyspiel.load_game(spec)
    except (pyspiel.SpielError, ValueError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise OptionError(f"OpenSpiel cannot make '{spec}': {reason}") from None
