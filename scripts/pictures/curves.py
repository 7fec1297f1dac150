"""How algorithms converge: one picture for each, and some with several."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import fogtree
from fogtree.agents import Budget
from fogtree.report.svg_charts import LogChart
from fogtree.solvers.sampled import SampledSolver
from fogtree.studies.safety import Condition, measure
from pictures import save

Points = list[tuple[float, float]]

GAMES = {"Kuhn": ("kuhn_poker", 3000), "Leduc": ("leduc_poker", 10_000)}
"""Games that every algorithm is run on, and for how many iterations."""

COMPARED = ("cfr", "cfr+", "lcfr", "dcfr+", "pcfr+", "sapcfr+", "normalhedge+", "hedge")
SAMPLED = ("external", "outcome", "outcome-baseline", "robust", "average", "chance", "outcome-seed")
NODES = {"Kuhn": ("kuhn_poker", 1_000_000), "Leduc": ("leduc_poker", 8_000_000)}
SEEDS = 5
WIDTH = 440
"""Narrow enough that the words can be read on a phone."""
SEARCH_STEPS = (5, 10, 20, 50, 100, 200, 500, 1000, 2000)
TRAINING = {
    "run": {"iterations": 15},
    "evaluation": {"interval": 1},
    "traversal": {"traversals": 300},
    "regret": {"steps": 100, "batch": 256},
    "average": {"steps": 300, "batch": 256},
}


def draw() -> None:
    trees = {name: fogtree.compile(spec) for name, (spec, _) in GAMES.items()}
    draw_tabular(trees)
    draw_sampled(trees)
    draw_training()
    draw_methods()
    draw_search()


def file_name(algorithm: str) -> str:
    return f"curve_{algorithm.replace('+', '_plus')}.svg"


def thinned(points: Points) -> Points:
    """Points that are at least a twelfth of a decade apart, and the last one."""
    kept: Points = []
    for point in points:
        if not kept or point[0] >= 1.2 * kept[-1][0] or point is points[-1]:
            kept.append(point)
    return kept


def draw_tabular(trees: dict[str, fogtree.GameTree]) -> None:
    """Every tabular algorithm beside plain CFR, and several together in each game."""
    curves: dict[tuple[str, str], Points] = {}
    for algorithm in fogtree.RECIPES:
        for name, (_, iterations) in GAMES.items():
            run = fogtree.solve(trees[name], algorithm, iterations=iterations)
            points = [(float(check.iteration), check.exploitability) for check in run.curve]
            curves[algorithm, name] = thinned(points)
    for algorithm in fogtree.RECIPES:
        save(file_name(algorithm), beside(curves, algorithm, "cfr", "iterations"))
    for name, (spec, _) in GAMES.items():
        chart = {one: curves[one, name] for one in COMPARED}
        save(f"compare_{spec}.svg", exploitability_chart(chart, "iterations"))


def beside(curves: dict[tuple[str, str], Points], one: str, other: str, across: str) -> str:
    """The curves of one algorithm in all games, and those of another to compare with."""
    chart = {name: curves[one, name] for name in GAMES}
    if one != other:
        chart |= {f"{name}, {other}": curves[other, name] for name in GAMES}
    return exploitability_chart(chart, across)


def exploitability_chart(curves: dict[str, Points], across: str) -> str:
    return LogChart(curves, across, "exploitability (NashConv / 2)", WIDTH)._repr_svg_()


def draw_sampled(trees: dict[str, fogtree.GameTree]) -> None:
    """Every sampler beside external sampling, the median of some seeds."""
    curves = {
        (kind, name): sampled_curve(trees[name], kind, nodes)
        for kind in SAMPLED
        for name, (_, nodes) in NODES.items()
    }
    for kind in SAMPLED:
        save(file_name(f"mccfr-{kind}"), beside(curves, kind, "external", "nodes visited"))


def sampled_curve(tree: fogtree.GameTree, kind: str, nodes: int) -> Points:
    runs = [list(sampled_run(tree, kind, nodes, seed)) for seed in range(SEEDS)]
    return [
        (median(x for x, _ in points), median(y for _, y in points))
        for points in zip(*runs, strict=True)
    ]


def sampled_run(
    tree: fogtree.GameTree, kind: str, nodes: int, seed: int
) -> Iterator[tuple[float, float]]:
    solver = SampledSolver(tree, f"mccfr-{kind}", seed=seed, batch=2 if kind == "chance" else 100)
    goal = nodes >> 9
    while goal <= nodes:
        while solver.nodes < goal:
            solver.run(max(1, solver.iteration // 20))
        yield float(solver.nodes), solver.exploitability()
        goal *= 2


def draw_training() -> None:
    """Deep CFR on Kuhn poker: the exploitability of its average strategy."""
    run = fogtree.train("kuhn_poker", TRAINING)
    points = [
        (float(row["iteration"]), float(row["exploitability"]))
        for row in run.rows()
        if row.get("exploitability") is not None
    ]
    save("curve_deep_cfr.svg", exploitability_chart({"Deep CFR, Kuhn": points}, "iterations"))


def draw_methods() -> None:
    """Both families of training methods on Kuhn poker, by the nodes that they visit."""
    quick = {"regret": {"steps": 50}, "evaluation": {"interval": 20}}
    curves = {}
    for method, iterations, games in (("dcfr_plus", 100, 1000), ("mmd", 600, 2000)):
        run = {"method": method, "iterations": iterations}
        tables = {"run": run, "traversal": {"traversals": games}, **quick}
        rows = fogtree.train("kuhn_poker", tables).rows()
        curves[method] = [
            (float(row["nodes"]), float(row["exploitability"]))
            for row in rows
            if row.get("exploitability") is not None
        ]
    save("curve_training_methods.svg", exploitability_chart(curves, "nodes"))


def draw_search() -> None:
    """What an agent that searches loses to a best response, by the steps of its searches."""
    cases = (
        ("Kuhn", "kuhn_poker", "both", 10),
        ("Kuhn, unsafe", "kuhn_poker", "none", 10),
        ("Leduc", "leduc_poker", "both", 3),
    )
    curves = {
        label: [(float(steps), search_loss(game, gadget, steps, seeds)) for steps in SEARCH_STEPS]
        for label, game, gadget, seeds in cases
    }
    save("curve_search.svg", exploitability_chart(curves, "steps of a search"))


def search_loss(game: str, gadget: str, steps: int, seeds: int) -> float:
    """The median of the seeds' exploitabilities."""
    result = measure(game, Condition(2, False, gadget), Budget(steps=steps), seeds=seeds)
    return median(result.by_seed)
