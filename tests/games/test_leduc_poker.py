"""Leduc poker by its own rules."""

from __future__ import annotations

import pytest

from fogtree import load_game
from tests.support.history_walk import measure


@pytest.mark.parametrize(
    ("spec", "row"),
    [
        ("leduc_poker", (9457, 5520, [468, 468])),
        ("leduc_poker(suit_isomorphism=True)", (1939, 1116, [144, 144])),
    ],
)
def test_sizes(spec: str, row: tuple[int, int, list[int]]) -> None:
    """Counted in OpenSpiel 2.0.2's game of the same rules."""
    assert measure(load_game(spec)).row() == row


@pytest.mark.parametrize("raises", [1, 2, 3])
def test_endings_by_a_formula(raises: int) -> None:
    """A round is checked through, or begun by either player with up to ``raises`` raises, of which
    the last is called or folded to."""
    called, folded = 1 + 2 * raises, 2 * raises
    private, public = 6 * 5, 4
    endings = private * (folded + called * public * (called + folded))
    assert measure(load_game(f"leduc_poker(raises={raises})")).endings == endings
