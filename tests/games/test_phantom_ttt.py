"""Phantom tic-tac-toe by its own rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree.game import TERMINAL, Action
from fogtree.registry import load_game
from tests.support.history_walk import measure, play, states


@pytest.mark.parametrize("abrupt", [False, True])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_phantom_ttt_shows_own_tries_and_how_they_went(abrupt: bool, seed: int) -> None:
    game = load_game(f"phantom_ttt(rows=3, columns=3, max_plies=9, abrupt={abrupt})")
    board: dict[Action, int] = {}
    expected = ["", ""]
    *_, last = play(game, random.Random(seed))
    for state, action in zip(states(game, last.path), last.path, strict=False):
        assert [state.observation(0), state.observation(1)] == expected
        expected[state.player] += f" {action}?" if action in board else f" {action}"
        taken = board.setdefault(action, state.player) != state.player
        after = state.child(action).player
        assert after == TERMINAL or (after == state.player) == (taken and not abrupt)


@pytest.mark.parametrize(
    ("spec", "sizes"),
    [
        ("phantom_ttt(max_plies=4)", (28_465, 23_520, [65, 801])),
        pytest.param(
            "phantom_ttt(max_plies=5)", (416_545, 329_280, [4153, 801]), marks=pytest.mark.slow
        ),
    ],
)
def test_sizes(spec: str, sizes: tuple[int, int, list[int]]) -> None:
    """OpenSpiel has no such small board: this package's own count, so that it cannot drift."""
    assert measure(load_game(spec)).row() == sizes
    abrupt = f"{spec.removesuffix(')')}, abrupt=True)"
    assert measure(load_game(abrupt)).row()[0] > sizes[0]
