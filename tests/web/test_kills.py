"""A server that is killed at any moment and started again: every game goes on where it was."""

from __future__ import annotations

import json
import random
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("websockets", reason="needs the web app: pip install 'fogtree[web]'")

from websockets.exceptions import WebSocketException

from tests.support.web_server import SECONDS, ServerProcess, running

KILLS = 2


class Person:
    """Plays one seat at random, keeps all events, and comes back after a lost connection."""

    def __init__(self, game: dict[str, Any], seat: int, seed: int) -> None:
        self.game, self.seat, self.luck = game, seat, random.Random(seed)
        self.events: list[dict[str, Any]] = []
        self.problem: Exception | None = None

    def play(self, server: ServerProcess, moves: int) -> None:
        """Play until the connection breaks, the game ends, or so many own moves were made."""
        try:
            with server.seat(self.game, self.seat) as socket:
                known = len(self.events)
                for before in self.events:
                    assert json.loads(socket.recv(SECONDS)) == before
                if known:
                    moves -= self._move(socket, self.events[-1])
                while moves > 0 and not self.over:
                    event = json.loads(socket.recv(SECONDS))
                    if event["type"] != "refused":
                        self.events.append(event)
                        moves -= self._move(socket, event)
        except (WebSocketException, OSError):
            pass  # killed
        except Exception as error:
            self.problem = error

    def _move(self, socket: Any, event: dict[str, Any]) -> bool:
        if event["type"] != "view" or not event["turn"]:
            return False
        action = self.luck.choice(event["actions"])["action"]
        socket.send(json.dumps({"type": "act", "at": event["n"], "action": action}))
        return True

    @property
    def over(self) -> bool:
        return bool(self.events) and self.events[-1]["type"] == "over"


@pytest.mark.long
def test_killed_at_random_moments(tmp_path: Path) -> None:
    luck = random.Random(8)
    with running(tmp_path / "games.sqlite3") as server:
        people = []
        for number in range(3):
            seats = [{}, {}] if number == 0 else [{}, {"agent": "random"}]
            game = server.post("/api/games", {"game": "fog_chess", "seats": seats})
            people += [Person(game, s, 10 * number + s) for s in range(2 if number == 0 else 1)]
        for _ in range(KILLS):
            threads = [threading.Thread(target=p.play, args=(server, 10_000)) for p in people]
            for thread in threads:
                thread.start()
            end = time.monotonic() + SECONDS
            while not all(len(person.events) > 2 for person in people):
                assert time.monotonic() < end, "the games do not begin"
                time.sleep(0.01)
            threads[0].join(luck.uniform(0.0, 1.0))
            server.kill()
            for thread in threads:
                thread.join(SECONDS)
                assert not thread.is_alive()
            server.start()
        counts = [len(person.events) for person in people]
        for person in people:  # the same events again, and more of them
            if person.seat == 0 and not person.over:
                threads = [
                    threading.Thread(target=p.play, args=(server, 2))
                    for p in people
                    if p.game is person.game
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(SECONDS)
        grown = [len(p.events) > before or p.over for p, before in zip(people, counts, strict=True)]
        assert all(grown)
    assert [person.problem for person in people] == [None] * len(people)
    for person in people:
        assert [event["n"] for event in person.events] == list(range(1, len(person.events) + 1))
