"""Games of Cambia: cards dealt as a test wants them, and random play to the end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from fogtree.game import CHANCE, TERMINAL
from fogtree.games.cambia.game import CambiaState
from fogtree.registry import load_game


def play(game: Any, generator: random.Random) -> list[CambiaState]:
    states = [game.root()]
    while states[-1].player != TERMINAL:
        state = states[-1]
        if state.player == CHANCE:
            step = generator.choice([outcome for outcome, _ in state.chance()])
        else:
            step = generator.choice(state.actions())
        states.append(state.child(step))
    return states


def dealt(spec: str, starter: int, hands: Sequence[str], discard: str) -> CambiaState:
    """A game with these cards: ``hands`` are texts like ``"AS 2S"``."""
    game = load_game(spec)
    state: Any = game.root().child(f"player {starter} starts")
    for cards in zip(*(hand.split() for hand in hands), strict=True):
        for card in cards:
            state = state.child(card)
    return state.child(discard)


def after(state: CambiaState, *steps: str) -> CambiaState:
    for step in steps:
        state = state.child(step)
    return state
