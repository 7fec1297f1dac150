"""The games that come with fogtree, by name: ``load_game("leduc_poker(ranks=10)")``.

Each game is one module of the same name, imported when first asked for.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.game.parameters import Parameter, ParameterGame
from fogtree.text.specs import parse_spec

__all__ = ["GameInfo", "describe_game", "game_names", "load_game"]

_CLASSES = {
    "rock_paper_scissors": "RockPaperScissors",
    "matching_pennies": "MatchingPennies",
    "kuhn_poker": "KuhnPoker",
    "leduc_poker": "LeducPoker",
    "goofspiel": "Goofspiel",
    "battleship": "Battleship",
    "liars_dice": "LiarsDice",
    "phantom_ttt": "PhantomTicTacToe",
    "fog_chess": "FogChess",
    "cambia": "Cambia",
}

_OPENSPIEL = "openspiel:"


@dataclass(frozen=True)
class GameInfo:
    """What a list of games shows about one of them."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]

    @property
    def signature(self) -> str:
        """The game's spec with every parameter at its default."""
        given = ", ".join(str(parameter) for parameter in self.parameters)
        return f"{self.name}({given})" if given else self.name


def game_names() -> tuple[str, ...]:
    """The names that :func:`load_game` knows, from the smallest game to the largest."""
    return tuple(_CLASSES)


def describe_game(name: str) -> GameInfo:
    """One line about a game, and its parameters with their defaults."""
    game = _game_class(name)
    summary = (game.__doc__ or "").strip().splitlines()[0]
    return GameInfo(name, summary, game.parameters())


def load_game(spec: str) -> Game:
    """Make a game from its spec: a name, or a name with parameters in brackets.

    >>> str(load_game("leduc_poker(ranks=10, raises=2)"))
    'leduc_poker(ranks=10)'

    ``openspiel:`` before the spec brings in OpenSpiel's game of that name instead.
    """
    if spec.strip().startswith(_OPENSPIEL):
        openspiel = importlib.import_module("fogtree.games.openspiel")
        game: Game = openspiel.from_openspiel(spec.strip().removeprefix(_OPENSPIEL))
        return game
    name, values = parse_spec(spec)
    cls = _game_class(name)
    known = [parameter.name for parameter in cls.parameters()]
    for key in values:
        if not known:
            raise OptionError(f"{name} takes no parameters, but '{key}' was given")
        if key not in known:
            raise UnknownNameError(f"parameter of {name}", key, known)
    return cls(**values)


def _game_class(name: str) -> type[ParameterGame]:
    if name not in _CLASSES:
        raise UnknownNameError("game", name, _CLASSES)
    home = "fog_chess.game" if name == "fog_chess" else name
    module = importlib.import_module(f"fogtree.games.{home}")
    cls: type[ParameterGame] = getattr(module, _CLASSES[name])
    return cls
