"""Where the error of training comes from: every source switched on alone, on games that are solved.

    OPENBLAS_NUM_THREADS=1 python benchmarks/deep_errors.py leduc_poker --seeds 3 --processes 2

prints a Markdown table for each method: exact exploitability of the average strategy (mean, least
and most over the seeds) with no source of error, with each alone, and with all; and processor
seconds. ``deep_cfr`` has the options that :mod:`deep_ablation` starts from, ``dcfr_plus`` the
default ones of a compiled game.
"""

from __future__ import annotations

import argparse
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from deep_ablation import BASE
from fogtree.deep.config import COMPILED_GAME, options_from
from fogtree.deep.diagnosis import Diagnosis, Source, conditions, diagnose

METHODS: dict[str, Any] = {"deep_cfr": BASE, "dcfr_plus": COMPILED_GAME}
WORDS = {0: "none: exact and tabular", 4: "all"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="leduc_poker")
    parser.add_argument("--iterations", type=int, default=30)
    parser.add_argument("--walks", type=int, default=0, help="default: those of the method")
    parser.add_argument("--capacity", type=int, default=1_000_000, help="of reservoirs")
    parser.add_argument("--methods", nargs="*", choices=[*METHODS], default=[*METHODS])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.processes) as pool:
        runs = {
            method: {
                sources: [
                    pool.submit(measure, given, method, sources, seed)
                    for seed in range(given.seeds if sources else 1)
                ]
                for sources in reversed(conditions())  # the slowest first
            }
            for method in given.methods
        }
        for method, found in runs.items():
            print_table(f"{given.game}, {method}, {given.iterations} iterations", found)


def measure(
    given: argparse.Namespace, method: str, sources: tuple[Source, ...], seed: int
) -> Diagnosis:
    walks = {"traversals": given.walks} if given.walks else {}
    kept = {"capacity": given.capacity}
    changes = {
        "run": {"iterations": given.iterations, "seed": seed},
        "traversal": walks,
        "regret": kept,
        "average": kept,
    }
    return diagnose(given.game, options_from(changes, options_from(METHODS[method])), sources)


def print_table(title: str, found: dict[tuple[Source, ...], list[Future[Diagnosis]]]) -> None:
    print(f"\n{title}\n\n| errors of | exploitability | least | most | s |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for sources in conditions():
        rows = [run.result() for run in found[sources]]
        values = [row.exploitability for row in rows]
        seconds = sum(row.seconds for row in rows) / len(rows)
        numbers = (sum(values) / len(values), min(values), max(values))
        name = WORDS.get(len(sources), ", ".join(sources))
        print(f"| {name} | {' | '.join(f'{n:.4f}' for n in numbers)} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
