"""Moves and visible squares against OpenSpiel's dark chess and pyffish, position by position."""

from __future__ import annotations

import random

import chess
import pyffish
import pyspiel
import pytest

from fogtree._core import (
    FogChessPosition,
    fog_chess_captures,
    fog_chess_slider_attacks,
    fog_chess_write_uci,
)
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.rules import PRESETS, FogRules
from tests.support.fog_chess_oracles import dark_chess_state, fairy_fog, random_positions

OPENSPIEL_RULES = PRESETS["openspiel"]
FAIRY_RULES = PRESETS["fairy"]


def _board(position: FogChessPosition, player: int, rules: FogRules) -> str:
    return position.observation(player, rules.sight).fog_fen.split()[0]


def test_moves_equal_openspiel() -> None:
    _check_moves_against_openspiel(10_000, seed=10)


def test_captures_are_the_moves_that_python_chess_calls_so(kernel: str) -> None:
    """Captures, en passant among them, and promotions to a queen, in the order of all moves."""
    found = 0
    for position, _ in random_positions(2_000, seed=12):
        board = chess.Board(position.fen)
        wanted = []
        for move in position.moves():
            text = fog_chess_write_uci(move)
            seen = chess.Move.from_uci(text)
            if board.is_capture(seen) or text.endswith("q"):
                wanted.append(move)
        assert fog_chess_captures(position) == wanted, (position.fen, kernel)
        found += len(wanted)
    assert found > 4_000


@pytest.mark.slow
def test_moves_equal_openspiel_in_100_000_positions() -> None:
    _check_moves_against_openspiel(100_000, seed=1)


def _check_moves_against_openspiel(count: int, seed: int) -> None:
    for position, state in random_positions(count, seed):
        ours = {position.write_san(move).rstrip("#") for move in position.moves()}
        player = state.current_player()
        theirs = {
            state.action_to_string(player, action).rstrip("+#") for action in state.legal_actions()
        }
        assert len(ours) == position.count_moves() == len(theirs)
        assert ours == theirs, position.fen


def _check_moves_against_pyffish(count: int, seed: int) -> None:
    for position, _ in random_positions(count, seed):
        fen = position.fen
        theirs = pyffish.legal_moves("fogofwar", fen, [])
        assert set(position.uci_moves()) == set(theirs), fen
        assert len(position.moves()) == len(theirs)


@pytest.mark.long
def test_moves_equal_pyffish() -> None:
    _check_moves_against_pyffish(500, seed=2)


@pytest.mark.slow
def test_moves_equal_pyffish_in_100_000_positions() -> None:
    _check_moves_against_pyffish(100_000, seed=3)


def test_position_equals_openspiel_along_random_games() -> None:
    for position, state in random_positions(20_000, seed=4):
        assert position.fen == str(state)


def test_sight_equals_openspiel_but_for_what_a_double_push_shows_the_pusher() -> None:
    _check_sight_against_openspiel(20_000, seed=5)


@pytest.mark.slow
def test_sight_in_100_000_positions_equals_openspiel_but_for_the_pusher() -> None:
    _check_sight_against_openspiel(100_000, seed=8)


def _check_sight_against_openspiel(count: int, seed: int) -> None:
    differences = 0
    for position, state in random_positions(count, seed):
        for player in (0, 1):
            theirs = state.observation_string(1 - player).split()
            ours = _board(position, player, OPENSPIEL_RULES)
            # The usual rules show the same squares; they only mark those that block a pawn.
            assert _board(position, player, PRESETS["chesscom"]).replace("#", "?") == ours
            if theirs[0] == ours:
                continue
            # The documented difference: the side that has just pushed a pawn twice is shown where
            # it passed, and the square behind, if another of its pawns attacks the former.
            assert player != position.side, position.fen
            assert position.en_passant, position.fen
            passed = position.en_passant
            came_from = passed + 8 if player == 1 else passed - 8
            assert _squares_seen(theirs[0]) == _squares_seen(ours) | {passed, came_from}
            differences += 1
    assert differences > 0


def test_openspiel_tells_the_clock_and_the_pushers_en_passant_square_and_we_do_not() -> None:
    state = dark_chess_state("4k3/3pp3/8/2P5/8/8/8/4K3 b - - 7 9")
    position = FogChessPosition("4k3/3pp3/8/2P5/8/8/8/4K3 b - - 7 9")
    assert state.observation_string(0).split()[4:] == ["7", "9"]
    push = next(a for a in state.legal_actions() if state.action_to_string(0, a) == "d5")
    state.apply_action(push)
    position = position.play(position.read_san("d5"))
    assert state.observation_string(0).split()[3] == "d6"
    assert position.observation(1).fog_fen.split()[3:] == ["-", "b"]
    assert position.observation(0).fog_fen.split()[3:] == ["d6", "w"]


