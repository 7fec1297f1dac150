"""New games: a request is checked, and becomes the setup of a game with its secrets."""

from __future__ import annotations

import secrets
import time
from dataclasses import replace
from datetime import date
from typing import Annotated, Any

from msgspec import Meta, Struct

from fogtree.arena.record import GameRecord
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import TERMINAL, Game
from fogtree.registry import game_by_name, game_names
from fogtree.text.specs import parse_spec
from fogtree.text.validation import checked
from fogtree.web.opponents import Roster
from fogtree.web.storage import GameSetup, SeatSetup
from fogtree.web.views import view_of

Text = Annotated[str, Meta(max_length=400)]
_LARGEST = 10_000  # absolute value of a number among the parameters of a game


class _Clock(Struct):
    """The seconds of a clock for the whole game, and those that every move adds."""

    seconds: Annotated[float, Meta(ge=1, le=86_400)]
    increment: Annotated[float, Meta(ge=0, le=3600)] = 0.0


class _Seat(Struct):
    """Who plays a seat: an agent by its spec, or a person."""

    agent: Text | None = None
    name: str | None = None


class _Request(Struct):
    """The fields of a request for a new game, as in :class:`GameSetup`. There is no seed among
    them: whoever knew it could compute what is hidden."""

    game: Text
    seats: list[_Seat]
    clock: _Clock | None = None
    move_seconds: float = 1.0
    casual: bool = True
    previous: str | None = None
    timeout_seconds: Annotated[float, Meta(ge=1, le=60)] | None = None


def requested_setup(request: dict[str, Any], roster: Roster) -> GameSetup:
    """The setup, with new secrets, of the game that a request asks for, checked."""
    asked = checked(request, _Request, unknown="field of a new game")
    game = requested_game(asked.game)
    if game.root().player == TERMINAL:
        raise OptionError("the game is over where it should begin: choose another position")
    seats = _seats(asked.seats, game, roster)
    if all(seat.agent is not None for seat in seats):
        raise OptionError("at least one seat must be a person's")
    longest = roster.limits.most_move_seconds
    if not 0.05 <= asked.move_seconds <= longest:
        raise OptionError(f"move_seconds must be 0.05 to {longest:g}")
    if asked.timeout_seconds is not None and not hasattr(view_of(game), "timeout_action"):
        raise OptionError(f"{game} has no decisions with a time of their own")
    return GameSetup(
        **_secrets(),
        game=str(game),
        seats=seats,
        clock=None if asked.clock is None else (asked.clock.seconds, asked.clock.increment),
        move_seconds=asked.move_seconds,
        casual=asked.casual,
        previous=asked.previous and asked.previous[:40],
        timeout_seconds=asked.timeout_seconds,
        waits=sum(seat.agent is None for seat in seats) > 1,
    )


def rematch_setup(setup: GameSetup) -> GameSetup:
    """The setup of the next game of the same players, with new secrets: each moves from seat ``n``
    to seat ``n - 1``, and the one in seat 0 to the last."""
    turned = (*setup.seats[1:], setup.seats[0])
    seats = tuple(replace(s, key="" if s.agent is not None else _new_key()) for s in turned)
    return replace(setup, **_secrets(), seats=seats, previous=setup.id)


def opened_setup(game: Game, record: GameRecord) -> GameSetup:
    """The setup of a finished game that was read from a file; nobody here has a key to a seat."""
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


def _seats(asked: list[_Seat], game: Game, roster: Roster) -> tuple[SeatSetup, ...]:
    """Who plays each seat, as a request asks: an agent that can be loaded, or a person, who gets a
    secret key."""
    if len(asked) != game.players:
        raise OptionError(f"{game} has {game.players} seats; say who plays each")
    seats = []
    for one in asked:
        if one.agent is None:
            seats.append(SeatSetup(key=_new_key(), name="person"))
            continue
        roster.load(one.agent, game, against_people=True).close()  # an error if it cannot play here
        seats.append(SeatSetup(agent=one.agent, name=(one.name or one.agent)[:40]))
    return tuple(seats)


def requested_game(spec: object) -> Game:
    """The game that a request names: one that is built in or registered, whose parameters are at
    most ``_LARGEST``."""
    text: str = checked(spec, Text, "game")
    read = parse_spec(text)
    if read.argument or read.name not in game_names():
        raise UnknownNameError("game", text, game_names())
    for name, value in read.settings.items():
        if isinstance(value, int | float) and not abs(value) <= _LARGEST:
            raise OptionError(f"'{name}' is too large for this server")
    return game_by_name(text)
