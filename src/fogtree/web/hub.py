"""All games of a server: makes them, loads them when somebody connects, unloads idle ones."""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fogtree.arena.record import GameRecord
from fogtree.errors import FogtreeError, OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.registry import game_names, load_game
from fogtree.text.specs import parse_spec
from fogtree.web.engines import Engines, give_back_memory
from fogtree.web.game_log import GameLog, Result
from fogtree.web.limits import Limits
from fogtree.web.looking import LookPool
from fogtree.web.opened_records import steps_of
from fogtree.web.opponents import load_opponent
from fogtree.web.priority import give_way
from fogtree.web.session import Pools, Session, load_log
from fogtree.web.storage import GameSetup, SeatSetup, Storage
from fogtree.web.views import view_of

NO_SUCH_GAME = "no game here opens with this link: check that it is complete, or ask for it again"
"""The answer to a wrong key and to an unknown game alike, so that nobody can tell which it is."""


class ServerFull(FogtreeError):  # noqa: N818 - not a mistake of anybody
    """A limit of the server is reached."""


class GameHub:
    """The games of one server."""

    def __init__(self, storage: Storage, limits: Limits) -> None:
        self.storage, self.limits = storage, limits
        self._pools = Pools(
            searches=ThreadPoolExecutor(limits.searches, "search", initializer=give_way),
            scripted=ThreadPoolExecutor(limits.scripted, "agent"),
            looks=LookPool(limits),
            engines=Engines(limits),
        )
        self._sessions: dict[str, Session] = {}
        self._loading = asyncio.Lock()  # held while games are loaded or unloaded

    def new_game(self, request: dict[str, Any]) -> GameSetup:
        """Check a request for a new game, and store the game."""
        self._check_room()
        _check_fields(request)
        game = requested_game(request)
        seats = self._seats(request, game)
        if all(seat.agent is not None for seat in seats):
            raise OptionError("at least one seat must be a person's")
        previous = request.get("previous")
        setup = GameSetup(
            **_secrets(),
            game=str(game),
            seats=seats,
            clock=_clock(request.get("clock")),
            move_seconds=_move_seconds(request.get("move_seconds", 1.0), self.limits),
            casual=request.get("casual", True) is True,
            previous=previous[:40] if isinstance(previous, str) else None,
            timeout_seconds=_timeout_seconds(request.get("timeout_seconds"), game),
        )
        self.storage.add_game(setup)
        return setup

    def add_record(self, record: GameRecord) -> GameSetup:
        """Store a finished game that was read from a file, to be looked at by its spectator key."""
        game = requested_game({"game": record.game})
        seats = tuple(SeatSetup(agent="record", name=name[:40]) for name in record.agents)
        setup = GameSetup(**_secrets(), game=str(game), seats=seats)
        steps = steps_of(record, game)
        GameLog(setup, game).apply_all(steps)
        self.storage.add_opened(setup, steps, self.limits.opened_records)
        return setup

    def rematch(self, setup: GameSetup) -> GameSetup:
        """Store the same game again, with every seat's player one seat further back."""
        self._check_room()
        turned = (*setup.seats[1:], setup.seats[0])
        seats = tuple(replace(s, key="" if s.agent is not None else _new_key()) for s in turned)
        following = replace(setup, **_secrets(), seats=seats, previous=setup.id)
        self.storage.add_game(following, rematch_of=setup.id)
        return following

    def _check_room(self) -> None:
        if self.storage.unfinished() >= self.limits.games:
            raise ServerFull("the server has too many unfinished games")

    def _seats(self, request: dict[str, Any], game: Game) -> tuple[SeatSetup, ...]:
        """Who plays each seat, as a request asks."""
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
            load_opponent(spec, game, self.limits).close()
            name = one.get("name")
            name = name[:40] if isinstance(name, str) else spec
            seats.append(SeatSetup(agent=spec, name=name))
        return tuple(seats)

    def find(self, game: str, key: str) -> tuple[GameSetup | None, int | None]:
        """A game with the seat that a key belongs to; nothing is loaded for this."""
        loaded = self._sessions.get(game)
        setup = loaded.setup if loaded is not None else self.storage.find_game(game)
        return setup, None if setup is None else setup.seat_of(key)

    async def session(self, game: str) -> Session | None:
        """The live session of a game, loaded if necessary; None if there is no such game."""
        async with self._loading:
            found = self._sessions.get(game)
            if found is not None and not found.failed:
                return found
            if found is not None:
                await self._unload(found)
            setup = self.storage.find_game(game)
            if setup is None:
                return None
            await self._make_room(self._searches(setup))
            log = await asyncio.get_running_loop().run_in_executor(
                None, load_log, setup, self.storage
            )
            session = Session.open(log, self.storage, self.limits, self._pools, self.rematch)
            self._sessions[game] = session
            return session

    async def result(self, game: str) -> Result | None:
        """How a game ended, or None while it runs; no session is loaded for this."""
        loaded, setup = self._sessions.get(game), self.storage.find_game(game)
        if loaded is not None:
            return loaded.log.result
        if setup is None or not self.storage.is_over(game):
            return None
        in_thread = asyncio.get_running_loop().run_in_executor
        return (await in_thread(None, load_log, setup, self.storage)).result

    def _searches(self, setup: GameSetup) -> bool:
        """Whether an agent of a game keeps a search tree."""
        agents = [seat.agent for seat in setup.seats if seat.agent is not None]
        return any(agent.startswith("search") for agent in agents)

    async def _make_room(self, for_search: bool) -> None:
        """Unload the games that nobody watches, the longest idle first."""
        loaded = list(self._sessions.values())
        searching = [s for s in loaded if self._searches(s.setup) and not s.over]
        for games, most in ((loaded, self.limits.loaded_games), (searching, self.limits.engines)):
            if games is searching and not for_search:
                continue
            idle = [s for s in games if not s.listeners and not s.runs_by_itself]
            idle.sort(key=lambda session: session.idle_since)
            for session in idle[: max(0, len(games) - most + 1)]:
                await self._unload(session)
                games.remove(session)
            if len(games) >= most:
                raise ServerFull("the server is busy with other games")

    async def _unload(self, session: Session) -> None:
        """Close a game and forget it; it stays stored."""
        if self._sessions.get(session.setup.id) is session:
            del self._sessions[session.setup.id]
            await session.close()

    async def sweep(self) -> None:
        """Every few seconds: unload idle games, give memory back, remove the oldest finished games
        and tidy the file up."""
        in_thread = asyncio.get_running_loop().run_in_executor
        while True:
            await asyncio.sleep(5)
            await self.unload_idle()
            await in_thread(None, give_back_memory)
            with suppress(sqlite3.Error, FogtreeError):  # the disk may be full; all stays as it is
                await in_thread(None, self.storage.remove_finished, self.limits.finished_games)
                await in_thread(None, self.storage.checkpoint)

    async def unload_idle(self) -> None:
        """Unload the games to which nobody has been connected for some time. A game whose clock
        runs stays loaded, because its time may run out; only its agents are closed."""
        async with self._loading:
            for session in list(self._sessions.values()):
                idle = time.monotonic() - session.idle_since
                grace = self.limits.over_seconds if session.over else self.limits.idle_seconds
                if session.listeners or idle <= grace:
                    continue
                if session.runs_by_itself:
                    await session.close_agents()
                else:
                    await self._unload(session)

    @property
    def loaded(self) -> int:
        """The number of games in memory."""
        return len(self._sessions)

    async def close(self) -> None:
        """Close all games; they stay stored."""
        async with self._loading:
            await asyncio.gather(*(self._unload(s) for s in list(self._sessions.values())))
        self._pools.close()


