"""Real chess programs can use the engine: python-chess, and what cutechess sends."""

from __future__ import annotations

import random

import chess
import chess.engine
import pytest

from tests.support.fog_chess_clients import ENGINE, FogBoard, TextClient
from tests.support.processes import HANGS

CLOCK = chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01)


def engine(*options: str) -> chess.engine.SimpleEngine:
    return chess.engine.SimpleEngine.popen_uci([*ENGINE, *options], timeout=HANGS)


@pytest.mark.parametrize("board", [chess.Board(), FogBoard()])
def test_python_chess_plays_with_the_default_agent(board: chess.Board) -> None:
    with engine() as opened:
        assert opened.id["name"].startswith("fogtree ")
        assert opened.options["Agent"].default == "search"
        assert opened.options["Evaluator"].default == "net"
        limits = (chess.engine.Limit(nodes=500), chess.engine.Limit(time=0.05), CLOCK)
        for limit in (*limits, chess.engine.Limit(time=0.05)):
            result = opened.play(board, limit)
            assert result.move in board.legal_moves
            board.push(result.move)


def test_python_chess_plays_a_whole_game_of_fog_chess() -> None:
    board, moves = FogBoard(), 0
    with engine("--agent", "greedy") as opened:
        while not board.is_game_over(claim_draw=True) and moves < 60:
            result = opened.play(board, chess.engine.Limit(nodes=50), game=board)
            assert result.move in board.legal_moves
            board.push(result.move)
            moves += 1
    assert moves > 4


def test_a_king_that_can_be_taken_is_taken() -> None:
    board = FogBoard()
    for move in ("e2e4", "f7f6", "d1h5", "a7a6"):
        board.push_uci(move)
    with engine() as opened:
        result = opened.play(board, chess.engine.Limit(nodes=300))
    assert result.move == chess.Move.from_uci("h5e8")
    board.push(result.move)
    assert board.is_variant_end()


def test_in_plain_chess_it_answers_a_check() -> None:
    """The engine is in check; in Fog-of-War chess it could do as it likes."""
    rng = random.Random(5)
    with engine("--agent", "greedy") as opened:
        for _ in range(20):
            board = chess.Board()
            while not board.is_check() and not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
            if board.is_game_over():
                continue
            result = opened.play(board, chess.engine.Limit(nodes=20), game=object())
            assert result.move in board.legal_moves


def test_mate_in_plain_chess_is_the_end() -> None:
    with TextClient("--variant", "chess") as client:
        client.send("position startpos moves f2f3 e7e5 g2g4 d8h4", "go movetime 50")
        assert client.until("bestmove") == ["info string the game is over", "bestmove (none)"]


def test_several_lines() -> None:
    board = chess.Board()
    with engine() as opened:
        lines = opened.analyse(board, chess.engine.Limit(nodes=2000), multipv=3)
        assert len(lines) == 3
        first = [line["pv"][0] for line in lines]
        assert len(set(first)) == 3
        assert all(move in board.legal_moves for move in first)
        assert all(line["score"].relative.score() is not None for line in lines)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        (only,) = opened.analyse(
            board, chess.engine.Limit(nodes=500), multipv=3, root_moves=[first[1]]
        )
        assert only["pv"] == [first[1]]
        assert opened.analyse(board, chess.engine.Limit(nodes=500))["multipv"] == 1


def test_an_endless_analysis_is_stopped() -> None:
    board = chess.Board()
    with engine() as opened, opened.analysis(board) as analysis:
        for info in analysis:
            if info.get("nodes", 0) > 0:
                break
        analysis.stop()
        assert analysis.wait().move in board.legal_moves


def test_a_game_as_cutechess_sends_it() -> None:
    """Two games with a clock: the engine plays White and is answered from a list of moves."""
    replies = ["e7e5", "b8c6", "g8f6"]
    with TextClient() as client:
        client.send("uci")
        assert "option name Ponder type check default false" in client.until("uciok")
        client.send("isready")
        client.until("readyok")
        for variant in ("fogofwar", "chess"):
            client.send(f"setoption name UCI_Variant value {variant}")
            client.send("ucinewgame", "setoption name Ponder value false", "position startpos")
            client.send("isready")
            assert client.until("readyok") == ["readyok"]
            board, moves = FogBoard(), ""
            for number in range(3):
                clock = f"wtime {900 - 100 * number} btime 900 winc 10 binc 10"
                client.send(f"go {clock} movestogo {40 - number}")
                said = client.until("bestmove")
                assert not any("error" in line for line in said)
                board.push_uci(said[-1].split()[1])
                answer = chess.Move.from_uci(replies[number])
                reply = answer if answer in board.legal_moves else next(iter(board.legal_moves))
                board.push(reply)
                moves = " ".join(move.uci() for move in board.move_stack)
                client.send(f"position startpos moves {moves}")
        client.send("quit")
        assert client.status() == 0


@pytest.mark.long
@pytest.mark.parametrize(
    "before",
    [
        [],
        pytest.param(["uci"], marks=pytest.mark.slow),
        pytest.param(["position startpos"], marks=pytest.mark.slow),
        ["position startpos", "go infinite"],
        ["position startpos moves e2e4", "go wtime 90000 btime 90000"],
        ["position startpos moves e2e4 e7e5", "go ponder wtime 90000 btime 90000"],
        ["position startpos", "go movetime 50000", "stop", "go infinite"],
    ],
)
def test_quit_at_any_time(before: list[str]) -> None:
    with TextClient() as client:
        client.send(*before, "quit")
        assert client.status() == 0


def test_pondering_that_never_hits() -> None:
    """A program that ponders and then stops gets one move for each ``go``, and no more."""
    with TextClient() as client:
        client.send("position startpos moves e2e4 e7e5", "go ponder wtime 900 btime 900", "stop")
        client.until("bestmove")
        client.send("position startpos moves e2e4 d7d5", "go movetime 20")
        client.until("bestmove")
        client.send("isready")
        assert client.until("readyok") == ["readyok"]


def test_more_lines_or_other_rules_do_not_end_the_game() -> None:
    """What the engine knows of its game is kept when the program changes its output."""
    with TextClient() as client:
        client.send("setoption name Agent value belief-vote", "position startpos", "go nodes 100")
        client.until("bestmove")
        client.send("setoption name MultiPV value 4", "setoption name Move Overhead value 10")
        client.send("go nodes 100")
        said = client.until("bestmove")
        assert [line.split()[4] for line in said if " pv " in line] == ["1", "2", "3", "4"]
