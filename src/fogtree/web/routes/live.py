"""The websocket of a live game."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fogtree.web.game_log import Event
from fogtree.web.hub import GameHub
from fogtree.web.limits import Limits, RateLimit
from fogtree.web.security import Access


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


ROUTES: list[BaseRoute] = [WebSocketRoute("/ws/games/{id}", _live_game)]
