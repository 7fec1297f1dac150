"""The application on a clock of its own, with every byte that it sends and the moment it is sent.

Time jumps from one timer to the next, and agents and looks take times that are set, so that a game
of an hour takes a moment and equal games have equal times. Import it after ``pytest.importorskip``
for the packages of the web app.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import types
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.applications import Starlette

from fogtree.game import State
from fogtree.web import hub, players, session
from fogtree.web.app import make_app
from fogtree.web.limits import Limits
from fogtree.web.routes import live
from fogtree.web.security import Access
from fogtree.web.storage import Step, Storage

T = TypeVar("T")
LOOK_SECONDS = 0.3
"""The time after which a look is there, unless it was ended before."""
Sent = tuple[float, str, str]
"""The moment, what it is (``accept``, ``text``, ``close`` or a path), and its content."""


class _Selector(selectors.DefaultSelector):
    """Does not wait: the time that would be waited for passes at once."""

    now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "nothing will ever happen here"
        self.now += max(0.0, timeout)
        return super().select(0)


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer; work for threads is done at once."""

    def __init__(self) -> None:
        self._jumps = _Selector()
        super().__init__(self._jumps)

    def time(self) -> float:
        return self._jumps.now

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> asyncio.Future[Any]:
        del executor
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done


class _Instant(Executor):
    """Carries work out at once; the result is there after a time that depends on it."""

    def __init__(self, seconds: Callable[[Any], float]) -> None:
        self._seconds = seconds

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        result = fn(*args, **kwargs)

        def finish() -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(result)

        asyncio.get_running_loop().call_later(self._seconds(result), finish)
        return future


class _Delayed(Executor):
    """Carries work out after some seconds, unless it was cancelled before."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def work() -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(fn(*args, **kwargs))

        asyncio.get_running_loop().call_later(self._seconds, work)
        return future


class CapturedServer:
    """The application with scripted games: its clock jumps, and nothing is left to chance."""

    def __init__(self, file: Path, bounds: Limits, think: Callable[[str], float]) -> None:
        """``think`` says how long an agent takes to find an action."""
        self.storage = Storage(file)
        self.app: Starlette = make_app(self.storage, access=Access(("testserver",)), limits=bounds)
        self.hub: hub.GameHub = self.app.state.hub
        looks = self.hub._pools.looks
        looks.close()
        looks._executor = _Delayed(LOOK_SECONDS)  # type: ignore[assignment]
        scripted = _Instant(lambda chosen: think(chosen.action))
        self.hub._pools = replace(self.hub._pools, searches=scripted, scripted=scripted)

    async def new_game(
        self, game: str, people: Sequence[bool], agent: str, **more: Any
    ) -> dict[str, Any]:
        """Make a game in which an agent has every seat that is not a person's."""
        seats = [{} if person else {"agent": agent} for person in people]
        content = {"game": game, "seats": seats, **more}
        made = self.hub.new_game(content)
        keys = {seat: one.key for seat, one in enumerate(made.seats)}
        return {"id": made.id, "keys": keys}

    async def get(self, path: str, key: str) -> str:
        """The whole answer to a request: status, headers and body."""
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(_scope("http", path, (b"x-seat-key", key.encode())), receive, send)
        return repr(sent)


def _scope(kind: str, path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {
        "type": kind,
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"testserver"), *headers],
        "scheme": kind,
        "subprotocols": [],
        "http_version": "1.1",
    }


class Connection:
    """A websocket of one seat; ``sent`` has all that the server has sent."""

    def __init__(self, server: CapturedServer, game: dict[str, Any], seat: int) -> None:
        loop = asyncio.get_running_loop()
        self.sent: list[Sent] = []
        self.news: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._told: asyncio.Queue[Any] = asyncio.Queue()
        self._told.put_nowait({"type": "websocket.connect"})
        self.say({"type": "hello", "key": game["keys"][seat]})

        async def send(message: Any) -> None:
            kind = message["type"].removeprefix("websocket.")
            text = message.get("text") or repr(sorted(message.items()))
            self.sent.append((loop.time(), kind, text))
            if kind == "send":
                self.news.put_nowait(json.loads(text))

        scope = _scope("websocket", f"/ws/games/{game['id']}")
        self._task = loop.create_task(server.app(scope, self._told.get, send))

    def say(self, message: object) -> None:
        """Send a message to the server."""
        self._told.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def leave(self) -> None:
        """Go away."""
        self._told.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task


def run_captured(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on a clock that jumps."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)


def set_script(patch: pytest.MonkeyPatch, scripts: dict[str, Sequence[str]]) -> None:
    """Let agents and chance do what is written for their game, by its identifier; an agent whose
    script has ended plays nothing before the game ends. All clocks are the event loop's."""
    chance_step = session.Session._chance_step

    def decide(
        self: players.Players, seat: int, line: list[tuple[State, Step]], state: State, until: float
    ) -> players.Chosen:
        del seat, state, until
        script = scripts[self._setup.id]
        return players.Chosen(script[len(line)] if len(line) < len(script) else "")

    def chance(self: session.Session) -> Step:
        drawn = chance_step(self)
        script = scripts[self.setup.id]
        return Step("chance", script[len(self.log.kept_steps())], drawn.seat, drawn.at)

    clock = types.SimpleNamespace(
        monotonic=lambda: asyncio.get_running_loop().time(), time=lambda: 0.0
    )
    patch.setattr(players.Players, "decide", decide)
    patch.setattr(session.Session, "_chance_step", chance)
    for module in (hub, live, session):
        patch.setattr(module, "time", clock)
