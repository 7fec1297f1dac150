"""Rock, paper, scissors by its own rules."""

from __future__ import annotations

import pytest

from fogtree import compile, equilibrium, load_game
from tests.support.history_walk import measure


def test_sizes() -> None:
    assert measure(load_game("rock_paper_scissors")).row() == (13, 9, [1, 1])


@pytest.mark.parametrize(("scissors", "mix"), [(1, (1, 1, 1)), (2, (2, 2, 1)), (3, (3, 3, 1))])
def test_the_only_equilibrium(scissors: int, mix: tuple[int, int, int]) -> None:
    """By hand: each choice is as likely as the other two's win against each other is worth."""
    tree = compile(load_game(f"rock_paper_scissors(scissors={scissors})"))
    solution = equilibrium(tree)
    assert solution.value == pytest.approx(0.0, abs=1e-9)
    for name in ("row", "column"):
        found = list(solution.strategy[name].values())
        assert found == pytest.approx([share / sum(mix) for share in mix], abs=1e-9)
