"""Any OpenSpiel game as a game of fogtree.

A simultaneous game is taken in its turn-based form. Where the game has information states, a
player's view changes only when on move, and is then OpenSpiel's information state, so that the
information sets are OpenSpiel's, unless an information state leaves out what the player knew before
(:mod:`fogtree.adapters.openspiel_strings`); else a player sees OpenSpiel's observation after every
move.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from threading import Lock
from typing import Any

from fogtree.errors import GameError, MissingExtraError, OptionError, UnknownNameError, require
from fogtree.game import CHANCE, TERMINAL, Action, Game, State
from fogtree.tree import GameTree

_PLACE = re.compile(r"^\S+\.(?:cc|h):\d+ ")
"""The place in OpenSpiel's sources with which some of its errors begin."""
_NO_FILE = "CHECK_TRUE(fd_)"  # OpenSpiel's error for a file that it cannot open
_screen = Lock()
"""Held while the process's standard error is turned away."""


def from_openspiel(game: Any) -> OpenSpielGame:
    """A game of OpenSpiel as a game of fogtree, given by its spec or as OpenSpiel's own object.

    ``load_game("openspiel:leduc_poker(players=2)")`` does the same by name. Needs the extra
    ``fogtree[openspiel]``.

    >>> import fogtree
    >>> fogtree.compile(fogtree.from_openspiel("kuhn_poker")).sizes().infosets  # doctest: +SKIP
    (6, 6)
    """
    pyspiel = _pyspiel()
    spec: str | None
    if isinstance(game, str):
        text, game = game, _load(pyspiel, game)
        listed = game.get_type().short_name in pyspiel.registered_names()
        spec = str(game) if listed else text
    else:
        require(game, pyspiel.Game, "a game of OpenSpiel")
        spec = _text_of(pyspiel, game)
    kind = pyspiel.GameType
    if game.get_type().dynamics == kind.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    if game.get_type().dynamics != kind.Dynamics.SEQUENTIAL:
        raise GameError(f"OpenSpiel's {game} is a mean-field game, which has no tree")
    if game.get_type().chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError(f"OpenSpiel's {game} samples its chance events and cannot list them")
    imported = OpenSpielGame(game, spec)
    if not (imported.has_information_states or game.get_type().provides_observation_string):
        raise GameError(f"OpenSpiel's {game} does not say what a player sees")
    return imported


class OpenSpielGame(Game):
    """A game whose rules are OpenSpiel's; made by :func:`from_openspiel`.

    ``spec`` is a text from which OpenSpiel makes the game; None for a game that was made from
    numbers, such as a matrix, which only this object knows.
    """

    def __init__(self, game: Any, spec: str | None) -> None:
        self.game, self.spec = game, spec
        self.players = game.num_players()
        self.has_information_states: bool = game.get_type().provides_information_state_string

    @property
    def rules_text(self) -> str | None:
        """OpenSpiel's version and its text of the game; None if that does not tell all rules."""
        if self.spec is None or "filename" in self.spec:
            return None
        try:
            return f"{version('open_spiel')} {self.spec}"
        except PackageNotFoundError:  # built from its sources
            return None

    def tree_remark(self, tree: GameTree) -> str | None:
        """A sentence on the compiled game, if OpenSpiel's information states leave something out
        that fogtree's information sets keep."""
        from fogtree.adapters.openspiel_strings import split_remark  # noqa: PLC0415 - it needs this

        return split_remark(tree)

    def root(self) -> OpenSpielState:
        return OpenSpielState(self, self.game.new_initial_state(), (None,) * self.players)

    def __str__(self) -> str:
        return f"openspiel:{self.spec or self.game}".removesuffix("()")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenSpielGame) or None in (self.spec, other.spec):
            return self is other
        return self.spec == other.spec

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        """Pickle the spec, from which the game is made again; an error if it has none."""
        if self.spec is None:
            raise GameError(f"{self} was made from numbers: other processes cannot make it again")
        return from_openspiel, (self.spec,)


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
    """An OpenSpiel game by its own spec; games that OpenSpiel has in Python begin with
    ``python_``."""
    name = spec.partition("(")[0].strip()
    if name.startswith("python_"):
        with suppress(ImportError):
            importlib.import_module("open_spiel.python.games")
    names = pyspiel.registered_names()
    if name not in names:
        raise UnknownNameError("OpenSpiel game", name, names)
    try:
        with _without_errors_on_screen():
            return pyspiel.load_game(spec)
    except IndexError:  # it looks for a parameter that was not given
        raise OptionError(f"OpenSpiel cannot make '{spec}': a parameter is missing") from None
    except (pyspiel.SpielError, ValueError, TypeError) as error:
        reason = _PLACE.sub("", str(error).splitlines()[0])
        reason = "it cannot open its file" if reason == _NO_FILE else reason
        raise OptionError(f"OpenSpiel cannot make '{spec}': {reason}") from None


def _text_of(pyspiel: Any, game: Any) -> str | None:
    """OpenSpiel's own text of a game, if that makes the same game again; else None, as for a game
    that was made from numbers."""
    if isinstance(game, pyspiel.MatrixGame | pyspiel.TensorGame):
        return None
    try:
        with _without_errors_on_screen():
            again = pyspiel.load_game(str(game))
    except (pyspiel.SpielError, ValueError, TypeError, IndexError):
        return None
    return str(game) if str(again) == str(game) else None


@contextmanager
def _without_errors_on_screen() -> Iterator[None]:
    """A context in which the process's standard error is dropped, because OpenSpiel's native code
    prints its errors beside raising them."""
    with _screen:
        if sys.stderr is not None:
            sys.stderr.flush()
        try:
            screen = os.dup(2)
        except OSError:  # there is none
            yield
            return
        nothing = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nothing, 2)
            yield
        finally:
            os.dup2(screen, 2)
            os.close(screen)
            os.close(nothing)
