"""Network inputs of Cambia: invertible, and the same from the native engine as from Python."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fogtree import _core
from fogtree.games.cambia.cards import CODE, KING
from fogtree.games.cambia.features import Encoding, kind_number
from fogtree.games.cambia.game import Cambia, CambiaState
from fogtree.registry import load_game
from tests.support.cambia_play import play

TABLES = (
    {},
    {"profile": "competitive"},
    {"players": 3, "profile": "training"},
    {"players": 6},
    {"preset": "tiny2"},
    {"deck": "A 7 Q K", "jokers": 1, "hand": 2, "looks": 1, "max_turns": 300},
)


def all_seeing(state: CambiaState, player: int):
    view = state.observation(player)
    return replace(view, known=state.position.hands, drawn=state.position.drawn)


def decode_by_columns(game: _core.DeepCambia, codes: np.ndarray) -> np.ndarray:
    """As a program on an accelerator does it."""
    source, kind, argument, scale = game.columns()
    byte = codes[:, source].astype(np.int32)
    wide = byte + 256 * codes[:, np.minimum(source + 1, codes.shape[1] - 1)].astype(np.int32)
    number = np.where(kind == 3, wide, byte).astype(np.float32) / scale
    bits = np.where(kind == 0, byte == argument, byte >> argument & 1)
    return np.where(kind >= 2, number, bits.astype(np.float32))


@pytest.mark.parametrize("parameters", TABLES, ids=str)
def test_features_are_pythons(parameters):
    game = Cambia(**parameters)
    encoding, native = Encoding(game.rules), _core.DeepCambia(game.native_rules)
    assert native.feature_count == native.history_feature_count == encoding.size
    assert native.action_count == len(game.layout.texts)
    generator = random.Random(1)
    codes, expected, refills = [], [], 0
    for _ in range(6 if "deck" in parameters else 3):
        state, steps = game.root(), []
        while state.player != -2:
            position = state.position
            legal = position.legal() if state.player >= 0 else [o for o, _ in position.chance()]
            calm = [a for a in legal if a != 2] if state.player >= 0 else legal
            step = generator.choice(calm or legal)
            if generator.random() < 0.25 and state.player >= 0:
                for viewer in range(game.players):
                    codes.append(native.code(steps, viewer, False))
                    expected.append(encoding.encode(state.observation(viewer)))
                    codes.append(native.code(steps, viewer, True))
                    expected.append(encoding.encode(all_seeing(state, viewer)))
            steps.append(step)
            texts = game.layout.texts
            label = texts[step] if state.player >= 0 else state._outcome_text(step)
            state = state.child(label)
        refills += bool(state.refilled)
    assert len(codes) > 10
    if "deck" in parameters:
        assert refills  # or half of the numbers would never have been seen
    table = np.array(codes)
    assert table.shape[1] == native.code_bytes
    assert np.array_equal(native.decode(table), np.array(expected))
    assert np.array_equal(native.decode_history(table), np.array(expected))
    assert np.array_equal(decode_by_columns(native, table), np.array(expected))


@pytest.mark.parametrize("spec", ["cambia", "cambia(players=5, hand=3, profile='competitive')"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_features_have_an_inverse(spec: str, seed: int) -> None:
    game, generator = load_game(spec), random.Random(seed)
    assert isinstance(game, Cambia)
    encoding = Encoding(game.rules)
    for state in play(game, generator)[2:]:
        me = generator.randrange(game.players)
        view = state.observation(me)
        vector = encoding.encode(view)
        assert vector.shape == (encoding.size,)
        back = encoding.decode(vector)
        assert back == encoding.values(view)
        order = [(me + k) % game.players for k in range(game.players)]
        cards = iter(back["cards"])
        seen = iter(back["seen"])
        for player in order:
            hand = view.known[player]
            kinds = [next(cards) for _ in range(6)]
            assert kinds[: len(hand)] == [16 if c < 0 else kind_number(c) for c in hand]
            assert kinds[len(hand) :] == [15] * (6 - len(hand))
            for slot in range(6):
                bits = {q for q in order if next(seen)}
                who = view.seen[player][slot] if slot < len(hand) else 0
                assert bits == {q for q in order if who >> q & 1}
        assert back["phase"] == (view.phase,)
        assert back["turn"] == (view.turn,)
        assert back["stock"] == (view.stock,)
        assert (me + back["actor"][0]) % game.players == view.actor


def test_kinds_are_numbered_without_gaps() -> None:
    kinds = [kind_number(card) for card in range(54)]
    assert sorted(set(kinds)) == list(range(15))
    assert kind_number(CODE["KS"]) == KING
    assert kind_number(CODE["KH"]) == kind_number(CODE["KD"]) == KING + 1
    assert kind_number(CODE["XR"]) == kind_number(CODE["XB"]) == 14
