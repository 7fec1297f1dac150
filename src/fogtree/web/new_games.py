"""New games: a request is checked, and becomes the setup of a game with its secrets."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from datetime import date
from typing import Any

from fogtree.arena.record import GameRecord
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.registry import game_names, load_game
from fogtree.text.specs import parse_spec
from fogtree.web.limits import Limits
from fogtree.web.opponents import Roster
from fogtree.web.storage import GameSetup, SeatSetup
from fogtree.web.views import view_of

_LONGEST = 400  # characters of a game's or an agent's spec
_FIELDS = ("game", "seats", "clock", "move_seconds", "casual", "previous", "timeout_seconds")
_LARGEST = 10_000  # number among the parameters of a game
_TIMEOUTS = (1, 60)  # least and most seconds of a short decision


def requested_setup(request: dict[str, Any], roster: Roster) -> GameSetup:
    """The new game that a request asks for."""
    _check_fields(request)
    game = requested_game(request)
    seats = _seats(request, game, roster)
    if all(seat.agent is not None for seat in seats):
        raise OptionError("at least one seat must be a person's")
    previous = request.get("previous")
    return GameSetup(
        **_secrets(),
        game=str(game),
        seats=seats,
        clock=_clock(request.get("clock")),
        move_seconds=_move_seconds(request.get("move_seconds", 1.0), roster.limits),
        casual=request.get("casual", True) is True,
        previous=previous[:40] if isinstance(previous, str) else None,
        timeout_seconds=_timeout_seconds(request.get("timeout_seconds"), game),
    )


def rematch_setup(setup: GameSetup) -> GameSetup:
    """The same game again, with every seat's player one seat further back."""
    turned = (*setup.seats[1:], setup.seats[0])
    seats = tuple(replace(s, key="" if s.agent is not None else _new_key()) for s in turned)
    return replace(setup, **_secrets(), seats=seats, previous=setup.id)


def opened_setup(game: Game, record: GameRecord) -> GameSetup:
    """A game that was read from a file, played by nobody here."""
    seats = tuple(SeatSetup(agent="record", name=name[:40]) for name in record.agents)
    return replace(GameSetup(**_secrets(), game=str(game), seats=seats), date=record.date)


def _new_key() -> str:
    """A random key, whose holder may play a seat or watch a game."""
    return secrets.token_urlsafe(24)


def _secrets() -> dict[str, Any]:
    """The identifier, creation time and day, spectator key and random seed of a new game; the seed
    is never sent to anybody."""
    return {
        "id": secrets.token_urlsafe(9),
        "created": time.time(),
        "date": date.today().isoformat(),
        "spectator_key": _new_key(),
        "seed": secrets.token_hex(16),
    }


def _check_fields(request: dict[str, Any]) -> None:
    """Refuse a field that a new game does not have, such as a seed: whoever knew the seed could
    compute what is hidden."""
    for name in request:
        if name not in _FIELDS:
            raise OptionError(f"a new game has no {name[:40]!r}; it has {', '.join(_FIELDS)}")


def _seats(request: dict[str, Any], game: Game, roster: Roster) -> tuple[SeatSetup, ...]:
    """Who plays each seat, as a request asks: an agent that can be loaded, or a person, who gets a
    secret key."""
    asked = request.get("seats")
    if not isinstance(asked, list) or len(asked) != game.players:
        raise OptionError(f"{game} has {game.players} seats; say who plays each")
    seats = []
    for one in asked:
        spec = one.get("agent") if isinstance(one, dict) else None
        if spec is None:
            seats.append(SeatSetup(key=_new_key(), name="person"))
            continue
        if not isinstance(spec, str) or len(spec) > _LONGEST:
            raise OptionError("an agent is named by a text")
        roster.load(spec, game, against_people=True).close()  # an error if it cannot play here
        name = one.get("name")
        name = name[:40] if isinstance(name, str) else spec
        seats.append(SeatSetup(agent=spec, name=name))
    return tuple(seats)


def requested_game(request: dict[str, Any]) -> Game:
    """The game that a request names."""
    return load_game(_game_spec(request))


def _game_spec(request: dict[str, Any]) -> str:
    """The game of a request: one of the list, with parameters of a sensible size."""
    spec = _text(request, "game")
    read = parse_spec(spec)
    if read.argument or read.name not in game_names():
        raise UnknownNameError("game", spec, game_names())
    for name, value in read.settings.items():
        if isinstance(value, int | float) and not abs(value) <= _LARGEST:
            raise OptionError(f"'{name}' is too large for this server")
    return spec


def _text(request: dict[str, Any], key: str) -> str:
    """A text of bounded length among the fields of a request."""
    value = request.get(key)
    if not isinstance(value, str) or len(value) > _LONGEST:
        raise OptionError(f"'{key}' must be a text")
    return value


def _clock(asked: object) -> tuple[float, float] | None:
    """The seconds and the increment of the clock that a request asks for; None: no clock."""
    if asked is None:
        return None
    if not isinstance(asked, dict):
        raise OptionError("'clock' must have seconds and an increment")
    seconds, increment = asked.get("seconds"), asked.get("increment", 0)
    if not all(type(value) in (int, float) for value in (seconds, increment)):
        raise OptionError("'clock' must have seconds and an increment")
    assert isinstance(seconds, int | float)
    if not (1 <= seconds <= 86_400 and 0 <= increment <= 3600):
        raise OptionError("a clock has 1 to 86,400 seconds and an increment of 0 to 3,600")
    return float(seconds), float(increment)


def _move_seconds(asked: object, limits: Limits) -> float:
    """The seconds that agents may take per move, as a request asks, if the server allows it."""
    if type(asked) not in (int, float):
        raise OptionError("'move_seconds' must be a number")
    assert isinstance(asked, int | float)
    if not 0.05 <= asked <= limits.most_move_seconds:
        raise OptionError(f"'move_seconds' must be 0.05 to {limits.most_move_seconds:g}")
    return float(asked)


def _timeout_seconds(asked: object, game: Game) -> float | None:
    """The seconds that a request allows for each short decision, which only some games have; None:
    no limit."""
    if asked is None:
        return None
    if not hasattr(view_of(game), "timeout_action"):
        raise OptionError(f"{game} has no decisions with a time of their own")
    least, most = _TIMEOUTS
    if isinstance(asked, bool) or not isinstance(asked, int | float) or not least <= asked <= most:
        raise OptionError(f"'timeout_seconds' must be {least} to {most}")
    return float(asked)
