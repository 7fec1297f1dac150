"""The search on Fog-of-War chess: how large a tree, how fast a solver, how soon an answer.

Run ``python benchmarks/search.py``; add ``--json`` for numbers that a program reads. Searches are
made at the start position and in ten middle games of the search's own (``middle_games.txt``), each
for five seconds with one solver and one expander. ``--work`` asks instead how much processor time
one thread needs for a tree of the size that is wanted after those five seconds on two cores, which
can be told on a busy machine too. In a middle game the agent has searched two plies
before as well; what it has learnt there is carried over, and the time from the other side's move to
a first answer is taken. The published figures are those of Zhang & Sandholm (2025): three threads.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

from fogtree.agents import Budget, Observation
from fogtree.errors import FogtreeError
from fogtree.games.fog_chess.evaluators import load_evaluator
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.network.stockfish import find_stockfish
from fogtree.search import SearchAgent, SearchOptions

EVALUATORS = (
    "simple",
    "net",
    "stockfish-net-static",
    "stockfish-net",
    f"uci:{find_stockfish() or 'stockfish'}",
)
PUBLISHED = "published: 1,070,552 nodes, 14,404 infosets, depth 10.7, |P| 17,264"
SOON = Budget(seconds=0.001)
WANTED = {"simple": 3_000_000, "stockfish-net-static": 1_070_000}
"""Nodes after five seconds on two cores."""
BOUND = 256 << 20


@dataclass(frozen=True)
class Grown:
    """One search: the size of its tree, its speed, and by how many seconds it ended late
    (``overrun``)."""

    evaluator: str
    plies: int
    belief: int
    nodes: int
    infosets: int
    depth: int
    iterations: int
    seconds: float
    overrun: float
    bytes_per_node: float
    carried: int
    first_answer: float | None
    """Seconds from the other side's move to a decision; None at the start position."""
    first_work: float | None
    """The same in processor time, which a busy machine does not change."""


@dataclass(frozen=True)
class Bounded:
    """Several moves with a ``bound`` on the memory of the tree: the largest tree and the growth of
    the process in bytes, and at how many of the ``moves`` the tree was full."""

    bound: int
    largest: int
    process_grew: int
    full: int
    moves: int


def tell(agent: SearchAgent, state: FogChessState, player: int) -> None:
    """Show an agent what its player sees of a state."""
    actions = tuple(state.actions()) if state.player == player else ()
    agent.observe(Observation(player, state.observation(player), actions))


def led(agent: SearchAgent, moves: list[str], player: int) -> FogChessState:
    """Lead an agent through some moves from the start, shown what it would have seen; returns the
    state after them."""
    game = FogChess()
    agent.start(game, player, "benchmark")
    state = game.root()
    tell(agent, state, player)
    for move in moves:
        state = step(agent, state, move, player)
    return state


def step(agent: SearchAgent, state: FogChessState, move: str, player: int) -> FogChessState:
    """Show an agent one move as its player sees it; returns the state after it."""
    if state.player == player:
        agent.follow(move)
    after = state.child(move)
    tell(agent, after, player)
    return after


def grown(evaluator: str, moves: list[str], seconds: float, threads: int) -> Grown:
    """Search after some moves, with the tree of a search at the player's decision before; measures
    also how soon a first answer is possible."""
    agent = SearchAgent("fog_chess", evaluator=evaluator, threads=threads)
    player = len(moves) % 2
    budget = Budget(seconds=seconds)
    first: float | None = None
    work: float | None = None
    if len(moves) < 2:
        led(agent, moves, player)
    else:
        state = led(agent, moves[:-2], player)
        agent.act(budget)
        state = step(agent, state, moves[-2], player)
        began, worked = time.perf_counter(), time.process_time()
        step(agent, state, moves[-1], player)
        agent.act(SOON)
        first, work = time.perf_counter() - began, time.process_time() - worked
    began = time.perf_counter()
    stats: dict[str, Any] = dict(agent.act(budget).stats)
    took = time.perf_counter() - began
    return Grown(
        evaluator,
        len(moves),
        stats["belief_size"],
        stats["nodes"],
        stats["infosets"],
        stats["depth"],
        stats["iterations"],
        took,
        took - seconds,
        stats["bytes"] / stats["nodes"],
        stats["carried_nodes"],
        first,
        work,
    )


