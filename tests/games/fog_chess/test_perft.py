"""Perft against the numbers of Fairy-Stockfish, stored and live, and against OpenSpiel."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from fogtree._core import FogChessPosition
from tests.support.fog_chess_oracles import FAIRY_STOCKFISH, dark_chess_state, fairy_perft

GOLDEN = tomllib.loads((Path(__file__).parent / "data" / "perft.toml").read_text(encoding="utf-8"))[
    "position"
]
NAMES = [entry["name"] for entry in GOLDEN]


@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_perft_equals_the_stored_leaves(entry: dict[str, Any], kernel: str) -> None:
    position = FogChessPosition(entry["fen"])
    leaves = entry["leaves"]
    counted = [position.perft(depth) for depth in range(1, len(leaves) + 1)]
    assert counted == leaves, kernel


def test_perft_of_the_specification() -> None:
    start = FogChessPosition()
    assert [start.perft(depth) for depth in range(5)] == [1, 20, 400, 8902, 197742]


def check_against_fairy_stockfish(entry: dict[str, Any], depth: int, folder: Path) -> None:
    fen = entry["fen"]
    assert FogChessPosition(fen).perft(depth) == fairy_perft(fen, depth, folder)


@pytest.mark.skipif(FAIRY_STOCKFISH is None, reason="fairy-stockfish is not installed")
@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_perft_equals_fairy_stockfish_run_here(entry: dict[str, Any], tmp_path: Path) -> None:
    check_against_fairy_stockfish(entry, 4, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(FAIRY_STOCKFISH is None, reason="fairy-stockfish is not installed")
@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_deep_perft_equals_fairy_stockfish_run_here(entry: dict[str, Any], tmp_path: Path) -> None:
    """Six plies from the start, five from the others."""
    check_against_fairy_stockfish(entry, len(entry["leaves"]), tmp_path)


def openspiel_leaves(state: Any, depth: int) -> int:
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(openspiel_leaves(state.child(action), depth - 1) for action in actions)


@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_perft_equals_openspiel(entry: dict[str, Any]) -> None:
    assert openspiel_leaves(dark_chess_state(entry["fen"]), 3) == entry["leaves"][2]


@pytest.mark.slow
@pytest.mark.parametrize("entry", GOLDEN, ids=NAMES)
def test_deep_perft_equals_openspiel(entry: dict[str, Any]) -> None:
    """Six plies from the start, five from the others."""
    leaves = entry["leaves"]
    assert len(leaves) == (6 if entry["name"] == "start" else 5)
    assert openspiel_leaves(dark_chess_state(entry["fen"]), len(leaves)) == leaves[-1]


def test_perft_of_a_finished_game_is_zero() -> None:
    over = FogChessPosition("4k3/8/8/8/8/8/8/8 w - - 0 1")
    assert over.perft(0) == 1
    assert over.perft(1) == 0
    assert over.moves() == []
