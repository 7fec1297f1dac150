"""The moves that chess allows are those of python-chess."""

from __future__ import annotations

import random

import chess
import pytest

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.uci.chess_rules import chess_moves

FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1",  # castling out of check
    "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",  # through attack on one side
    "4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1",  # over b1, which may be attacked
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",  # mate
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  # stalemate
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2",  # taking en passant opens the line to the king
]


def expected(board: chess.Board) -> set[str]:
    return {move.uci() for move in board.legal_moves}


@pytest.mark.parametrize("fen", FENS)
def test_positions(fen: str) -> None:
    assert set(chess_moves(FogChessPosition(fen))) == expected(chess.Board(fen))


def test_random_games() -> None:
    rng = random.Random(11)
    for _ in range(6):
        board = chess.Board()
        for _ in range(60):
            found = set(chess_moves(FogChessPosition(board.fen())))
            assert found == expected(board), board.fen()
            if not found:
                break
            board.push_uci(rng.choice(sorted(found)))
