"""How sampling grows with threads: nodes per second of the clock, beside one thread's.

    python benchmarks/sampling_threads.py [--threads 1 2 4] [--rounds 7] [--seconds 0.5]

Needs fogtree alone. The numbers of threads take turns, round by round, so that what else the
machine does hits all alike; a ratio is the median over the rounds. It tells about threads only
where as many cores are idle.
"""

from __future__ import annotations

import argparse
import os
from statistics import median
from time import perf_counter

from fogtree import compile, load_game
from fogtree.solvers.sampled import SampledSolver

GAMES = ("leduc_poker", "liars_dice")
SAMPLERS = ("external", "outcome")


def pace(solver: SampledSolver, seconds: float) -> float:
    """Nodes per second of the clock, over windows long enough not to see a thread's start."""
    begun, before = perf_counter(), solver.nodes
    step = max(solver.schedule.iterations, int(solver.iteration / 8))
    while perf_counter() - begun < seconds:
        solver.run(step)
    return (solver.nodes - before) / (perf_counter() - begun)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one measurement")
    options = parser.parse_args()
    threads = sorted({1, *options.threads})
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for game in GAMES:
        tree = compile(load_game(game))
        for sampler in SAMPLERS:
            solvers = {
                count: SampledSolver(tree, f"mccfr-{sampler}", seed=1, workers=count)
                for count in threads
            }
            for solver in solvers.values():
                pace(solver, options.seconds)  # warm up
            rounds = [
                {count: pace(solver, options.seconds) for count, solver in solvers.items()}
                for _ in range(options.rounds)
            ]
            for count in threads:
                rate = median(one[count] for one in rounds) / 1e6
                ratio = median(one[count] / one[1] for one in rounds)
                print(f"{game} {sampler}: {count} threads {rate:.0f} M nodes/s, {ratio:.2f} times")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
