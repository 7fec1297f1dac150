"""Matching pennies by its own rules."""

from __future__ import annotations

import pytest

from fogtree import compile, equilibrium, load_game
from tests.support.history_walk import measure


def test_sizes() -> None:
    assert measure(load_game("matching_pennies")).row() == (7, 4, [1, 1])


def test_the_only_equilibrium() -> None:
    solution = equilibrium(compile(load_game("matching_pennies")))
    assert solution.value == pytest.approx(0.0, abs=1e-9)
    for name in ("row", "column"):
        assert list(solution.strategy[name].values()) == pytest.approx([0.5, 0.5], abs=1e-9)
