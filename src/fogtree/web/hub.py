"""All games of a server: makes them, loads them when somebody connects, unloads idle ones."""

from __future__ import annotations

import asyncio
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fogtree.agents import load_agent
from fogtree.agents.protocol import Clairvoyant
from fogtree.errors import FogtreeError, OptionError
from fogtree.game import Game
from fogtree.registry import load_game
from fogtree.web.limits import Limits
from fogtree.web.session import Session
from fogtree.web.storage import GameSetup, SeatSetup, Storage


class ServerFull(FogtreeError):  # noqa: N818 - not a mistake of anybody
    """A limit of the server is reached."""


class GameHub:
    """The games of one server."""

    def __init__(self, storage: Storage, limits: Limits) -> None:
        self.storage, self.limits = storage, limits
        self.executor = ThreadPoolExecutor(limits.searches, thread_name_prefix="agent")
        self._sessions: dict[str, Session] = {}
        self._opening = asyncio.Lock()

    def new_game(self, request: dict[str, Any]) -> GameSetup:
        """Check a request for a new game, and store the game."""
        if self.storage.unfinished() >= self.limits.games:
            raise ServerFull("the server has too many unfinished games")
        game = load_game(_text(request, "game"))
        seats = self._seats(request, game)
        if all(seat.agent is not None for seat in seats):
            raise OptionError("at least one seat must be a person's")
        seed = secrets.token_hex(16)  # chance and agents draw from it; nobody is ever told
        setup = GameSetup(
            id=secrets.token_urlsafe(9),
            game=str(game),
            seats=seats,
            seed=seed,
            created=time.time(),
            spectator_key=secrets.token_urlsafe(24),
            clock=_clock(request.get("clock")),
            move_seconds=_seconds(request.get("move_seconds", 1.0), self.limits),
            casual=bool(request.get("casual", True)),
            previous=request.get("previous") if isinstance(request.get("previous"), str) else None,
        )
        self.storage.add_game(setup)
        return setup

    def _seats(self, request: dict[str, Any], game: Game) -> tuple[SeatSetup, ...]:
        asked = request.get("seats")
        if not isinstance(asked, list) or len(asked) != game.players:
            raise OptionError(f"{game} has {game.players} seats; say who plays each")
        seats = []
        for one in asked:
            spec = one.get("agent") if isinstance(one, dict) else None
            if spec is None:
                seats.append(SeatSetup(key=secrets.token_urlsafe(24), name="person"))
                continue
            if not isinstance(spec, str):
                raise OptionError("an agent is named by a text")
            agent = load_agent(spec, game)
            agent.close()
            if isinstance(agent, Clairvoyant):
                raise OptionError(f"{spec} sees everything: it cannot play against people")
            name = one.get("name")
            seats.append(SeatSetup(agent=spec, name=name if isinstance(name, str) else spec))
        return tuple(seats)

    async def session(self, game: str) -> Session | None:
        """The live session of a game, loaded if necessary; None if there is no such game."""
        async with self._opening:
            found = self._sessions.get(game)
            if found is not None:
                return found
            setup = self.storage.find_game(game)
            if setup is None:
                return None
            await self._make_room()
            session = Session.open(setup, self.storage, self.limits, self.executor)
            self._sessions[game] = session
            return session

    async def _make_room(self) -> None:
        """Unload the games that nobody watches, the longest idle first."""
        idle = [s for s in self._sessions.values() if not s.listeners]
        idle.sort(key=lambda session: session.idle_since)
        while len(self._sessions) >= self.limits.loaded_games:
            if not idle:
                raise ServerFull("the server is busy with other games")
            await self._unload(idle.pop(0))

    async def _unload(self, session: Session) -> None:
        del self._sessions[session.setup.id]
        await session.close()

    async def sweep(self) -> None:
        """Every few seconds: free the agents of games whose people have gone."""
        while True:
            await asyncio.sleep(5)
            now = time.monotonic()
            for session in list(self._sessions.values()):
                gone = not session.listeners
                if gone and now - session.idle_since > self.limits.idle_seconds:
                    await self._unload(session)

    async def close(self) -> None:
        """Close all games; they stay stored."""
        for session in list(self._sessions.values()):
            await self._unload(session)
        self.executor.shutdown(wait=True, cancel_futures=True)


def _text(request: dict[str, Any], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str) or len(value) > 400:
        raise OptionError(f"'{key}' must be a text")
    return value


def _clock(asked: object) -> tuple[float, float] | None:
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


def _seconds(asked: object, limits: Limits) -> float:
    if type(asked) not in (int, float):
        raise OptionError("'move_seconds' must be a number")
    assert isinstance(asked, int | float)
    if not 0.05 <= asked <= limits.most_move_seconds:
        raise OptionError(f"'move_seconds' must be 0.05 to {limits.most_move_seconds:g}")
    return float(asked)
