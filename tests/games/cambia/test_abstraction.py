"""Abstractions of Cambia: each is coarser than the one before, with the same legal actions."""

from __future__ import annotations

import random

import pytest

from fogtree.errors import UnknownNameError
from fogtree.games.cambia.abstraction import ABSTRACTIONS, abstract_key
from fogtree.registry import load_game
from tests.support.cambia_play import play


def test_each_forgets_more_than_the_one_before() -> None:
    game, generator = load_game("cambia(preset='tiny2', deck='A 2 6')"), random.Random(4)
    decisions = [s for _ in range(800) for s in play(game, generator) if s.player >= 0]
    finer: list[object] = [state.name() for state in decisions]
    for name in ABSTRACTIONS:
        keys = [
            abstract_key(name, state.observation(state.player), state.actions())
            for state in decisions
        ]
        assert len(set(keys)) < len(set(finer))
        for key, state in zip(keys, decisions, strict=True):
            assert key[0] == tuple(state.actions())  # type: ignore[index]
        if name != "no_history":  # the coarser key is a function of the finer one
            coarse = dict(zip(finer, keys, strict=True))
            assert all(coarse[fine] == key for fine, key in zip(finer, keys, strict=True))
        finer = list(keys)


def test_unknown_names_are_told() -> None:
    state = play(load_game("cambia"), random.Random(1))[12]
    with pytest.raises(UnknownNameError, match="abstraction of cambia"):
        abstract_key("nothing", state.observation(0), ())
