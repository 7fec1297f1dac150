"""How a server holds many games at once: answers in time, and memory.

Starts ``fogtree serve`` and plays many games there at the same time. A lateness is the time at
which an agent's move arrived, minus the time at which it was to be published. Afterwards all people
go away, and the server gives the memory of their games back.

People have processors of their own: this process takes precedence over the server, where it may. A
thread that only sleeps tells how long the machine itself, such as a virtual one, stood still.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import threading
import time
from contextlib import suppress

from fogtree.web.limits import Limits
from web_players import Player, ServerProcess, memory_of, processor_seconds, running_server

_QUANTILES = {"half of them": 0.5, "95 %": 0.95, "99 %": 0.99, "the last": 1.0}


class Stalls(threading.Thread):
    """Sleeps for two milliseconds at a time, and notes by how much each sleep was longer."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.late: list[float] = []
        self.over = False

    def run(self) -> None:
        """Sleep until it is over."""
        while not self.over:
            before = time.perf_counter()
            time.sleep(0.002)
            self.late.append(time.perf_counter() - before - 0.002)

    def show(self) -> None:
        """End, and print how often and how long the machine stood still."""
        self.over = True
        often = sum(late > 0.05 for late in self.late)
        longest = 1000 * max(self.late, default=0.0)
        print(f"the machine stood still for over 50 ms {often} times, at most {longest:.0f} ms")


async def make_players(
    server: ServerProcess, kind: str, arguments: argparse.Namespace
) -> list[Player]:
    """People who play against agents of one kind, each in a game of their own."""
    scripted = kind == "scripted"
    content = {
        "game": "fog_chess",
        "seats": [{}, {"agent": "greedy" if scripted else "search"}],
        "move_seconds": arguments.move_seconds,
    }
    scheduled = Limits().agent_seconds if scripted else arguments.move_seconds
    players = []
    for number in range(arguments.scripted if scripted else arguments.search):
        player = Player(server, scheduled, arguments.think, random.Random(f"{kind} {number}"))
        player.game = await asyncio.to_thread(server.post, "/api/games", content)
        players.append(player)
    return players


async def measure(server: ServerProcess, arguments: argparse.Namespace) -> None:
    first = memory_of(server)
    kinds = {kind: await make_players(server, kind, arguments) for kind in ("scripted", "search")}
    players = [player for some in kinds.values() for player in some]
    began, spent = time.monotonic(), processor_seconds(server)
    until = began + arguments.seconds
    for player in players:
        player.until = until
    tasks = [asyncio.create_task(player.play()) for player in players]
    stalls = Stalls()
    stalls.start()
    memory = []
    while time.monotonic() < until:
        memory.append(memory_of(server))
        await asyncio.sleep(0.5)
    await asyncio.gather(*tasks)
    seconds = time.monotonic() - began
    show_games(players, seconds, processor_seconds(server) - spent)
    for kind, some in kinds.items():
        show_lateness(kind, [late for player in some for late in player.late])
    stalls.show()
    size = max(1, len(memory) // 10)
    tenths = [max(memory[at : at + size]) for at in range(0, size * 10, size) if memory[at:]]
    print(f"memory in MB: {first:.0f} before;", *(f"{value:.0f}" for value in tenths))
    for _ in range(int(arguments.after)):
        await asyncio.sleep(1)
    print(f"{arguments.after:g} s after all have left: {memory_of(server):.0f} MB")


def show_games(players: list[Player], seconds: float, spent: float) -> None:
    moves, ended = (sum(getattr(p, name) for p in players) for name in ("moves", "games_ended"))
    lost, refused = sum(p.connections_lost for p in players), sum(len(p.refused) for p in players)
    print(f"{moves:,} own moves and {ended} games ended in {seconds:.0f} s", end="; ")
    print(f"the server took {spent / seconds:.2f} processors")
    print(f"{lost} connections lost, {refused} messages refused")


def show_lateness(kind: str, late: list[float]) -> None:
    if late:
        late.sort()
        part = {name: late[int(q * (len(late) - 1))] for name, q in _QUANTILES.items()}
        shown = ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in part.items())
        within = sum(value <= 0.1 for value in late) / len(late)
        print(f"{kind}: {len(late):,} answers, late by {shown}; {within:.1%} within 100 ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripted", type=int, default=100, help="games against scripted agents")
    parser.add_argument("--search", type=int, default=10, help="games against the search")
    parser.add_argument("--seconds", type=float, default=30.0, help="length of the measurement")
    parser.add_argument("--move-seconds", type=float, default=1.0, help="time of a search")
    parser.add_argument("--think", type=float, default=2.0, help="mean time of a person's move")
    parser.add_argument("--after", type=float, default=0.0, help="seconds to wait after the games")
    arguments = parser.parse_args()
    with running_server() as server:
        with suppress(OSError):
            os.nice(-10)
        asyncio.run(measure(server, arguments))


if __name__ == "__main__":
    main()
