"""What a server bears: wrong messages change nothing, and after a kill every game goes on.

Starts ``fogtree serve``. First many people send malformed, late, foreign, repeated and oversized
messages to games of their own, whose events must stay those of their moves. Then a server with
running games is killed at random moments and started again: every person is shown the same events
as before, and goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fogtree.web.limits import Limits
from web_players import PATIENCE, Player, ServerProcess, connected, memory_of, running_server

NONSENSE = (None, True, -1, 10**40, 1.5, "", "e2e4", "\x00", "x" * 300, [], [1, [2]], {})
NOT_JSON = ("", "{", "null", "[]", "3", '"act"', "{]}", "[" * 3000, "NaN", "\x00")


class Pest:
    """One person who sends wrong messages to a game of two people, and now and then a move."""

    def __init__(self, server: ServerProcess, seed: int) -> None:
        self._server, self._luck = server, random.Random(seed)
        self._moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
        self._played = 0
        self.answers: Counter[str] = Counter()

    async def run(self, messages: int) -> None:
        content = {"game": "fog_chess", "seats": [{}, {}]}
        self._game = await asyncio.to_thread(self._server.post, "/api/games", content)
        other = await asyncio.to_thread(self._server.post, "/api/games", content)
        self._foreign = other["keys"]["0"]
        while sum(self.answers.values()) < messages:
            async with connected(self._server, self._game) as socket:
                await self._say_hello(socket, self._played % 2, self._played + 2)
                try:
                    await self._pester(socket, messages)
                except ConnectionClosed:
                    self.answers["closed: too large"] += 1
        for seat in (0, 1):
            await self._check(seat)

    async def _say_hello(self, socket: ClientConnection, seat: int, events: int) -> None:
        await socket.send(json.dumps({"type": "hello", "key": self._game["keys"][str(seat)]}))
        self._events = [await self._hear(socket) for _ in range(events)]

    async def _hear(self, socket: ClientConnection) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        return heard

    async def _pester(self, socket: ClientConnection, messages: int) -> None:
        """Send wrong messages as the seat that is to move."""
        began, sent = time.monotonic(), 0
        while sum(self.answers.values()) < messages:
            kind, message = self._wrong()
            if kind == "foreign":
                await self._come_as_somebody_else()
                continue
            if kind == "repeated" and self._played < len(self._moves):
                await self._repeat(socket)
                return  # the other seat is to move: connect as that one
            await socket.send(message)
            answer = await self._hear(socket)
            assert answer["type"] == "refused", (message, answer)
            self.answers["too many" if answer["why"] == "too many messages" else kind] += 1
            sent += 1
            ahead = sent / Limits().messages_per_second - (time.monotonic() - began)
            await asyncio.sleep(max(0.0, ahead))  # so that the message itself is looked at

    def _wrong(self) -> tuple[str, str | bytes]:
        """The kind of a wrong message, drawn at random, and the message."""
        luck, at = self._luck, self._events[-1]["n"]
        legal = self._events[-1]["actions"][0]["action"]
        act: dict[str, Any] = {"type": "act", "at": at, "action": legal}
        kind = luck.choice(["malformed"] * 6 + ["late"] * 3 + ["foreign", "oversized", "repeated"])
        if kind == "late":
            return kind, json.dumps({**act, "at": at + luck.choice([-2, -1, 1, 2, 10**9])})
        if kind == "oversized":
            return kind, json.dumps({**act, "more": "x" * 20_000})
        changed = [
            luck.choice(NOT_JSON),
            luck.randbytes(luck.randrange(1, 60)),
            json.dumps(
                {**act, "action": luck.choice(["e2e5", "a1a1", "0000", "e2e4 ", "x" * 999])}
            ),
            json.dumps({**act, "type": luck.choice(["view", "over", "accept", "decline", "flag"])}),
            json.dumps({**act, "type": "offer", "what": luck.choice(NONSENSE)}),
            json.dumps({**act, "type": luck.choice(NONSENSE)}),
            json.dumps({**act, "at": luck.choice([None, True, "2", 1.5, [], {}])}),
            json.dumps({**act, "type": "look", "seconds": luck.choice([0, -1, 1e9, "1", []])}),
        ]
        return kind, luck.choice(changed)

    async def _come_as_somebody_else(self) -> None:
        """Connect with a wrong key, which must be refused."""
        keys = (self._foreign, "wrong", None, 3, self._game["id"])
        async with connected(self._server, self._game) as socket:
            await socket.send(json.dumps({"type": "hello", "key": self._luck.choice(keys)}))
            try:
                raise AssertionError(f"a wrong key was answered: {await self._hear(socket)}")
            except ConnectionClosed:
                self.answers["foreign"] += 1

    async def _repeat(self, socket: ClientConnection) -> None:
        """Make a move, and send it again and again."""
        move = {"type": "act", "at": self._events[-1]["n"], "action": self._moves[self._played]}
        self._played += 1
        await socket.send(json.dumps(move))
        assert (await self._hear(socket))["type"] == "view"
        for _ in range(5):
            await socket.send(json.dumps(move))
            answer = await self._hear(socket)
            assert answer["type"] == "refused", answer
            self.answers["repeated"] += 1

    async def _check(self, seat: int) -> None:
        """Check that a seat is sent the events of the moves that were made, and no others."""
        async with connected(self._server, self._game) as socket:
            await self._say_hello(socket, seat, self._played + 2)
            assert [event["n"] for event in self._events] == list(range(1, self._played + 3))
            assert {event["type"] for event in self._events[1:]} == {"view"}
            assert self._events[-1]["turn"] == (self._played % 2 == seat)
            try:
                more = await asyncio.wait_for(socket.recv(), 0.2)
                raise AssertionError(f"a wrong message did something: {more!r}")
            except TimeoutError:
                pass


async def send_wrong_messages(server: ServerProcess, count: int) -> None:
    pests = [Pest(server, seed) for seed in range(50)]
    memory, began = memory_of(server), time.monotonic()
    await asyncio.gather(*(pest.run(-(-count // len(pests))) for pest in pests))
    answers = sum((pest.answers for pest in pests), Counter[str]())
    print(f"{sum(answers.values()):,} wrong messages in {time.monotonic() - began:.0f} s", end=": ")
    print(", ".join(f"{number:,} {kind}" for kind, number in answers.most_common()))
    print(f"all games as their moves left them; memory {memory:.0f} -> {memory_of(server):.0f} MB")


async def kill_and_go_on(server: ServerProcess, kills: int, games: int) -> None:
    """Kill the server at random moments; afterwards every game must go on."""
    luck, players = random.Random(1), []
    for number in range(games):
        agent = "search" if number % 10 == 9 else "greedy"
        content = {"game": "fog_chess", "seats": [{}, {"agent": agent}], "move_seconds": 0.5}
        player = Player(server, 0.5, 0.5, random.Random(number), time.monotonic() + 3600)
        player.game = await asyncio.to_thread(server.post, "/api/games", content)
        players.append(player)
    tasks = [asyncio.create_task(player.play()) for player in players]
    slowest, began = 0.0, time.monotonic()
    for number in range(kills):
        await asyncio.sleep(luck.uniform(0.0, 4.0))
        server.kill()
        await asyncio.to_thread(server.start)
        moves, started = [player.moves for player in players], time.monotonic()
        while any(p.moves <= before for p, before in zip(players, moves, strict=True)):
            assert time.monotonic() - started < PATIENCE, "a game does not go on"
            for task in tasks:
                if task.done():
                    task.result()
            await asyncio.sleep(0.05)
        slowest = max(slowest, time.monotonic() - started)
        print(f"kill {number + 1}: all games go on", file=sys.stderr)
    for player in players:
        player.until = 0.0
    await asyncio.gather(*tasks)
    lost = sum(player.connections_lost for player in players)
    ended = sum(player.games_ended for player in players)
    moves_made = sum(player.moves for player in players)
    print(
        f"{kills} kills in {time.monotonic() - began:.0f} s, {games} games, {ended} of them ended"
    )
    print(
        f"{lost} connections lost, {moves_made:,} own moves; after each kill every game was shown"
    )
    print(f"as before and went on, the last one of them {slowest:.1f} s after the new start")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000, help="wrong messages")
    parser.add_argument("--kills", type=int, default=20, help="kills of the server")
    parser.add_argument("--games", type=int, default=30, help="games that are running meanwhile")
    arguments = parser.parse_args()
    if arguments.messages:
        with running_server() as server:
            asyncio.run(send_wrong_messages(server, arguments.messages))
    if arguments.kills:
        with running_server() as server:
            asyncio.run(kill_and_go_on(server, arguments.kills, arguments.games))


if __name__ == "__main__":
    main()
