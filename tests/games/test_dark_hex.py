"""Dark hex by its own rules."""

from __future__ import annotations

import random

import pytest

from fogtree.game import TERMINAL
from fogtree.games.dark_hex import DarkHex
from fogtree.registry import load_game, rules_of
from tests.support.history_walk import measure, play


def bits(*squares: str) -> int:
    return sum(DarkHex(rows=3, columns=3).squares[square] for square in squares)


@pytest.mark.parametrize(
    ("player", "chain", "won"),
    [
        (0, ("a1", "a2", "a3"), True),
        (0, ("b1", "a2", "a3"), True),  # a2 is at the upper left of b1
        (0, ("a1", "b2", "b3"), False),  # b2 is at the upper right of a1
        (0, ("a1", "b1", "c1"), False),  # one side only
        (1, ("a1", "b1", "c1"), True),
        (1, ("a3", "b2", "c1"), True),
        (1, ("a1", "b2", "c3"), False),
        (1, ("a1", "a2", "a3"), False),
    ],
)
def test_chains(player: int, chain: tuple[str, ...], won: bool) -> None:
    game = DarkHex(rows=3, columns=3)
    for last in chain:
        assert game.won(bits(*chain), player, bits(last)) == won


@pytest.mark.parametrize("spec", ["dark_hex(rows=3, columns=3)", "dark_hex(rows=4, columns=3)"])
def test_somebody_always_wins(spec: str) -> None:
    generator = random.Random(4)
    for _ in range(500):
        *_, last = play(load_game(spec), generator)
        assert last.state.player == TERMINAL
        assert last.state.returns() in ((1.0, -1.0), (-1.0, 1.0))


def test_sizes() -> None:
    """The same trees as OpenSpiel's, by tests/games/test_openspiel_oracle.py."""
    assert measure(load_game("dark_hex(columns=2)")).row() == (441, 216, [17, 53])
    assert measure(load_game("dark_hex")).row()[2] == [697, 1811]
    assert measure(load_game("dark_hex(abrupt=True)")).row()[2] == [4033, 2725]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("dark_hex", "if they share a side: b1 touches a1, c1, a2 and b2. You try a hexagon: "),
        ("dark_hex(rows=3)", "a side: b2 touches b1, c1, a2, c2, a3 and b3. "),
        ("dark_hex(rows=1, columns=1)", "if they share a side. "),
    ],
)
def test_the_rules_name_the_neighbours_of_a_hexagon(spec: str, words: str) -> None:
    assert words in rules_of(load_game(spec))
