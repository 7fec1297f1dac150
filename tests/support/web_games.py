"""Games on a server of the web app that runs inside the test: making, joining and playing them.

Import it after ``pytest.importorskip`` for the packages of the web app.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from fogtree.web.app import make_app
from fogtree.web.limits import Limits
from fogtree.web.security import Access
from fogtree.web.storage import Storage

# Nobody waits here, so that a fast machine would send too many messages.
LIMITS = Limits(agent_seconds=0.01, messages_per_second=1e6, message_burst=1_000_000)


@contextmanager
def server(file: Path, token: str | None = None, limits: Limits = LIMITS) -> Iterator[TestClient]:
    storage = Storage(file)
    app = make_app(storage, access=Access(("testserver",), token), limits=limits)
    with TestClient(app) as client:
        yield client
    storage.close()


def new_game(client: TestClient, game: str, *agents: str | None, **more: Any) -> dict[str, Any]:
    seats = [{} if agent is None else {"agent": agent} for agent in agents]
    content = {"game": game, "seats": seats, "move_seconds": 0.05, **more}
    answer = client.post("/api/games", json=content)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


@contextmanager
def seat(
    client: TestClient, game: dict[str, Any], number: int, since: int = 0
) -> Iterator[WebSocketTestSession]:
    with client.websocket_connect(f"/ws/games/{game['id']}") as socket:
        socket.send_json({"type": "hello", "key": game["keys"][str(number)], "since": since})
        yield socket


def play_to_the_end(socket: WebSocketTestSession, luck: random.Random) -> list[dict[str, Any]]:
    events = []
    while True:
        event = socket.receive_json()
        assert event["type"] != "refused", event
        events.append(event)
        if event["type"] == "over":
            return events
        if event["type"] == "view" and event["turn"]:
            action = luck.choice(event["actions"])["action"]
            socket.send_json({"type": "act", "at": event["n"], "action": action})
