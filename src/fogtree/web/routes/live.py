"""The websocket of a live game."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from typing import Any

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fogtree.errors import FogtreeError
from fogtree.web.game_log import Event
from fogtree.web.hub import NO_SUCH_GAME, GameHub, ServerFull
from fogtree.web.limits import Limits, RateLimit
from fogtree.web.security import Access
from fogtree.web.session import Session

_LONGEST_REASON = 100  # letters; a close frame has room for 123 bytes


async def _live_game(socket: WebSocket) -> None:
    """Serve one websocket: send a seat its events and carry out its messages, until either side
    closes it. Refused if the server has too many connections."""
    app, limits = socket.app, socket.app.state.limits
    if app.state.sockets >= limits.sockets:
        await socket.close(4429, "the server has too many connections")
        return
    app.state.sockets += 1
    try:
        await socket.accept()
        await _talk(socket, app.state.hub, app.state.access, limits)
    except (WebSocketDisconnect, RuntimeError):  # it has gone, perhaps while we were sending
        pass
    finally:
        app.state.sockets -= 1


async def _talk(socket: WebSocket, hub: GameHub, access: Access, limits: Limits) -> None:
    """Check the first message of a connection, then serve the seat that its key belongs to."""
    try:
        hello = await asyncio.wait_for(_message(socket, limits), limits.hello_seconds)
    except TimeoutError:
        await socket.close(4408, "a connection says hello first")
        return
    token = hello.get("token") if hello else None
    if not access.token_allowed(token if isinstance(token, str) and token else None):
        await socket.close(4403, "the access token is missing or wrong")
        return
    game, key = socket.path_params["id"], hello.get("key") if hello else None
    try:
        seat = hub.find(game, key)[1] if isinstance(key, str) else None
        if hello is None or hello.get("type") != "hello" or seat is None:
            await socket.close(4403, NO_SUCH_GAME)
            return
        session = await hub.session(game)
    except ServerFull as error:
        await socket.close(4429, str(error))
        return
    except FogtreeError as error:  # the stored game is damaged
        await socket.close(4403, str(error)[:_LONGEST_REASON])
        return
    assert session is not None, "a game that has a key is stored"
    if sum(listener.seat == seat for listener in session.listeners) >= limits.sockets_per_seat:
        await socket.close(4429, "too many connections for this seat")
        return
    await _serve_seat(socket, session, seat, hello.get("since"), limits)


async def _serve_seat(
    socket: WebSocket, session: Session, seat: int, since: Any, limits: Limits
) -> None:
    """Send a seat its events and carry out its messages until the connection or the game ends."""
    outbox = _Outbox(socket, limits)
    listener = session.listen(seat, since if type(since) is int else 0, outbox.put)
    rate = RateLimit(limits.messages_per_second, limits.message_burst, time.monotonic())
    try:
        while not outbox.closed and not session.failed:
            message = await _message(socket, limits)
            why: str | None = "that is not a message"
            if not rate.allow(time.monotonic()):
                why = "too many messages"
                await asyncio.sleep(1 / limits.messages_per_second)
            elif message is not None and message.get("type") == "ping":
                outbox.put({"type": "pong"})  # after all that was sent before
                continue
            elif message is not None:
                why = session.handle(listener, message)
            if why is not None:
                outbox.put({"type": "refused", "why": why})
        with suppress(RuntimeError):
            await socket.close(4408, "this connection is too slow, or the game was reloaded")
    finally:
        session.leave(listener)
        await outbox.close()


class _Outbox:
    """The events that wait to be sent; a connection that does not read them is closed."""

    def __init__(self, socket: WebSocket, limits: Limits) -> None:
        self._socket, self._most = socket, limits.unsent_events
        self._queue: asyncio.Queue[Event] = asyncio.Queue()
        self._task = asyncio.create_task(self._send())
        self.closed = False

    def put(self, event: Event) -> None:
        """Queue an event to be sent; if too many wait, mark the connection as closed."""
        if self._queue.qsize() >= self._most:
            self.closed = True
        if not self.closed:
            self._queue.put_nowait(event)

    async def _send(self) -> None:
        """Send queued events until the connection fails."""
        try:
            while True:
                text = json.dumps(await self._queue.get(), separators=(",", ":"))
                await self._socket.send_text(text)
        except (WebSocketDisconnect, RuntimeError, OSError):
            self.closed = True

    async def close(self) -> None:
        """Stop sending; events that still wait are dropped."""
        self.closed = True
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


async def _message(socket: WebSocket, limits: Limits) -> dict[str, Any] | None:
    """The next message of a connection; None if it is not a JSON object of allowed size. A
    WebSocketDisconnect error if the connection was closed."""
    received = await socket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    text = received.get("text")
    if not isinstance(text, str) or len(text) > limits.message_bytes:
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


ROUTES: list[BaseRoute] = [WebSocketRoute("/ws/games/{id}", _live_game)]
