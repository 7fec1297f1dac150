"""Exploitability of every sampler against nodes and seconds: the tables and pictures of the docs.

    python benchmarks/sampling_curves.py FOLDER

Writes one picture per game into FOLDER and prints the tables as Markdown.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from fogtree import GameTree, compile, load_game
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.samplers import KINDS

POINTS = 9
"""Measurements along a curve, each after twice the nodes of the one before."""


@dataclass(frozen=True)
class Case:
    game: str
    title: str
    nodes: int
    batch: int
    seeds: int


@dataclass(frozen=True)
class Curve:
    kind: str
    seed: int
    nodes: tuple[int, ...]
    seconds: tuple[float, ...]
    exploitability: tuple[float, ...]


CASES = (
    Case("kuhn_poker", "Kuhn poker", 2_000_000, 100, 10),
    Case("leduc_poker", "Leduc poker", 20_000_000, 500, 10),
    Case("liars_dice", "Liar's dice", 40_000_000, 2000, 5),
)


def solver_for(tree: GameTree, case: Case, kind: str, seed: int) -> SampledSolver:
    batch = case.batch
    if kind == "chance":
        batch = max(1, batch // 100)  # its walks are long
    elif kind == "outcome":
        batch *= 8  # and these are short
    return SampledSolver(tree, f"mccfr-{kind}", seed=seed, batch=batch)


def curve(tree: GameTree, case: Case, kind: str, seed: int) -> Curve:
    """One run, measured at doubling numbers of nodes; checks are not timed.

    Seconds are those of the processor, which other programs on the machine disturb least.
    """
    solver = solver_for(tree, case, kind, seed)
    taken: list[tuple[int, float, float]] = []
    spent, goal = 0.0, case.nodes >> (POINTS - 1)
    while goal <= case.nodes:
        begun = process_time()
        while solver.nodes < goal:
            part = max(1, solver.iteration // 20)
            solver.run(part)
        spent += process_time() - begun
        taken.append((solver.nodes, spent, solver.exploitability()))
        goal *= 2
    nodes, seconds, values = zip(*taken, strict=True)
    return Curve(kind, seed, nodes, seconds, values)


def table(case: Case, curves: Sequence[Curve]) -> str:
    lines = [
        f"**{case.title}**, {case.nodes:,} nodes, {len({c.seed for c in curves})} seeds",
        "",
        "| sampler | exploitability: median | least | most | M nodes/s | nodes per iteration |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    tree = compile(load_game(case.game))
    for kind in KINDS:
        own = [one for one in curves if one.kind == kind]
        last = [one.exploitability[-1] for one in own]
        pace = median(one.nodes[-1] / one.seconds[-1] for one in own) / 1e6
        solver = SampledSolver(tree, f"mccfr-{kind}", batch=100)
        solver.run(1000)
        each = solver.nodes / solver.iteration
        numbers = f"{median(last):.4f} | {min(last):.4f} | {max(last):.4f} | {pace:.0f}"
        lines.append(f"| `mccfr-{kind}` | {numbers} | {each:,.0f} |")
    return "\n".join(lines)


def draw(case: Case, curves: Sequence[Curve], path: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for number, kind in enumerate(KINDS):
        own = [one for one in curves if one.kind == kind]
        middle = [median(values) for values in zip(*(o.exploitability for o in own), strict=True)]
        for axis, name in zip(axes, ("nodes", "seconds"), strict=True):
            where = [
                median(values) for values in zip(*(getattr(o, name) for o in own), strict=True)
            ]
            axis.loglog(where, middle, color=f"C{number}", label=f"mccfr-{kind}")
    axes[0].set(xlabel="nodes touched", ylabel="exploitability (NashConv / 2)", title=case.title)
    axes[1].set(xlabel="seconds of one processor")
    axes[1].legend(fontsize="small")
    figure.savefig(path)
    pyplot.close(figure)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        tree = compile(load_game(case.game))
        curves = [curve(tree, case, kind, seed) for seed in range(case.seeds) for kind in KINDS]
        print(table(case, curves), end="\n\n", flush=True)
        draw(case, curves, options.folder / f"{case.game}.svg")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