_LONGEST = 400  # characters of a game's or an agent's spec
_FIELDS = ("game", "seats", "clock", "move_seconds", "casual", "previous", "timeout_seconds")
_LARGEST = 10_000  # number among the parameters of a game
_TIMEOUTS = (1, 60)  # least and most seconds of a short decision


def _new_key() -> str:
    return secrets.token_urlsafe(24)


def _secrets() -> dict[str, Any]:
    """What every game has of its own: an identifier, the moment at which it was made, a key for
    spectators, and the seed from which chance and agents draw; nobody is ever told the seed."""
    return {
        "id": secrets.token_urlsafe(9),
        "created": time.time(),
        "spectator_key": _new_key(),
        "seed": secrets.token_hex(16),
    }


def _check_fields(request: dict[str, Any]) -> None:
    """Refuse a field that a new game does not have, such as a seed: whoever knew the seed could
    compute what is hidden."""
    for name in request:
        if name not in _FIELDS:
            raise OptionError(f"a new game has no {name[:40]!r}; it has {', '.join(_FIELDS)}")


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
    """The seconds for each short decision, such as a snap, that a request asks for; None: without
    a limit."""
    if asked is None:
        return None
    if not hasattr(view_of(game), "timeout_action"):
        raise OptionError(f"{game} has no decisions with a time of their own")
    least, most = _TIMEOUTS
    if isinstance(asked, bool) or not isinstance(asked, int | float) or not least <= asked <= most:
        raise OptionError(f"'timeout_seconds' must be {least} to {most}")
    return float(asked)
