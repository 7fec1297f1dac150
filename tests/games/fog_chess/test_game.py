"""Fog-of-War chess as a game: endings, repetition, castling, en passant, presets, notation."""

from __future__ import annotations

import pickle
import random

import pytest

from fogtree.errors import FogtreeError, GameError, NotationError, OptionError
from fogtree.game import TERMINAL
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.registry import load_game


def play(game: FogChess, moves: str) -> FogChessState:
    state = game.root()
    for move in moves.split():
        state = state.child(move)
    return state


def test_start() -> None:
    root = FogChess().root()
    assert root.player == 0
    assert len(root.actions()) == 20
    assert root.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert root.outcome is None


def test_load_by_name() -> None:
    game = load_game('fog_chess(rules="openspiel")')
    assert isinstance(game, FogChess)
    assert str(game) == 'fog_chess(rules="openspiel")'
    assert game.preset.stalemate == "draw"
    with pytest.raises(OptionError):
        FogChess(rules="unheard of")
    with pytest.raises(NotationError):
        FogChess(fen="nonsense")


def test_capturing_the_king_wins_at_once() -> None:
    state = play(FogChess(), "e2e4 f7f6 d1h5 a7a6 h5e8")
    assert state.player == TERMINAL
    assert state.returns() == (1.0, -1.0)
    assert state.outcome is not None
    assert state.outcome.reason == "king captured"
    assert state.actions() == ()
    with pytest.raises(GameError):
        state.child("a6a5")


def test_a_king_may_move_into_attack_and_castle_through_it() -> None:
    state = FogChess(fen="4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1").root()
    assert {"e1g1", "e1c1", "e1f2", "e1f1"} <= set(state.actions())
    castled = state.child("e1g1")
    assert castled.fen.startswith("4k3/8/8/8/8/8/5r2/R4RK1 b -")


@pytest.mark.parametrize(
    ("rules", "returns"),
    [
        ("chesscom", (1.0, -1.0)),
        ("openspiel", (0.0, 0.0)),
        ("fairy", (0.0, 0.0)),
        ("stalemate-wins", (-1.0, 1.0)),
    ],
)
def test_no_move_left(rules: str, returns: tuple[float, float]) -> None:
    # Black's king, knight and bishops are hemmed in by their own pawns, which are all blocked.
    locked = FogChess(rules=rules, fen="knb5/pb1p4/p1pR4/p1R5/p7/p7/p7/R6K b - - 0 1").root()
    assert locked.player == TERMINAL
    assert locked.outcome is not None
    assert locked.outcome.reason == "no move left"
    assert locked.returns() == returns


def test_threefold_repetition_is_a_draw_by_itself() -> None:
    there_and_back = "g1f3 g8f6 f3g1 f6g8 "
    state = play(FogChess(), there_and_back * 2)
    assert state.returns() == (0.0, 0.0)
    assert state.repetitions == 3
    assert play(FogChess(), there_and_back).player == 0


def test_repetition_counts_rights_and_en_passant_that_can_be_taken() -> None:
    # After the first king move the rights are gone: the position before it does not count.
    kings = "e1e2 e8e7 e2e1 e7e8 "
    game = FogChess(fen="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert play(game, kings * 2).player == 0
    assert play(game, kings * 2 + "e1e2").player == 1
    assert play(game, kings * 2 + "e1e2 e8e7").player == TERMINAL
    # A double push that nobody can take does not make a position different.
    quiet = FogChess(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert quiet.root().child("e2e4").position.en_passant == 0


def test_fifty_moves_are_a_draw_by_themselves() -> None:
    game = FogChess(fen="4k3/8/8/8/8/8/8/R3K3 w - - 98 80")
    state = game.root().child("a1a2")
    assert state.player == 1
    state = state.child("e8e7")
    assert state.player == TERMINAL
    assert state.returns() == (0.0, 0.0)
    assert FogChess(fen="4k3/8/8/8/8/8/8/R3K3 w - - 99 80").root().child("a1a8").player == TERMINAL


def test_the_move_number_stops_where_it_cannot_be_written_any_more() -> None:
    state = FogChess(fen="4k3/8/8/8/8/8/8/R3K3 b - - 0 65534").root()
    numbers = []
    for move in ("e8e7", "a1a2", "e7e8", "a2a1", "e8e7"):
        state = state.child(move)
        numbers.append(int(state.fen.split()[5]))
        assert FogChess(fen=state.fen).root().position == state.position
    assert numbers == [65535] * 5


def test_capturing_the_king_on_the_hundredth_ply_wins() -> None:
    state = FogChess(fen="4k3/8/8/8/8/8/8/4RK2 w - - 99 80").root().child("e1e8")
    assert state.returns() == (1.0, -1.0)


def test_bare_kings_play_on() -> None:
    assert FogChess(fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1").root().player == 0


def test_wrong_actions_are_refused_and_change_nothing() -> None:
    root = FogChess().root()
    before = root.fen
    for wrong in ("e2e5", "e7e5", "e2", "", "e2e4q", "0000", "z9a1", None, 7):
        with pytest.raises(NotationError):
            root.child(wrong)
    assert root.fen == before


def test_san_round_trip_on_random_games() -> None:
    generator = random.Random(11)
    for _ in range(30):
        state = FogChess().root()
        while state.player != TERMINAL:
            for action in state.actions():
                assert state.read_san(state.san(action)) == action
            state = state.child(generator.choice(state.actions()))


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q"),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("Q6Q/8/4k3/8/8/8/8/Q3K3 w - - 0 1", "a1d4", "Qad4"),
        ("Q6Q/8/4k3/8/8/8/8/Q3K3 w - - 0 1", "a8a4", "Q8a4"),
        ("Q6Q/8/4k3/8/8/8/8/Q6K w - - 0 1", "a8d5", "Qd5"),
        ("4k3/8/8/1N3N2/8/8/8/1N2K3 w - - 0 1", "b5d4", "Nbd4"),
        ("3k4/8/8/1N3N2/8/8/8/1N2K3 w - - 0 1", "b1c3", "N1c3"),
        ("3k4/8/8/1N6/8/1N3N2/8/4K3 w - - 0 1", "b3d4", "Nb3d4"),
        ("4k3/8/8/8/7b/8/8/4K3 b - - 0 1", "h4e1", "Bxe1#"),
    ],
)
def test_san_examples(fen: str, uci: str, san: str) -> None:
    state = FogChess(fen=fen).root()
    assert state.san(uci) == san
    assert state.read_san(san) == uci


def test_ambiguous_san_is_refused() -> None:
    state = FogChess(fen="4k3/8/8/8/R7/8/8/R3K3 w - - 0 1").root()
    with pytest.raises(NotationError, match="more than one"):
        state.read_san("Ra3")


def test_states_and_views_pickle() -> None:
    state = play(FogChess(), "e2e4 d7d5 e4e5 f7f5")
    for player in (0, 1):
        view = state.observation(player)
        copy = pickle.loads(pickle.dumps(view))
        assert copy == view
        assert hash(copy) == hash(view)
        assert bytes(copy) == bytes(view)
    position = pickle.loads(pickle.dumps(state.position))
    assert position == state.position
    assert position.fen == state.fen


def test_errors_are_the_packages_own() -> None:
    assert issubclass(NotationError, FogtreeError)
