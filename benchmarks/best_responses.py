"""Exact best responses without compiling: sizes, seconds, memory, and what sampling reaches.

    python benchmarks/best_responses.py [--games NAME ...] [--threads 2] [--sample 1e5 1e6]

Without ``--sample`` the strategy is uniform play. With it the game is sampled by outcome sampling
up to each number of iterations, and the average strategy is measured each time. Processor seconds
are those of the whole process; memory is its peak, with everything else that it holds.
"""

from __future__ import annotations

import argparse
import json
import resource
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import fogtree
from fogtree.evaluate.uncompiled import best_response_values, responses_of
from fogtree.solvers.simulated import SimulatedSolver

TTT = "phantom_ttt(rows=3, columns=3, max_plies=9"
GAMES = {
    "phantom_ttt": f"{TTT})",
    "abrupt_phantom_ttt": f"{TTT}, abrupt=True)",
    "dark_hex": "dark_hex(rows=3)",
    "abrupt_dark_hex": "dark_hex(rows=3, abrupt=True)",
    "liars_dice": "liars_dice(dice=2, sides=5)",
}


def measured(game: fogtree.Game, strategy: Any, threads: int) -> dict[str, Any]:
    """The exploitability of a strategy, and what it took to find it."""
    wall, cpu = perf_counter(), process_time()
    found = best_response_values(game, strategy, threads=threads)
    return {
        "exploitability": found.exploitability,
        "best_response_values": found.best_response_values,
        "seconds": round(perf_counter() - wall, 2),
        "processor_seconds": round(process_time() - cpu, 2),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def sizes(game: fogtree.Game) -> dict[str, Any]:
    """Information sets and decisions of both players, and the seconds to number them."""
    cpu = process_time()
    responses = responses_of(game)
    assert responses is not None
    built = process_time() - cpu
    return {
        "infosets": [responses.infosets(player) for player in (0, 1)],
        "decisions": [responses.decisions(player) for player in (0, 1)],
        "slots": [responses.slots(player) for player in (0, 1)],
        "build_processor_seconds": round(built, 2),
    }


def sampled(game: fogtree.Game, checks: list[float], threads: int) -> list[dict[str, Any]]:
    """Outcome sampling up to each number of iterations, measured each time."""
    solver = SimulatedSolver(game, "mccfr-outcome", seed=1)
    rows: list[dict[str, Any]] = []
    seconds = 0.0
    for check in checks:
        cpu = process_time()
        solver.run(int(check) - solver.iteration)
        seconds += process_time() - cpu
        table = solver.strategy()
        row = {
            "iterations": solver.iteration,
            "sampling_processor_seconds": round(seconds, 1),
            "table": len(table),
        }
        rows.append(row | measured(game, table, threads))
        print(json.dumps(rows[-1]), flush=True)
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--sample", nargs="+", type=float, default=[])
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    found: dict[str, Any] = {}
    for name in given.games:
        game = fogtree.load_game(GAMES[name])
        found[name] = {"game": str(game), **sizes(game)}
        if given.sample:
            found[name]["sampled"] = sampled(game, given.sample, given.threads)
        else:
            found[name]["uniform"] = measured(game, None, given.threads)
        print(name, json.dumps(found[name]), flush=True)
        responses_of.cache_clear()
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
