"""Perft against the numbers of Fairy-Stockfish, stored and live, and against OpenSpiel."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from fog_chess_oracles import FAIRY_STOCKFISH, dark_chess_state, fairy_perft

from fogtree._core import FogChessPosition

GOLDEN = tomllib.loads(
    (Path(__file__).parents[1] / "perft" / "fog_chess.toml").read_text(encoding="utf-8")
)["position"]
NAMES = [entry["name"] for entry in GOLDEN]


@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_perft_equals_the_stored_leaves(entry: dict[str, object], kernel: str) -> None:
    position = FogChessPosition(entry["fen"])
    leaves = entry["leaves"]
    assert isinstance(leaves, list)
    counted = [position.perft(depth) for depth in range(1, len(leaves) + 1)]
    assert counted == leaves, kernel


def test_perft_of_the_specification() -> None:
    start = FogChessPosition()
    assert [start.perft(depth) for depth in range(5)] == [1, 20, 400, 8902, 197742]


@pytest.mark.skipif(FAIRY_STOCKFISH is None, reason="fairy-stockfish is not installed")
@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_perft_equals_fairy_stockfish_run_here(entry: dict[str, object], tmp_path: Path) -> None:
    fen = str(entry["fen"])
    assert FogChessPosition(fen).perft(4) == fairy_perft(fen, 4, tmp_path)


def test_perft_equals_openspiel() -> None:
    def leaves(state: object, depth: int) -> int:
        if depth == 0:
            return 1
        return sum(leaves(state.child(action), depth - 1) for action in state.legal_actions())

    for entry in GOLDEN:
        fen = entry["fen"]
        state = dark_chess_state(fen)
        assert leaves(state, 2) == FogChessPosition(fen).perft(2), fen


def test_perft_of_a_finished_game_is_zero() -> None:
    over = FogChessPosition("4k3/8/8/8/8/8/8/8 w - - 0 1")
    assert over.perft(0) == 1
    assert over.perft(1) == 0
    assert over.moves() == []
