"""The application: pages, the JSON interface and the websockets of live games."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

import fogtree
from fogtree.agents import agent_names
from fogtree.arena.record_files import write_games
from fogtree.registry import describe_game, entry_of, game_names, load_game
from fogtree.web import job_routes, run_routes
from fogtree.web.game_log import Event
from fogtree.web.handlers import read_body, reports_errors
from fogtree.web.hub import GameHub
from fogtree.web.jobs import Jobs
from fogtree.web.limits import Limits, RateLimit
from fogtree.web.review import record_of, review_document
from fogtree.web.security import HEADERS, Access
from fogtree.web.storage import Storage

STATIC = Path(__file__).with_name("static")
_PAGES = ("/", "/chess", "/cambia", "/play/{game}", "/lab", "/walk", "/arena", "/game/{id}")


class _Guard:
    """Checks host, origin and token of every request, and adds the security headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403})
            return

        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *headers]}
            await send(message)

        if refused is not None:
            await JSONResponse({"error": refused}, 403)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> str | None:
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }
        host, origin = headers.get("host"), headers.get("origin")
        if not self._access.host_allowed(host):
            return "this server does not answer to that host name"
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and not self._access.origin_allowed(origin, host):
            return "this request comes from another page"
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            given = headers.get("authorization", "").removeprefix("Bearer ")
            if not self._access.token_allowed(given or None):
                return "the access token is missing or wrong"
        return None


def make_app(
    storage: Storage,
    *,
    access: Access,
    limits: Limits | None = None,
    own_code: bool = False,
    runs: Path | None = None,
) -> Starlette:
    """The application of one server; ``runs`` is the folder whose saved runs it shows."""
    bounds = limits or Limits()
    hub = GameHub(storage, bounds)
    jobs = Jobs(bounds)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        sweeping = asyncio.create_task(hub.sweep())
        yield
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        jobs.stop_all()
        await hub.close()

    routes = [
        *(Route(path, _page) for path in _PAGES),
        Route("/api/version", _version),
        Route("/api/games", _games, methods=["GET"]),
        Route("/api/games", _new_game, methods=["POST"]),
        Route("/api/games/{id}/review", _review),
        Route("/api/games/{id}/record", _record),
        Route("/api/games/{id}/record.{ending}", _record),
        *job_routes.ROUTES,
        *run_routes.ROUTES,
        WebSocketRoute("/ws/games/{id}", _live_game),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(_Guard, access)], lifespan=lifespan)
    app.state.hub, app.state.limits, app.state.access = hub, bounds, access
    app.state.own_code = own_code
    app.state.jobs = jobs
    app.state.runs = runs
    app.state.sockets = 0
    return app


async def _page(request: Request) -> Response:
    del request
    index = STATIC / "index.html"
    if not index.exists():
        return Response("this installation has no front end; build it with  make web", 503)
    return FileResponse(index, headers={"Cache-Control": "no-cache"})


async def _version(request: Request) -> Response:
    del request
    return JSONResponse({"version": fogtree.__version__})


@reports_errors
async def _games(request: Request) -> Response:
    del request
    games = []
    for name in game_names():
        info = describe_game(name)
        game = load_game(name)
        games.append(
            {
                "name": name,
                "summary": info.summary,
                "players": game.players,
                "parameters": [
                    {"name": p.name, "default": p.default, "help": p.help} for p in info.parameters
                ],
                "seats": list(entry_of(game).seats),
                "agents": list(agent_names(game)),
            }
        )
    return JSONResponse({"games": games})


@reports_errors
async def _new_game(request: Request) -> Response:
    hub: GameHub = request.app.state.hub
    content = await read_body(request)
    setup = await asyncio.get_running_loop().run_in_executor(None, hub.new_game, content)
    keys = {seat: s.key for seat, s in enumerate(setup.seats) if s.agent is None}
    return JSONResponse({"id": setup.id, "keys": keys}, 201)


@reports_errors
async def _review(request: Request) -> Response:
    hub: GameHub = request.app.state.hub
    session = await hub.session(request.path_params["id"])
    if session is None:
        return JSONResponse({"error": "there is no such game"}, 404)
    if session.seat_of(request.headers.get("x-seat-key", "")) is None:
        return JSONResponse({"error": "that key does not belong to this game"}, 403)
    if not session.over:
        return JSONResponse({"error": "the game is not over"}, 409)
    return JSONResponse(review_document(session.log))


@reports_errors
async def _record(request: Request) -> Response:
    """A finished game as a file: a JSON line, or the game's own format by its ending."""
    hub: GameHub = request.app.state.hub
    session = await hub.session(request.path_params["id"])
    key = request.headers.get("x-seat-key", "")
    if session is None or session.seat_of(key) is None:
        return JSONResponse({"error": "that key does not belong to this game"}, 403)
    if not session.over:
        return JSONResponse({"error": "the game is not over"}, 409)
    ending = f".{request.path_params.get('ending', 'jsonl')}"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"game{ending}"
        write_games(file, [record_of(session.log)], session.game)
        return Response(file.read_bytes(), media_type="text/plain; charset=utf-8")


async def _live_game(socket: WebSocket) -> None:
    """Send a seat its events, and pass its messages on."""
    app, limits = socket.app, socket.app.state.limits
    if app.state.sockets >= limits.sockets:
        await socket.close(4429, "the server has too many connections")
        return
    app.state.sockets += 1
    try:
        await socket.accept()
        await _talk(socket, app.state.hub, app.state.access, limits)
    except WebSocketDisconnect:
        pass
    finally:
        app.state.sockets -= 1


async def _talk(socket: WebSocket, hub: GameHub, access: Access, limits: Limits) -> None:
    hello = await asyncio.wait_for(_message(socket, limits), 10)
    session = await hub.session(socket.path_params["id"])
    key = hello.get("key") if hello else None
    seat = session.seat_of(key) if session is not None and isinstance(key, str) else None
    token = hello.get("token") if hello else None
    if hello is None or hello.get("type") != "hello" or session is None or seat is None:
        await socket.close(4403, "no such game, or the key does not belong to it")
        return
    if not access.token_allowed(token if isinstance(token, str) and token else None):
        await socket.close(4403, "the access token is missing or wrong")
        return
    if sum(listener.seat == seat for listener in session.listeners) >= limits.sockets_per_seat:
        await socket.close(4429, "too many connections for this seat")
        return
    outbox: asyncio.Queue[Event] = asyncio.Queue()
    since = hello.get("since")
    listener = session.listen(seat, since if type(since) is int else 0, outbox.put_nowait)
    sending = asyncio.create_task(_send_all(socket, outbox))
    rate = RateLimit(limits.messages_per_second, limits.message_burst, time.monotonic())
    try:
        while True:
            message = await _message(socket, limits)
            why: str | None = "that is not a message"
            if not rate.allow(time.monotonic()):
                why = "too many messages"
            elif message is not None and message.get("type") == "ping":
                continue
            elif message is not None:
                why = await session.handle(seat, message)
            if why is not None:
                outbox.put_nowait({"type": "refused", "why": why})
    finally:
        session.leave(listener)
        sending.cancel()


async def _message(socket: WebSocket, limits: Limits) -> dict[str, Any] | None:
    """The next message; None if it is not a JSON object of allowed size."""
    text = await socket.receive_text()
    if len(text) > limits.message_bytes:
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


async def _send_all(socket: WebSocket, outbox: asyncio.Queue[Event]) -> None:
    while True:
        await socket.send_text(json.dumps(await outbox.get(), separators=(",", ":")))
