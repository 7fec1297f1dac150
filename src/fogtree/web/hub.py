"""All games of a server: stores them, loads them when somebody connects, unloads idle ones."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from fogtree.arena.record import GameRecord
from fogtree.errors import FogtreeError
from fogtree.web.engines import Engines, give_back_memory
from fogtree.web.game_log import GameLog, Result
from fogtree.web.limits import Limits
from fogtree.web.looking import LookPool
from fogtree.web.new_games import opened_setup, rematch_setup, requested_game, requested_setup
from fogtree.web.opened_records import steps_of
from fogtree.web.opponents import Roster
from fogtree.web.priority import give_way
from fogtree.web.session import Pools, Session, load_log
from fogtree.web.storage import GameSetup, Storage

NO_SUCH_GAME = "no game here opens with this link: check that it is complete, or ask for it again"
"""The answer to a wrong key and to an unknown game alike, so that nobody can tell which it is."""


class ServerFull(FogtreeError):  # noqa: N818 - not a mistake of anybody
    """A request is refused because a limit of the server is reached."""


class GameHub:
    """The games of one server: keeps them in its database, and a :class:`Session` for each that is
    in memory."""

    def __init__(self, storage: Storage, limits: Limits, runs: Path | None = None) -> None:
        """``runs`` is the folder whose saved runs may play."""
        self.storage, self.limits, self.roster = storage, limits, Roster(limits, runs)
        self._pools = Pools(
            searches=ThreadPoolExecutor(limits.searches, "search", initializer=give_way),
            scripted=ThreadPoolExecutor(limits.scripted, "agent"),
            looks=LookPool(limits),
            engines=Engines(limits),
            roster=self.roster,
        )
        self._sessions: dict[str, Session] = {}
        self._loading = asyncio.Lock()  # held while games are loaded or unloaded

    def new_game(self, request: dict[str, Any]) -> GameSetup:
        """Check a request for a new game, and store and return the game's setup."""
        self._check_room()
        setup = requested_setup(request, self.roster)
        self.storage.add_game(setup)
        return setup

    def add_record(self, record: GameRecord) -> GameSetup:
        """Store a finished game that was read from a file, to be looked at by its spectator key."""
        game = requested_game(record.game)
        setup = opened_setup(game, record)
        steps = steps_of(record, game)
        GameLog(setup, game).apply_all(steps)
        self.storage.add_opened(setup, steps, self.limits.opened_records)
        return setup

    def rematch(self, setup: GameSetup) -> GameSetup:
        """Make and store the next game of the same players, in which each moves from seat ``n`` to
        seat ``n - 1``, and the one in seat 0 to the last."""
        self._check_room()
        following = rematch_setup(setup)
        self.storage.add_game(following, rematch_of=setup.id)
        return following

    def _check_room(self) -> None:
        """Refuse a new game if the server has too many unfinished ones."""
        if self.storage.unfinished() >= self.limits.games:
            raise ServerFull("the server has too many unfinished games")

    def find(self, game: str, key: str) -> tuple[GameSetup | None, int | None]:
        """The setup of a game by its identifier (None: no such game), and the seat that a key
        belongs to (None: a wrong key); no session is loaded for this."""
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
        """Unload games that nobody watches, the longest idle first, until one more may be loaded;
        ``for_search``: one with an agent that searches, which have a limit of their own. A
        ServerFull error if that is not enough."""
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
