"""Known game values, and iterations that each algorithm needs, over all games and algorithms.

``data/values.toml`` has each value with its tolerance and source; ``data/convergence.toml`` has the
iterations to reach an exploitability. They belong to no single module, so they have a folder here.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fogtree import RECIPES, TabularSolver, equilibrium, exploitability

DATA = Path(__file__).parent / "data"
VALUES = tomllib.loads((DATA / "values.toml").read_text())["value"]
CONVERGENCE = tomllib.loads((DATA / "convergence.toml").read_text())


@pytest.mark.parametrize("golden", VALUES, ids=lambda g: g["game"])
def test_value_by_linear_program(tree_of, golden):
    tree = tree_of(golden["game"])
    solution = equilibrium(tree)
    assert solution.value == pytest.approx(golden["value"], abs=golden["tolerance"])
    measured = exploitability(tree, solution.strategy)
    assert measured.exploitability == pytest.approx(0, abs=1e-7)
    assert measured.value == pytest.approx(golden["value"], abs=max(golden["tolerance"], 1e-7))


@pytest.mark.parametrize(
    "golden", CONVERGENCE["count"], ids=lambda g: f"{g['game']}-{g['algorithm']}-{g['below']}"
)
def test_iterations_to_exploitability(tree_of, golden):
    solver = TabularSolver(tree_of(golden["game"]), golden["algorithm"])
    slack = max(1, round(golden["iterations"] * CONVERGENCE["slack"]))
    early = golden["iterations"] - slack
    solver.run(early - 1)
    if early > 2:
        assert solver.exploitability() > golden["below"]
    for _ in range(2 * slack + 1):
        solver.run(1)
        if solver.exploitability() <= golden["below"]:
            return
    pytest.fail(f"exploitability is still {solver.exploitability()}")


@pytest.mark.parametrize("algorithm", sorted(RECIPES))
@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker"])
def test_exploitability_goes_to_zero(tree_of, game, algorithm):
    """Tenfold the iterations, again and again: it keeps falling, as 1/sqrt(t) or faster."""
    solver = TabularSolver(tree_of(game), algorithm)
    seen = []
    for iterations in (100, 1_000, 10_000):
        solver.run(iterations - solver.iteration)
        seen.append(solver.exploitability())
    assert seen[1] < seen[0] / 2
    assert seen[2] < seen[1] / 2


@pytest.mark.parametrize(
    ("algorithm", "iterations"), [("cfr+", 200_000), ("dcfr", 200_000), ("pcfr+", 200_000)]
)
def test_leduc_value_by_regret_minimization(tree_of, algorithm, iterations):
    solver = TabularSolver(tree_of("leduc_poker"), algorithm)
    solver.run(iterations)
    assert solver.evaluate().value == pytest.approx(-0.0856064, abs=1e-6)
    assert 0 <= solver.exploitability() < 1e-6


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr", "pcfr+"])
def test_kuhn_value_by_regret_minimization(tree_of, algorithm):
    solver = TabularSolver(tree_of("kuhn_poker"), algorithm)
    solver.run(100_000)
    assert solver.evaluate().value == pytest.approx(-1 / 18, abs=1e-6)


def test_kuhn_equilibrium_is_the_known_family(tree_of):
    """Kuhn (1950): for some a in [0, 1/3], bet a with J, 3a with K, call a + 1/3 with Q."""
    solver = TabularSolver(tree_of("kuhn_poker"), "pcfr+")
    solver.run(20_000)
    s = solver.strategy()
    a = s["J"]["bet"]
    assert 0 <= a <= 1 / 3 + 1e-6
    assert s["K"]["bet"] == pytest.approx(3 * a, abs=1e-4)
    assert s["Q"]["bet"] == pytest.approx(0, abs=1e-4)
    assert s["Qcb"]["call"] == pytest.approx(a + 1 / 3, abs=1e-4)
    assert s["Jcb"]["call"] == pytest.approx(0, abs=1e-4)
    assert s["Kcb"]["call"] == pytest.approx(1, abs=1e-4)
    assert s["Jc"]["bet"] == pytest.approx(1 / 3, abs=1e-4)
    assert s["Qb"]["call"] == pytest.approx(1 / 3, abs=1e-4)