def worked(evaluator: str, moves: list[str]) -> str:
    """A line with the processor time that one thread takes for a tree of WANTED nodes."""
    agent = SearchAgent("fog_chess", evaluator=evaluator, threads=1)
    led(agent, moves, len(moves) % 2)
    began = time.process_time()
    stats: dict[str, Any] = dict(agent.act(Budget(nodes=WANTED[evaluator])).stats)
    seconds = time.process_time() - began
    return (
        f"{evaluator:>21} {len(moves):>4} plies  {stats['nodes']:>9,} nodes and"
        f" {stats['iterations']:>6,} iterations in {seconds:5.2f} s of one core"
    )


def bounded(moves: list[str], seconds: float, threads: int) -> Bounded:
    """Search at the player's last three decisions in a game with a bound on memory."""
    options = SearchOptions(most_bytes=BOUND)
    agent = SearchAgent("fog_chess", evaluator="simple", options=options, threads=threads)
    before = _resident()
    player = len(moves) % 2
    state = led(agent, moves[:-6], player)
    largest = full = count = 0
    for own, other in zip(moves[-6::2], moves[-5::2], strict=True):
        stats: dict[str, Any] = dict(agent.act(Budget(seconds=seconds)).stats)
        largest = max(largest, stats["bytes"])
        full += bool(stats["full"])
        count += 1
        state = step(agent, step(agent, state, own, player), other, player)
    return Bounded(BOUND, largest, _peak() - before, full, count)


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _line(row: Grown) -> str:
    first = ""
    if row.first_answer is not None and row.first_work is not None:
        first = f"{1000 * row.first_answer:5.0f} ms ({1000 * row.first_work:.0f})"
    return (
        f"{row.plies:>4} plies  |P| {row.belief:>9,}  {row.nodes:>11,} nodes"
        f"  {row.infosets:>8,} infosets  depth {row.depth:>3}"
        f"  {row.iterations / row.seconds:>8,.0f} iterations/s"
        f"  {row.bytes_per_node:4.0f} B/node  {row.carried:>9,} carried"
        f"  over by {1000 * row.overrun:5.0f} ms  {first}"
    )


def _summary(rows: list[Grown]) -> str:
    answers = [row.first_answer for row in rows if row.first_answer is not None]
    small = [row for row in rows if row.first_answer is not None and row.belief <= 10_000]
    longest = max((row.first_answer or 0 for row in small), default=0)
    work = max((row.first_work or 0 for row in small), default=0)
    return (
        f"mean {mean(row.nodes for row in rows):,.0f} nodes, least"
        f" {min(row.nodes for row in rows):,}; first answer {1000 * median(answers or [0]):.0f} ms,"
        f" longest with |P| <= 10,000 {1000 * longest:.0f} ms ({1000 * work:.0f} of processor time)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--positions", type=int, default=11)
    parser.add_argument("--evaluators", nargs="+", default=list(EVALUATORS))
    parser.add_argument("--work", action="store_true")
    wanted = parser.parse_args()
    games = (Path(__file__).parent / "middle_games.txt").read_text().splitlines()
    positions = [[], *(line.split() for line in games)][: wanted.positions]
    if wanted.work:
        for evaluator in WANTED:
            for moves in positions:
                print(worked(evaluator, moves), flush=True)
        return
    # First, while the process has not been larger yet.
    bound = bounded(games[-1].split(), wanted.seconds, wanted.threads)
    found: list[Grown] = []
    if not wanted.json:
        print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print(PUBLISHED)
        print(
            f"bound {bound.bound >> 20} MB: tree at most {bound.largest >> 20} MB, process grew by"
            f" {bound.process_grew >> 20} MB; reached in {bound.full} of {bound.moves} moves"
        )
    for evaluator in wanted.evaluators:
        try:
            load_evaluator(evaluator).close()
        except FogtreeError as error:
            print(f"{evaluator}: {error}")
            continue
        rows = []
        for moves in positions:
            rows.append(grown(evaluator, moves, wanted.seconds, wanted.threads))
            if not wanted.json:
                print(f"{evaluator:>21} {_line(rows[-1])}", flush=True)
        found += rows
        if not wanted.json:
            print(f"{evaluator:>21} {_summary(rows)}; load {os.getloadavg()[0]:.1f}")
    if wanted.json:
        print(json.dumps({"bounded": asdict(bound), "grown": [asdict(row) for row in found]}))


if __name__ == "__main__":
    main()
