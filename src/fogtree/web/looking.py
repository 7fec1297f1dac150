"""Looks into the fog during a game: at most one per seat, and a few at a time on the server."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from fogtree.errors import FogtreeError, GameError
from fogtree.game import State
from fogtree.web.advisor import Advisor, check_looking
from fogtree.web.game_log import Event, GameLog, line_digest
from fogtree.web.limits import Limits
from fogtree.web.priority import give_way
from fogtree.web.storage import Step, Storage

_LOG = logging.getLogger("fogtree.web")
_SHORTEST_SECONDS = 0.1
_USUAL_SECONDS = 1.5


class LookPool:
    """The threads in which looks run, and the advisors that a server keeps for the next look."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.looks
        self._executor = ThreadPoolExecutor(limits.looks, "look", initializer=give_way)
        self._running = 0
        self._kept: dict[tuple[str, int], Advisor] = {}  # those that nobody uses now
        self._lock = threading.Lock()

    def submit(self, work: Callable[[], None], ended: Callable[[], None]) -> None:
        """Run a look, and call ``ended`` in the event loop when its thread is free again; an error
        if too many run already. Called from the event loop."""
        if self._running >= self._most:
            raise GameError("the server is busy with other looks; try again in a moment")
        self._running += 1
        loop = asyncio.get_running_loop()
        future = self._executor.submit(work)
        future.add_done_callback(lambda _: _call(loop, self._free, ended))

    def _free(self, ended: Callable[[], None]) -> None:
        """In the event loop: note that a thread is free again, and call ``ended``."""
        self._running -= 1
        ended()

    def take(self, game: str, seat: int) -> Advisor | None:
        """The kept advisor of a seat; None if none is kept."""
        with self._lock:
            return self._kept.pop((game, seat), None)

    def keep(self, game: str, seat: int, advisor: Advisor) -> None:
        """Keep an advisor for the next look of its seat; if too many are kept, close the oldest."""
        with self._lock:
            self._kept[game, seat] = advisor
            old = list(self._kept)[: -self._most]
            dropped = [self._kept.pop(key) for key in old]
        for one in dropped:
            one.close()

    def drop(self, game: str) -> None:
        """Close and forget the kept advisors of a game."""
        with self._lock:
            dropped = [self._kept.pop(key) for key in list(self._kept) if key[0] == game]
        for one in dropped:
            one.close()

    def close(self) -> None:
        """End the threads; looks must have been interrupted before."""
        self._executor.shutdown(wait=False, cancel_futures=True)


@dataclass(eq=False)
class _Look:
    """A look that is running, with the game up to the decision it is about."""

    seat: int
    seconds: float
    send: Callable[[Event], None]
    line: list[tuple[State, Step]]
    state: State
    view_number: int
    """The number of the seat's event with the view at which it looks."""
    advisor: Advisor | None = None
    over: bool = False
    """Whether it was ended from outside: nothing more is sent."""
    next: tuple[float, Callable[[Event], None]] | None = None
    """The seconds and the connection of the look that starts when this one has ended."""


class Looks:
    """The looks into one game. They are stored for the review."""

    def __init__(self, log: GameLog, limits: Limits, pool: LookPool, storage: Storage) -> None:
        self._log, self._limits, self._pool, self._storage = log, limits, pool, storage
        self._running: dict[int, _Look] = {}

    def start(self, seat: int, asked_seconds: Any, send: Callable[[Event], None]) -> None:
        """Start a look into the fog by a seat, and pass its events to ``send``.

        ``asked_seconds`` comes unchecked from the browser; None is the usual time. If the seat
        cannot look now, the GameError says why.
        """
        log = self._log
        if not log.setup.casual:
            raise GameError("this is not a casual game: nobody looks into the fog")
        if log.result is not None:
            raise GameError("the game is over: ask for an analysis")
        check_looking(log.game)
        seconds = _USUAL_SECONDS if asked_seconds is None else asked_seconds
        longest = self._limits.look_seconds
        if type(seconds) not in (int, float) or not _SHORTEST_SECONDS <= seconds <= longest:
            raise GameError(f"a look takes {_SHORTEST_SECONDS:g} to {longest:g} seconds")
        running = self._running.get(seat)
        if running is not None:  # it ends first: a seat has one look at a time
            _interrupt(running)
            running.next = (seconds, send)
            return
        # The look is at the seat's last view; events of the look carry that view's number.
        view_number = next(e["n"] for e in reversed(log.logs[seat]) if e["type"] == "view")
        look = _Look(seat, seconds, send, log.kept_steps(), log.state, view_number)
        work = partial(self._work, asyncio.get_running_loop(), look)
        self._pool.submit(work, partial(self._end, look))
        self._running[seat] = look

    def _work(self, loop: asyncio.AbstractEventLoop, look: _Look) -> None:
        """In a thread: follow the game, search, and hand every document to the event loop."""
        log, game, seat = self._log, self._log.setup.id, look.seat

        def tell(document: dict[str, Any]) -> None:
            """Hand a document to the event loop as an event of the look."""
            event = {"type": "look", "at": look.view_number, **document}
            _call(loop, self._send, look, event)
            if document["done"] and document["turn"]:  # also if a move ended it early
                with suppress(sqlite3.Error):  # the disk may be full; the page has the look
                    self._storage.add_look(game, seat, line_digest(look.line), document)

        try:
            look.advisor = self._pool.take(game, seat) or Advisor(
                log.game, log.view, seat, self._limits
            )
            if not look.over:
                look.advisor.look(
                    look.line, look.state, look.seconds, tell, ended=lambda: look.over
                )
            self._pool.keep(game, seat, look.advisor)
        except FogtreeError as error:
            _call(loop, self._send, look, {"type": "refused", "why": str(error)})
        except Exception as error:
            _LOG.warning("a look failed: %s", type(error).__name__)
            _call(loop, self._send, look, {"type": "refused", "why": "this look failed"})

    def _send(self, look: _Look, event: Event) -> None:
        """Send an event to the page of a look that has not been ended."""
        if not look.over:
            look.send(event)

    def _end(self, look: _Look) -> None:
        """Called when a look has ended: start the next look of the seat, if one was asked for."""
        del self._running[look.seat]
        if look.next is None:
            return
        seconds, send = look.next
        try:
            self.start(look.seat, seconds, send)
        except GameError as error:
            send({"type": "refused", "why": str(error)})

    def leave(self, send: Callable[[Event], None]) -> None:
        """End the looks of a connection that was closed; ``send`` is the function that they were
        started with."""
        for look in self._running.values():
            if look.next is not None and look.next[1] == send:
                look.next = None
            if look.send == send:
                _interrupt(look)

    def interrupt(self, seat: int) -> None:
        """End the look of a seat, because the seat was shown something new."""
        if seat in self._running:
            self._running[seat].next = None
            _interrupt(self._running[seat])

    async def close(self) -> None:
        """End all looks and their advisors."""
        for _ in range(50):
            if not self._running:
                break
            for seat in self._running:
                self.interrupt(seat)
            await asyncio.sleep(0.01)
        self._pool.drop(self._log.setup.id)


def _interrupt(look: _Look) -> None:
    """Mark a look as over and interrupt its search."""
    look.over = True
    if look.advisor is not None:
        look.advisor.interrupt()


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *given: Any) -> None:
    """From another thread: call a function with arguments in the event loop, unless the server has
    ended."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(function, *given)
