"""The pages on algorithms: every recipe has one with its source, rule and curve, and a row."""

from __future__ import annotations

import re

import pytest

from fogtree import RECIPES, compile, load_game, solve
from fogtree.solvers.samplers import KINDS
from tests.support.paths import DOCS

FOLDER = DOCS / "algorithms"
PAGE = (FOLDER / "index.md").read_text(encoding="utf-8")
PICTURE = re.compile(r"!\[[^]]+\]\(([^)]+)\)")


def test_every_recipe_has_its_rows() -> None:
    linked = re.findall(r"^\| \[`([^`]+)`\]\(\w+\.md\) \|", PAGE, re.MULTILINE)
    measured = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    assert sorted(linked) == sorted(measured) == sorted(RECIPES)


@pytest.mark.parametrize("algorithm", RECIPES)
def test_every_recipe_has_a_page(algorithm: str) -> None:
    text = (FOLDER / f"{algorithm.replace('+', '_plus')}.md").read_text(encoding="utf-8")
    assert f"`{algorithm}`" in text.splitlines()[0]
    for part in ("## The rule", "## How it converges", "## Source", "**Deviations**"):
        assert part in text
    (picture,) = PICTURE.findall(text)
    assert picture.endswith(f"/curve_{algorithm.replace('+', '_plus')}.svg")
    curve = (FOLDER / picture).read_text(encoding="utf-8")
    assert "Leduc" in curve


@pytest.mark.parametrize("kind", KINDS)
def test_every_sampler_has_a_page_with_a_curve(kind: str) -> None:
    name = f"mccfr-{kind}"
    (page,) = (p for p in FOLDER.glob("mccfr-*.md") if f"`{name}`" in p.read_text().split("\n")[0])
    text = page.read_text(encoding="utf-8")
    assert any(name in target for target in PICTURE.findall(text))
    assert ("**Deviations**" in text) == (kind != "outcome-seed")  # which is no published method


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
