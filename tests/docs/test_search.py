"""The tables of docs/explanation/search.md are what the commands print."""

from __future__ import annotations

import re

import pytest

from fogtree.agents import Budget
from fogtree.studies.safety import Condition, measure
from tests.support.paths import DOCS

PAGE = DOCS / "explanation" / "search.md"
GADGETS = ("both", "resolve", "maxmargin", "none")


def test_exploitability_in_kuhn_is_what_the_page_says():
    text = PAGE.read_text(encoding="utf-8")
    part = text[text.index("**kuhn_poker:") :]
    steps = re.search(r"([\d,]+) steps", part)
    row = re.search(r"^\| k = 2 \|(.*)\|.*\|$", part, re.MULTILINE)
    assert steps is not None
    assert row is not None
    told = [float(cell.split()[0]) for cell in row[1].split("|")]
    budget = Budget(steps=int(steps[1].replace(",", "")))
    found = [
        measure("kuhn_poker", Condition(2, False, gadget), budget, seeds=5).exploitability
        for gadget in GADGETS
    ]
    assert found == pytest.approx(told, abs=5.1e-5)  # four decimals
