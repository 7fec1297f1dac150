"""Self-play of the search for a long time: does anything break, leak, or take too long?

Run ``python benchmarks/soak.py --games 1000 --time 0.01``. Both sides search; every move is checked
against the rules, the true position against each side's belief, and the time of every move against
its budget. Ends with status 1 if a check failed. Time is also counted in processor time, which on a
busy machine tells the search's own delays from those of waiting for a processor.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import fogtree
from fogtree.agents import Budget
from fogtree.arena.play import Referee
from fogtree.errors import FogtreeError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess
from fogtree.search import SearchAgent

TOLERATED = 0.05
"""Seconds by which a move may be late."""
GAMES_PER_TASK = 5


@dataclass
class Tally:
    """What happened in some games."""

    games: int = 0
    moves: int = 0
    white: int = 0
    """Games that White won."""
    drawn: int = 0
    late: int = 0
    """Moves that came more than TOLERATED seconds late."""
    late_by_own_fault: int = 0
    """The same by the process's own processor time, which a busy machine does not change."""
    latest: float = 0.0
    latest_by_own_fault: float = 0.0
    restarts: int = 0
    nodes: int = 0
    largest_belief: int = 0
    failures: list[str] = field(default_factory=list)
    resident: list[int] = field(default_factory=list)
    """Megabytes, after each task of a process."""

    def add(self, other: Tally) -> None:
        """Add what happened in other games."""
        for name, value in asdict(other).items():
            mine = getattr(self, name)
            # Of "latest", "latest_by_own_fault" and "largest_belief" the larger one, of others the
            # sum.
            largest = name.startswith("la") and name not in ("late", "late_by_own_fault")
            setattr(self, name, max(mine, value) if largest else mine + value)


def play(seed: str, spec: str, seconds: float, tally: Tally) -> None:
    """Play one game of an agent against itself, and add what happened to the tally; it ends at an
    illegal move, or when a belief lacks the true position."""
    game = FogChess()
    agents = [fogtree.agent(spec, game) for _ in range(2)]
    for player, agent in enumerate(agents):
        agent.start(game, player, f"{seed}/{player}")
    state, referee = game.root(), Referee(game, dict(enumerate(agents)))
    while True:
        referee.show(state, state.player)
        for agent in agents:
            assert isinstance(agent, SearchAgent)
            belief = agent.belief
            if belief.complete and state.player != TERMINAL and state.position not in belief:
                tally.failures.append(f"{seed}: lost {state.position.fen}")
                return
            tally.largest_belief = max(tally.largest_belief, len(belief))
        if state.player == TERMINAL:
            break
        began, worked = time.perf_counter(), time.process_time()
        decision = agents[state.player].act(Budget(seconds=seconds))
        late = time.perf_counter() - began - seconds
        fault = time.process_time() - worked - seconds
        tally.late += late > TOLERATED
        tally.late_by_own_fault += fault > TOLERATED
        tally.latest = max(tally.latest, late)
        tally.latest_by_own_fault = max(tally.latest_by_own_fault, fault)
        tally.moves += 1
        tally.nodes += int(decision.stats["nodes"])
        tally.restarts += int(decision.stats["restarts"]) > 0
        if decision.action not in state.actions():
            tally.failures.append(f"{seed}: {decision.action} in {state.position.fen}")
            return
        state = state.child(decision.action)
    tally.games += 1
    tally.white += state.returns()[0] > 0
    tally.drawn += state.returns()[0] == 0


def task(first: int, count: int, spec: str, seconds: float) -> Tally:
    tally = Tally()
    for number in range(first, first + count):
        try:
            play(f"soak/{number}", spec, seconds, tally)
        except FogtreeError as error:
            tally.failures.append(f"soak/{number}: {error}")
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    tally.resident.append(pages * resource.getpagesize() >> 20)
    return tally


def run(games: int, spec: str, seconds: float, workers: int) -> Iterator[Tally]:
    firsts = range(0, games, GAMES_PER_TASK)
    counts = [min(GAMES_PER_TASK, games - first) for first in firsts]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        yield from pool.map(task, firsts, counts, [spec] * len(counts), [seconds] * len(counts))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--time", type=float, default=0.01)
    parser.add_argument("--agent", default="search(cap=200000)")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    wanted = parser.parse_args()
    total = Tally()
    began = time.perf_counter()
    for number, part in enumerate(run(wanted.games, wanted.agent, wanted.time, wanted.workers)):
        total.add(part)
        if number % 10 == 9:
            print(
                f"{total.games} games, {total.moves} moves, {len(total.failures)} failures,"
                f" resident {part.resident[-1]} MB, load {os.getloadavg()[0]:.1f}",
                file=sys.stderr,
                flush=True,
            )
    report = {**asdict(total), "minutes": (time.perf_counter() - began) / 60}
    early = total.resident[len(total.resident) // 5 :]
    half = len(early) // 2
    report["resident"] = {
        "mean after the first fifth": sum(early[:half]) / max(1, half),
        "mean of the rest": sum(early[half:]) / max(1, len(early) - half),
        "most": max(total.resident, default=0),
    }
    print(json.dumps(report, indent=1))
    return 1 if total.failures or total.late_by_own_fault else 0


if __name__ == "__main__":
    sys.exit(main())
