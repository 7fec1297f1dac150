"""People who play at random on a ``fogtree serve``, and what its process uses."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support.web_server import ServerProcess, running

PATIENCE = 120.0
"""Seconds after which a missing answer is an error."""


@contextmanager
def running_server() -> Iterator[ServerProcess]:
    """A server with a new database, killed at the end."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder) / "games.sqlite3") as server:
        yield server


def memory_of(server: ServerProcess) -> float:
    """Resident memory in megabytes."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor_seconds(server: ServerProcess) -> float:
    """Processor time of all its threads so far."""
    text = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(text[11]) + int(text[12])) / os.sysconf("SC_CLK_TCK")


def connected(server: ServerProcess, game: dict[str, Any]) -> connect:
    """Open a websocket of a game."""
    return connect(f"ws://127.0.0.1:{server.port}/ws/games/{game['id']}", proxy=None)


@dataclass
class Player:
    """One person who plays at random against an agent, and asks for a rematch at the end."""

    server: ServerProcess
    scheduled: float
    """Seconds after which the agent's moves are to be published."""
    think: float
    luck: random.Random
    until: float = 0.0
    """The moment of the monotonic clock at which it stops playing."""
    game: dict[str, Any] = field(default_factory=dict)
    seat: int = 0
    events: list[str] = field(default_factory=list)
    moves: int = 0
    games_ended: int = 0
    connections_lost: int = 0
    refused: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    """By how much each move of the agent came late, in seconds."""

    async def play(self) -> None:
        """Play until the end; come back after a lost connection."""
        while time.monotonic() < self.until:
            try:
                async with connected(self.server, self.game) as socket:
                    await self._play(socket)
            except (WebSocketException, OSError):  # killed, perhaps during the greeting
                self.connections_lost += 1
                await asyncio.sleep(0.2)

    async def _play(self, socket: ClientConnection) -> None:
        key = self.game["keys"][str(self.seat)]
        await socket.send(json.dumps({"type": "hello", "key": key}))
        for known in self.events:  # after a kill: the same events again
            text = await asyncio.wait_for(socket.recv(), PATIENCE)
            assert text == known, "the events have changed"
        acted: float | None = None
        event = json.loads(self.events[-1]) if self.events else {}
        while True:
            acted = await self._answer(socket, event, acted)
            if time.monotonic() > self.until:
                return
            text = str(await asyncio.wait_for(socket.recv(), PATIENCE))
            event = json.loads(text)
            if event["type"] == "rematch":
                self.game = {"id": event["id"], "keys": {str(event["seat"]): event["key"]}}
                self.seat, self.events = event["seat"], []
                return
            if event["type"] == "refused":
                self.refused.append(event["why"])
            if "n" in event:
                self.events.append(text)

    async def _answer(
        self, socket: ClientConnection, event: dict[str, Any], acted: float | None
    ) -> float | None:
        """Move, or ask for a rematch, if an event asks for that. Returns the moment at which the
        agent began to think; None if it does not think. ``acted`` is the one returned before."""
        if event.get("type") == "over":
            self.games_ended += 1
            await socket.send('{"type":"rematch"}')
            return None
        if event.get("type") != "view":
            return acted
        if not event["turn"]:
            return time.monotonic()
        if acted is not None:
            self.late.append(time.monotonic() - acted - self.scheduled)
        action = self.luck.choice(event["actions"])["action"]
        await asyncio.sleep(self.luck.uniform(0.5, 1.5) * self.think)
        await socket.send(json.dumps({"type": "act", "at": event["n"], "action": action}))
        self.moves += 1
        return None
