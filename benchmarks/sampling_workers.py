"""What several workers cost in quality: exploitability after as many nodes, by workers.

    python benchmarks/sampling_workers.py [--workers 1 2 4 16] [--seeds 5]

Needs fogtree alone, and gives the same on every machine: workers' results do not depend on timing.
"""

from __future__ import annotations

import argparse
from statistics import median

from fogtree import compile, load_game
from fogtree.solvers.sampled import SampledSolver

NODES = {"leduc_poker": 20_000_000, "liars_dice": 40_000_000}
SAMPLERS = ("external", "outcome")


def trained(solver: SampledSolver, nodes: int) -> float:
    """Run a solver until it has visited at least so many nodes, in whole epochs; returns its
    exploitability."""
    while solver.nodes < nodes:
        solver.run(solver.schedule.iterations)
    return solver.exploitability()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4, 16])
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    print("| game | sampler | workers | batch | exploitability: median | least | most |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for game, nodes in NODES.items():
        tree = compile(load_game(game))
        for sampler in SAMPLERS:
            for workers in options.workers:
                found = []
                for seed in range(options.seeds):
                    solver = SampledSolver(tree, f"mccfr-{sampler}", seed=seed, workers=workers)
                    found.append(trained(solver, nodes))
                row = [game, sampler, str(workers), f"{solver.schedule.batch:,}"]
                row += [f"{value:.4f}" for value in (median(found), min(found), max(found))]
                print("|", " | ".join(row), "|", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
