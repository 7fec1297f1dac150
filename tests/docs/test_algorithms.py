"""The page on algorithms: its example runs, and its table has a row for every recipe."""

from __future__ import annotations

import re

import pytest

from fogtree import RECIPES, compile, load_game, solve
from tests.support.paths import DOCS

PAGE = (DOCS / "explanation" / "algorithms.md").read_text()


def test_minimizer_of_the_page_converges() -> None:
    code = next(c for c in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "Squared" in c)
    scope: dict[str, object] = {}
    exec(code, scope)
    assert scope["run"].exploitability < 1e-2  # type: ignore[attr-defined]


def test_every_recipe_has_its_rows() -> None:
    names = re.findall(r"^\| `([^`]+)` \|", PAGE, re.M)
    assert sorted(names) == sorted([*RECIPES, *RECIPES])


@pytest.mark.parametrize("algorithm", RECIPES)
def test_measured_iterations(algorithm: str) -> None:
    """Column ``Kuhn 1e-3``: good enough at the iteration the page names, and not one before."""
    (row,) = (
        line
        for line in PAGE.splitlines()
        if re.match(rf"\| `{re.escape(algorithm)}` \| \**\d", line)
    )
    claimed = int(row.split("|")[3].strip(" *").replace(",", ""))
    tree = compile(load_game("kuhn_poker"))
    run = solve(tree, algorithm, until=1e-3, iterations=claimed + 1, every=1)
    assert run.iterations == claimed
