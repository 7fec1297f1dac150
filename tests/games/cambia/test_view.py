"""A player of Cambia sees everything that it can know."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree.games.cambia.position import OVER
from fogtree.games.cambia.tokens import read_token
from fogtree.registry import load_game
from tests.support.cambia_play import play

SPECS = (
    "cambia(snap_window='always', cambia_from_round=2)",
    "cambia(profile='competitive')",
    "cambia(snap_window='always', players=3, hand=3, engine='python', cambia_from_round=1)",
    "cambia(deck='A 7 9 J K', hand=2, penalty=1, cambia_from_round=3)",
    "cambia(snap_window='always', profile='competitive', show_wrong_snap=False)",
)


@pytest.mark.parametrize("spec", SPECS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_what_was_seen_is_known_wherever_it_lies(spec: str, seed: int) -> None:
    """The drawn card and every look are in the view, and the view's cards are true."""
    game, generator = load_game(spec), random.Random(seed)
    for state in play(game, generator)[:-1]:
        hands = state.position.hands
        for player in range(game.players):
            view = state.observation(player)
            for known, true in zip(view.known, hands, strict=True):
                assert all(k in (-1, t) for k, t in zip(known, true, strict=True))
            token = read_token(state.event(player))
            looked = token.action >= 0 and "look" in state.game.layout.texts[token.action]
            if looked:
                shown = {card for hand in view.known for card in hand}
                assert set(token.cards) <= shown
            if state.player == player and state.position.phase == 1:
                assert view.drawn == state.position.drawn


def test_in_the_end_all_hands_are_turned_up() -> None:
    end = play(load_game("cambia"), random.Random(3))[-1]
    assert end.position.phase == OVER
    assert end.observation(0).known == end.position.hands
