"""What each choice of Deep CFR buys: one change at a time, on a game whose answer is known.

    python benchmarks/deep_ablation.py leduc_poker --iterations 30 --seeds 2

prints a Markdown table: exact exploitability of the average strategy at the end (mean, least and
most over the seeds), decisions walked, and processor seconds. One thread per process is quickest:
set OPENBLAS_NUM_THREADS=1.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from time import process_time
from typing import Any

BASE: dict[str, dict[str, Any]] = {
    "traversal": {"traversals": 500},
    "network": {"hidden": [32, 32], "value_hidden": [32, 32]},
    "regret": {"steps": 300, "batch": 512, "learning_rate": 3e-3},
    "average": {"steps": 1500, "batch": 512, "learning_rate": 3e-3},
    "value": {"steps": 300, "batch": 512, "learning_rate": 3e-3, "capacity": 100_000},
    "evaluation": {"interval": 0},
}

# Methods walk about as many decisions as the base does.
CHANGES: tuple[tuple[str, dict[str, dict[str, Any]]], ...] = (
    ("external, network average, linear weights (base)", {}),
    ("outcome", {"traversal": {"sampling_method": "outcome", "traversals": 10_000}}),
    ("robust, 2 actions", {"traversal": {"sampling_method": "robust", "traversals": 1200}}),
    (
        "escher",
        {
            "traversal": {
                "sampling_method": "escher",
                "traversals": 4000,
                "value_traversals": 6000,
                "value_exploration": 0.3,
            }
        },
    ),
    ("rollout", {"traversal": {"sampling_method": "rollout", "traversals": 1500}}),
    ("single: stored networks", {"run": {"average": "single"}}),
    ("regret weights 0", {"regret": {"weight_exponent": 0.0}}),
    ("regret weights 2", {"regret": {"weight_exponent": 2.0}}),
    ("average weights 0", {"average": {"weight_exponent": 0.0}}),
    ("average weights 2", {"average": {"weight_exponent": 2.0}}),
    ("networks go on", {"regret": {"fresh": False}}),
    ("uniform without positive regret", {"traversal": {"uniform_fallback": True}}),
    ("reservoirs of 20,000", {"regret": {"capacity": 20_000}, "average": {"capacity": 20_000}}),
    ("no gradient clipping", {"regret": {"gradient_clip": 0.0}, "average": {"gradient_clip": 0.0}}),
    ("hidden 8 × 8", {"network": {"hidden": [8, 8]}}),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="leduc_poker")
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    print("| change | exploitability | least | most | decisions | s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with ProcessPoolExecutor(given.processes) as pool:
        runs = [
            [
                pool.submit(measure, given.game, change, given.iterations, seed)
                for seed in range(given.seeds)
            ]
            for _, change in CHANGES
        ]
        for (name, _), seeds in zip(CHANGES, runs, strict=True):
            rows = [run.result() for run in seeds]
            value, nodes, seconds = (sum(column) / len(rows) for column in zip(*rows, strict=True))
            least, most = min(rows)[0], max(rows)[0]
            numbers = f"{value:.3f} | {least:.3f} | {most:.3f} | {nodes:,.0f} | {seconds:.0f}"
            print(f"| {name} | {numbers} |", flush=True)


def measure(
    spec: str, change: dict[str, dict[str, Any]], iterations: int, seed: int
) -> tuple[float, int, float]:
    from fogtree import load_game
    from fogtree.deep.config import options_from
    from fogtree.deep.train import train

    told = {name: dict(part) for name, part in BASE.items()}
    told["run"] = {"iterations": iterations, "seed": seed}
    for section, values in change.items():
        told[section] = {**told.get(section, {}), **values}
    start = process_time()
    run = train(load_game(spec), options_from(told))
    assert run.exploitability is not None
    return run.exploitability, run.nodes, process_time() - start


if __name__ == "__main__":
    main()
