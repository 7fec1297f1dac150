"""Own moves and their notation, from a view alone, equal those of the true position."""

from __future__ import annotations

import random

import pytest

from fogtree._core import FogChessPosition
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.rules import PRESETS
from fogtree.games.fog_chess.visible_position import known_position

POSITIONS = (
    FogChess().fen,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)
KING_BEFORE_A_PAWN = (  # with all 16 pieces of the king's side seen, or before pawns
    "5nQ1/1Q5r/1rn1rR2/PbQ1bbbq/k6K/2r1P3/P1b3Qr/5bQb w - - 0 1",
    "5BqB/p1B3qR/2R1p3/K6k/pBq1BBBQ/1RN1Rr2/1q5R/5Nq1 b - - 0 1",
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


def notation(position: FogChessPosition) -> list[str]:
    return [position.write_san(position.read_uci(move)) for move in position.uci_moves()]


@pytest.mark.parametrize("fen", KING_BEFORE_A_PAWN)
def test_a_king_before_a_pawn_when_all_pieces_are_known(fen: str) -> None:
    state = FogChess(fen=fen).root()
    known = known_position(state.observation(state.player))
    assert notation(known) == [state.san(move) for move in state.actions()]


def crowded(dice: random.Random) -> str:
    """All 32 pieces, White's mostly queens, who see much, and Black's king before a pawn."""
    squares = list(range(64))
    dice.shuffle(squares)
    pawn = dice.randrange(16, 56)
    board = {pawn: "P", pawn - 8: "k"}
    rest = [square for square in squares if square not in board]
    board |= dict(zip(rest, "KQQQQQQQQRRBBNN" + "q" + "rbn" * 4 + "rb", strict=False))
    text = "".join(board.get(square, "1") for square in range(64))
    rows = "/".join(text[start : start + 8] for start in range(0, 64, 8))
    return f"{rows} w - - 0 1"


@pytest.mark.parametrize("rules", PRESETS)
def test_own_moves_on_a_crowded_board(rules: str) -> None:
    dice = random.Random(6)
    for _ in range(300):
        state = FogChess(rules=rules, fen=crowded(dice)).root()
        known = known_position(state.observation(state.player))
        assert notation(known) == [state.san(move) for move in state.actions()]
