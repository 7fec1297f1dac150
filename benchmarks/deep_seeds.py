"""How good training is by the default options, and how much that depends on the seed.

    OPENBLAS_NUM_THREADS=1 python benchmarks/deep_seeds.py leduc_poker --seconds 300 --seeds 5

trains with one thread until so many processor seconds have passed, and prints a Markdown table:
exact exploitability of the average strategy of every seed, by iteration and processor seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from time import process_time
from typing import Any

Row = tuple[int, float, float]  # iteration, processor seconds, exploitability


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="leduc_poker")
    parser.add_argument("--seconds", type=float, default=600.0, help="of one processor")
    parser.add_argument("--every", type=int, default=25, help="iterations between two rows")
    parser.add_argument("--iterations", type=int, default=100_000)
    parser.add_argument("--options", type=json.loads, default={}, help="tables of options, as JSON")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    seeds = range(given.first, given.first + given.seeds)
    with ProcessPoolExecutor(given.processes) as pool:
        runs = [pool.submit(curve, given, seed) for seed in seeds]
        curves = [run.result() for run in runs]
    print(f"\n{given.game} {json.dumps(given.options)}\n")
    print(f"| iteration | s | mean | {' | '.join(f'seed {seed}' for seed in seeds)} |")
    print(f"| ---: | ---: | ---: |{' ---: |' * len(curves)}")
    for rows in zip(*curves, strict=False):
        values = [value for _, _, value in rows]
        seconds = sum(row[1] for row in rows) / len(rows)
        cells = " | ".join(f"{value:.4f}" for value in values)
        print(f"| {rows[0][0]} | {seconds:.0f} | {sum(values) / len(values):.4f} | {cells} |")


class EnoughError(Exception):
    """The processor seconds have passed."""


def curve(given: argparse.Namespace, seed: int) -> list[Row]:
    """The exploitability of one run over time."""
    from fogtree import train

    rows: list[Row] = []
    start = process_time()

    def watch(report: Any) -> None:
        seconds = process_time() - start
        if report.exploitability is not None:
            rows.append((report.iteration, seconds, report.exploitability))
            print(f"seed {seed}:", *rows[-1], file=sys.stderr, flush=True)
        if seconds >= given.seconds:
            raise EnoughError

    tables = {name: dict(part) for name, part in given.options.items()}
    tables["run"] = {**tables.get("run", {}), "iterations": given.iterations, "seed": seed}
    tables["evaluation"] = {"interval": given.every}
    with suppress(EnoughError):
        train(given.game, tables, watch=watch)
    return rows


if __name__ == "__main__":
    main()
