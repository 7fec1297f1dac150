"""What games send to a browser follows from what the seat has seen."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from fogtree.game import CHANCE, TERMINAL, State
from fogtree.games.fog_chess.game import FogChessState
from fogtree.registry import load_game
from fogtree.web.views import view_of


def _all_states(state: State) -> Iterator[State]:
    yield state
    if state.player == TERMINAL:
        return
    chance = state.player == CHANCE
    for action in [a for a, _ in state.chance()] if chance else state.actions():
        yield from _all_states(state.child(action))


def _random_states(state: State, seed: int) -> Iterator[State]:
    luck = random.Random(seed)
    for _ in range(200):
        yield state
        if state.player == TERMINAL:
            return
        chance = state.player == CHANCE
        options = [a for a, _ in state.chance()] if chance else list(state.actions())
        state = state.child(luck.choice(options))
    yield state


@pytest.mark.parametrize(
    "spec", ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker(ranks=2)", "liars_dice(sides=2)"]
)
def test_a_view_is_a_function_of_the_observation(spec: str) -> None:
    game = load_game(spec)
    view, sent = view_of(game), {}
    for state in _all_states(game.root()):
        for seat in range(game.players):
            text = json.dumps(view.seat_view(state, seat))
            over = state.player == TERMINAL
            key = (seat, state.observation(seat), over)
            assert sent.setdefault(key, text) == text
        json.dumps(view.full_view(state))


@pytest.mark.parametrize("spec", ["cambia", "cambia(players=3)", "cambia(preset='tiny2')"])
def test_a_view_of_cambia_has_no_card_that_the_seat_has_not_seen(spec: str) -> None:
    game = load_game(spec)
    view, sent = view_of(game), {}
    for seed in range(10):
        for state in _random_states(game.root(), seed):
            for seat in range(game.players):
                table = view.seat_view(state, seat)
                seen = state.observation(seat)
                assert sent.setdefault(seen, json.dumps(table)) == json.dumps(table)
                for hand, known in zip(table["hands"], seen.known, strict=True):
                    for card, number in zip(hand, known, strict=True):
                        assert (card["face"] is None) == (number < 0)
            if state.player >= 0:
                for action in state.actions():
                    assert view.action_label(state, action, state.player)


def test_a_view_of_chess_has_the_marks_of_the_observation_and_public_numbers() -> None:
    game = load_game("fog_chess")
    view = view_of(game)
    for seed in range(3):
        for ply, state in enumerate(_random_states(game.root(), seed)):
            assert isinstance(state, FogChessState)
            for seat in (0, 1):
                sent = view.seat_view(state, seat)
                seen = state.observation(seat)
                assert sent == {
                    "kind": "chess",
                    "marks": "".join(seen.marks()),
                    "mover": seen.side,
                    "side": seat,
                    "ply": ply,
                }
