"""How a server holds many games at once: answers in time, memory, wrong messages and kills.

Starts ``fogtree serve`` on a free port of the loopback address and talks to it alone. A lateness is
the time at which an agent's move arrived, minus the time at which it was to be published. The
number of games, messages and kills and the time are all bounded.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from fogtree.web.limits import Limits

PATIENCE = 120.0
"""Seconds after which a missing answer is an error."""


class Server:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.port = 0

    def start(self) -> None:
        command = [sys.executable, "-m", "fogtree", "serve", "--no-browser", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--data", str(self._data)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", self._process.stdout.readline())
        assert found is not None, "the server did not start"
        self.port = int(found[1])

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    @property
    def memory(self) -> float:
        """Resident memory in megabytes."""
        pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def new_game(self, content: dict[str, Any]) -> dict[str, Any]:
        request = Request(
            f"http://127.0.0.1:{self.port}/api/games",
            json.dumps(content).encode(),
            {"Content-Type": "application/json"},
        )
        with urlopen(request, timeout=PATIENCE) as answer:
            made: dict[str, Any] = json.load(answer)
            return made

    def connect(self, game: dict[str, Any]) -> connect:
        return connect(f"ws://127.0.0.1:{self.port}/ws/games/{game['id']}", proxy=None)


@dataclass
class Counts:
    """What was measured."""

    moves: int = 0
    games_ended: int = 0
    refused: int = 0
    connections_lost: int = 0
    late: dict[str, list[float]] = field(default_factory=lambda: {"scripted": [], "search": []})


@dataclass
class Player:
    """One person who plays at random against an agent, and asks for a rematch at the end."""

    server: Server
    kind: str
    scheduled: float
    think: float
    counts: Counts
    luck: random.Random
    game: dict[str, Any] = field(default_factory=dict)
    seat: int = 0
    events: list[str] = field(default_factory=list)

    async def play(self, until: float) -> None:
        while time.monotonic() < until:
            try:
                async with self.server.connect(self.game) as socket:
                    await self._play(socket, until)
            except (ConnectionClosed, OSError):
                self.counts.connections_lost += 1
                await asyncio.sleep(0.2)

    async def _play(self, socket: ClientConnection, until: float) -> None:
        key = self.game["keys"][str(self.seat)]
        await socket.send(json.dumps({"type": "hello", "key": key}))
        for known in self.events:  # after a kill: the same events again
            text = await asyncio.wait_for(socket.recv(), PATIENCE)
            assert text == known, "the events have changed"
        acted: float | None = None
        event = json.loads(self.events[-1]) if self.events else {}
        while True:
            acted = await self._answer(socket, event, acted)
            if time.monotonic() > until:
                return
            text = str(await asyncio.wait_for(socket.recv(), PATIENCE))
            event = json.loads(text)
            if event["type"] == "rematch":
                self.game = {"id": event["id"], "keys": {str(event["seat"]): event["key"]}}
                self.seat, self.events = event["seat"], []
                return
            if "n" in event:
                self.events.append(text)

    async def _answer(
        self, socket: ClientConnection, event: dict[str, Any], acted: float | None
    ) -> float | None:
        """Do what an event asks for; returns when the agent began to think, if it does."""
        if event.get("type") == "over":
            self.counts.games_ended += 1
            await socket.send('{"type":"rematch"}')
            return None
        if event.get("type") != "view":
            return acted
        if not event["turn"]:
            return time.monotonic()
        if acted is not None:
            late = time.monotonic() - acted - self.scheduled
            self.counts.late[self.kind].append(late)
        action = self.luck.choice(event["actions"])["action"]
        await asyncio.sleep(self.luck.uniform(0.5, 1.5) * self.think)
        await socket.send(json.dumps({"type": "act", "at": event["n"], "action": action}))
        self.counts.moves += 1
        return None


WRONG = (
    "{",
    "null",
    "[" * 2000,
    '{"type":"act"}',
    '{"type":"act","at":1,"action":"e2e4"}',
    '{"type":"act","at":2,"action":"e2e5"}',
    '{"type":"accept"}',
    '{"type":"decline"}',
    '{"type":"offer","what":"money"}',
    '{"type":"over"}',
    '{"type":"look","seconds":-1}',
    json.dumps({"type": "act", "at": 2, "action": "x" * 10_000}),
)


async def pester(server: Server, messages: int, counts: Counts, seed: int) -> None:
    """Send wrong messages to a game of its own; its events must stay as they are."""
    luck = random.Random(seed)
    game = await asyncio.to_thread(server.new_game, {"game": "fog_chess", "seats": [{}, {}]})
    hello = json.dumps({"type": "hello", "key": game["keys"]["0"]})
    async with server.connect(game) as socket:
        await socket.send(hello)
        before = [await socket.recv(), await socket.recv()]
        for _ in range(messages):
            await socket.send(luck.choice(WRONG))
            answer = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            assert answer["type"] == "refused", answer
            counts.refused += 1
    async with server.connect(game) as socket:
        await socket.send('{"type":"hello","key":"wrong"}')
        try:
            await socket.recv()
            raise AssertionError("a wrong key was accepted")
        except ConnectionClosed:
            counts.refused += 1
    async with server.connect(game) as socket:
        await socket.send(hello)
        assert [await socket.recv(), await socket.recv()] == before, "a wrong message did something"


async def kill_now_and_then(server: Server, kills: int, seconds: float) -> None:
    luck = random.Random(1)
    for _ in range(kills):
        await asyncio.sleep(luck.uniform(0.2, 1.8) * seconds / (kills + 1))
        server.kill()
        await asyncio.to_thread(server.start)


async def measure(server: Server, arguments: argparse.Namespace) -> tuple[Counts, list[float]]:
    counts, players = Counts(), []
    kinds = ["scripted"] * arguments.scripted + ["search"] * arguments.search
    for number, kind in enumerate(kinds):
        agent = "greedy" if kind == "scripted" else "search"
        scheduled = Limits().agent_seconds if kind == "scripted" else arguments.move_seconds
        content = {
            "game": "fog_chess",
            "seats": [{}, {"agent": agent}],
            "move_seconds": arguments.move_seconds,
        }
        luck = random.Random(number)
        player = Player(server, kind, scheduled, arguments.think, counts, luck)
        player.game = await asyncio.to_thread(server.new_game, content)
        players.append(player)
    memory = [server.memory]
    until = time.monotonic() + arguments.seconds
    tasks = [asyncio.create_task(player.play(until)) for player in players]
    share = arguments.wrong // 10
    tasks += [
        asyncio.create_task(pester(server, share, counts, n)) for n in range(10 if share else 0)
    ]
    if arguments.kills:
        tasks.append(
            asyncio.create_task(kill_now_and_then(server, arguments.kills, arguments.seconds))
        )
    for _ in range(8):
        await asyncio.sleep(arguments.seconds / 8)
        memory.append(server.memory)
    await asyncio.gather(*tasks)
    return counts, memory


def show(counts: Counts, memory: list[float], seconds: float) -> None:
    print(f"{counts.moves:,} own moves and {counts.games_ended} games ended in {seconds:.0f} s")
    print(f"{counts.refused:,} wrong messages refused, {counts.connections_lost} connections lost")
    for kind, late in counts.late.items():
        if late:
            late.sort()
            part = {name: late[int(q * (len(late) - 1))] for name, q in _QUANTILES.items()}
            shown = ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in part.items())
            within = sum(value <= 0.1 for value in late) / len(late)
            print(f"{kind}: {len(late):,} answers, late by {shown}; {within:.1%} within 100 ms")
    print("memory in MB:", " ".join(f"{value:.0f}" for value in memory))


_QUANTILES = {"half of them": 0.5, "95 %": 0.95, "99 %": 0.99, "the last": 1.0}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripted", type=int, default=100, help="games against scripted agents")
    parser.add_argument("--search", type=int, default=10, help="games against the search")
    parser.add_argument("--seconds", type=float, default=30.0, help="length of the measurement")
    parser.add_argument("--move-seconds", type=float, default=1.0, help="time of a search")
    parser.add_argument("--think", type=float, default=2.0, help="mean time of a person's move")
    parser.add_argument("--wrong", type=int, default=1000, help="wrong messages")
    parser.add_argument("--kills", type=int, default=0, help="kills of the server meanwhile")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "games.sqlite3")
        server.start()
        try:
            began = time.monotonic()
            counts, memory = asyncio.run(measure(server, arguments))
            show(counts, memory, time.monotonic() - began)
        finally:
            server.kill()


if __name__ == "__main__":
    main()
