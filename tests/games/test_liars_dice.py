"""Liar's dice by its own rules."""

from __future__ import annotations

import pytest

from fogtree import load_game
from tests.support.history_walk import measure


@pytest.mark.parametrize("sides", [2, 3, 6])
def test_sizes_by_a_formula(sides: int) -> None:
    """Bids rise, so those made are any set of the 2 * sides bids; "liar" ends all but the empty
    one. With six sides these are also OpenSpiel 2.0.2's numbers: 294,883, 147,420 and 12,288."""
    rolls, sets = sides**2, 2 ** (2 * sides)
    histories = 1 + sides + rolls * (2 * sets - 1)
    expected = (histories, rolls * (sets - 1), [sides * sets // 2] * 2)
    assert measure(load_game(f"liars_dice(sides={sides})")).row() == expected
    if sides == 6:
        assert expected == (294_883, 147_420, [12_288, 12_288])
