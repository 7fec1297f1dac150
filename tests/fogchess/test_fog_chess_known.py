"""What a view alone says about the own moves is what the true position says."""

from __future__ import annotations

import random

import pytest

from fogtree.fogchess import PRESETS
from fogtree.fogchess.known import known_position
from fogtree.game import TERMINAL
from fogtree.games.fog_chess import FogChess

POSITIONS = (
    FogChess().fen,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


@pytest.mark.parametrize("rules", PRESETS)
def test_own_moves_and_their_notation_need_no_more_than_the_view(rules: str) -> None:
    dice = random.Random(5)
    checked = 0
    for number in range(16):
        state = FogChess(rules=rules, fen=POSITIONS[number % len(POSITIONS)]).root()
        for _ in range(120):
            if state.player == TERMINAL:
                break
            known = known_position(state.observation(state.player))
            true = {state.san(move): move for move in state.actions()}
            assert known.uci_moves() == list(state.actions())
            assert {known.write_san(known.read_uci(m)): m for m in known.uci_moves()} == true
            checked += 1
            state = state.child(dice.choice(state.actions()))
    assert checked > 500
