"""Explanations as Markdown: the formulas with numbers put in add up."""

from __future__ import annotations

import re
from math import exp

import pytest

from fogtree import RECIPES
from fogtree.explanation import explain, words
from fogtree.explanation.markdown import markdown
from tests.support.games import compiled


@pytest.mark.parametrize("algorithm", RECIPES)
@pytest.mark.parametrize("deals", [("JQ", "QK", "JQ"), ()])
def test_markdown_substitutes_numbers_that_add_up(
    algorithm: str, deals: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every line ``name = expression = number`` is computed again. Twelve digits are shown for it,
    as with five the rounding of the parts would hide mistakes."""
    monkeypatch.setattr(words, "DIGITS", 12)
    text = markdown(explain(compiled("kuhn_poker"), algorithm, deals=deals, iterations=3))
    c, checked = 0.0, 0
    for line in text.splitlines():
        if found := re.search(r"gives   c = (\S+)", line):
            c = float(found[1])
        found = re.fullmatch(r"(?:EV|\S+\[\w+\])\s+= (.+) = (\S+)", line)
        if found and " a of " not in line and "R[a]" not in line:
            assert calculate(found[1], c) == pytest.approx(float(found[2]), rel=1e-8, abs=1e-10)
            checked += 1
    assert checked > 100


def calculate(expression: str, c: float) -> float:
    """Evaluates a line of the document."""
    text = expression.replace("×", "*").replace("²", "**2").replace("/2c", "/(2*c)")
    return float(eval(text, {"__builtins__": {}}, {"max": max, "exp": exp, "c": c}))