LOCKED = "knb5/pb1p4/p1pR4/p1R5/p7/p7/p7/R5K1 w - - 0 1"
"""After g1h1 Black has no move: its king and pieces are hemmed in by its own blocked pawns."""


def test_openspiel_calls_no_move_a_draw_and_our_usual_rules_a_loss() -> None:
    state = dark_chess_state(LOCKED)
    state.apply_action(next(a for a in state.legal_actions() if _san(state, a) == "Kh1"))
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    for rules, returns in (("openspiel", (0.0, 0.0)), ("chesscom", (1.0, -1.0))):
        ours = FogChess(rules=rules, fen=LOCKED).root().child("g1h1")
        assert ours.player == TERMINAL
        assert ours.returns() == returns


def test_fairy_stockfish_calls_no_move_a_draw_and_our_usual_rules_a_loss() -> None:
    assert pyffish.legal_moves("fogofwar", LOCKED, ["g1h1"]) == []
    assert pyffish.game_result("fogofwar", LOCKED, ["g1h1"]) == 0
    ours = FogChess(rules="fairy", fen=LOCKED).root().child("g1h1")
    assert (ours.player, ours.returns()) == (TERMINAL, (0.0, 0.0))


def test_python_chess_refuses_castling_out_of_and_through_attack_and_we_do_not() -> None:
    for attacked in ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "3r1rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1"):
        castles = {"e1g1", "e1c1"}
        assert not castles & {move.uci() for move in chess.Board(attacked).legal_moves}
        assert castles <= set(FogChessPosition(attacked).uci_moves())


def _san(state: pyspiel.State, action: int) -> str:
    text: str = state.action_to_string(state.current_player(), action)
    return text.rstrip("+#")


@pytest.mark.long
def test_sight_equals_fairy_stockfish_which_hides_the_en_passant_victim() -> None:
    _check_sight_against_fairy_stockfish(4_000, seed=6, every=8)


@pytest.mark.slow
def test_sight_in_100_000_positions_equals_fairy_stockfish_but_for_the_victim() -> None:
    _check_sight_against_fairy_stockfish(100_000, seed=9)


def _check_sight_against_fairy_stockfish(count: int, seed: int, every: int = 1) -> None:
    """Of the positions, all where a pawn has just moved two squares, and every so many others."""
    hidden = 0
    for number, (position, _) in enumerate(random_positions(count, seed)):
        if number % every and not position.en_passant:
            continue
        side = position.side
        theirs = fairy_fog(position)
        assert theirs == _board(position, side, FAIRY_RULES), position.fen
        if position.en_passant:
            passed = position.en_passant
            victim = passed - 8 if side == 0 else passed + 8
            ours = _squares_seen(_board(position, side, PRESETS["chesscom"]))
            assert ours == _squares_seen(theirs) | {victim}, position.fen
            hidden += victim not in _squares_seen(theirs)
    assert hidden > 0


def _squares_seen(board: str) -> set[int]:
    seen = set()
    for number, row in enumerate(board.split("/")):
        file = 0
        for letter in row:
            width = int(letter) if letter.isdigit() else 1
            if letter not in "?#":
                seen |= {8 * (7 - number) + file + step for step in range(width)}
            file += width
    return seen


@pytest.mark.parametrize(
    ("piece", "directions"),
    [
        ("rook", [(1, 0), (-1, 0), (0, 1), (0, -1)]),
        ("bishop", [(1, 1), (1, -1), (-1, 1), (-1, -1)]),
    ],
)
def test_slider_tables_equal_a_walk(
    piece: str, directions: list[tuple[int, int]], kernel: str
) -> None:
    generator = random.Random(7)
    for square in range(64):
        for _ in range(200):
            occupied = generator.getrandbits(64) & generator.getrandbits(64)
            reached = 0
            for right, up in directions:
                file, row = square % 8 + right, square // 8 + up
                while 0 <= file < 8 and 0 <= row < 8:
                    reached |= 1 << (8 * row + file)
                    if occupied >> (8 * row + file) & 1:
                        break
                    file, row = file + right, row + up
            assert fog_chess_slider_attacks(piece, square, occupied) == reached, kernel


def test_kernels_agree_on_every_mask(kernel: str) -> None:
    totals = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 3,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": 2,
    }
    for fen, depth in totals.items():
        nodes, checksum = FogChessPosition(fen).make_and_see(depth)
        assert (nodes, checksum) == _walk_and_see(FogChessPosition(fen), depth), kernel


def _walk_and_see(position: FogChessPosition, depth: int) -> tuple[int, int]:
    nodes = total = 0
    for move in position.moves():
        child = position.play(move)
        ours, theirs = child.sight(position.side), child.sight(child.side)
        nodes += 1
        total += child.key ^ ours[0] ^ ours[1] ^ theirs[0] ^ theirs[1]
        if depth > 1 and child.has_king(child.side):
            below = _walk_and_see(child, depth - 1)
            nodes, total = nodes + below[0], total + below[1]
    return nodes, total % 2**64
