"""FEN, fog FEN, UCI and SAN readers: exact on what is right, one clear line on everything else."""

from __future__ import annotations

import chess
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fogtree._core import FogChessPosition, fog_chess_write_uci
from fogtree.errors import NotationError
from fogtree.games.fog_chess.observation import FogObservation
from fogtree.games.fog_chess.rules import START_FEN, read_fen
from tests.support.fog_chess_oracles import random_positions

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_fen_round_trip_and_key() -> None:
    for position, _ in random_positions(20_000, seed=31):
        again = read_fen(position.fen)
        assert again == position
        assert again.fen == position.fen
        assert again.key == position.key  # from nothing, and step by step


def test_board_equals_python_chess() -> None:
    for position, _ in random_positions(500, seed=32):
        board = chess.Board(position.fen)
        letters = [str(board.piece_at(square) or "") for square in range(64)]
        assert letters == [position.letter_at(square) for square in range(64)]


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("", "4 to 6 fields"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "at most one king"),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn cannot stand"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "home squares"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "make no sense"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
        ("4k3/8/8/8/8/8/8/4K3 w - e4 0 1", "en passant"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "just passed"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 extra", "4 to 6 fields"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "8 rows of 8: rank 1 has more than 8 squares"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 rows of 8: it has 7"),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "8 rows of 8: it has more"),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "8 rows of 8: rank 7 has more than 8 squares"),
        ("4k3/8/7/8/8/8/8/4K3 w - - 0 1", "8 rows of 8: rank 6 has only 7 squares"),
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "8 rows of 8: rank 1 has only 7 squares"),
        ("4k3/0/8/8/8/8/8/4K3 w - - 0 1", "unknown letter"),
        ("4k3/8/8/8/8/?7/8/4K3 w - - 0 1", "unknown letter"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "8 pawns"),
        ("4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1", "16 pieces"),
        ("4k3/8" * 100, "200 characters"),
    ],
)
def test_wrong_fens_are_refused_in_one_line(fen: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint) as caught:
        read_fen(fen)
    assert "\n" not in str(caught.value)


def test_short_fens_and_unneeded_en_passant_squares_are_read() -> None:
    assert read_fen("4k3/8/8/8/8/8/8/4K3 w - -").fen == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert read_fen(after_e4).fen == after_e4.replace("e3", "-")


ANYTHING = st.text(st.characters(), max_size=60)  # half surrogate pairs as well
NEAR_FENS = st.text(alphabet="rnbqkpRNBQKP12345678/ wbKQkq-?#0\0é", max_size=90)


@settings(max_examples=1000, deadline=None)
@given(st.one_of(NEAR_FENS, ANYTHING))
@example(START_FEN)
@example("\udcff")
@example("4k3/8/8/8/8/8/8/4K3 w - - 0 1\0")
@example("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999")
def test_any_text_as_fen_is_read_or_refused(text: str) -> None:
    for reader in (read_fen, FogObservation.from_fog_fen):
        try:
            value = reader(text)
        except NotationError as error:
            complaint = str(error)
        else:
            complaint = ""
            again = value.fen if isinstance(value, FogChessPosition) else value.fog_fen
            assert reader(again) == value
        assert complaint.isprintable()


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    letters = list(text)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(letters) - 1))
        letters[place] = draw(st.sampled_from(["", "8", "k", "P", "/", " ", "-", "?", "#", "w"]))
    return "".join(letters)


@pytest.mark.long
@settings(max_examples=1000, deadline=None)
@given(damaged(KIWIPETE))
def test_damaged_fens_give_playable_positions_or_errors(text: str) -> None:
    try:
        position = read_fen(text)
    except NotationError:
        return
    assert read_fen(position.fen) == position
    assert len(position.moves()) == position.count_moves()
    for move in position.moves():
        child = position.play(move)
        assert read_fen(child.fen).key == child.key


NEAR_MOVES = st.text(alphabet="abcdefgh12345678NBRQKxO0-=+#:qnrb ", max_size=9)


@settings(max_examples=1000, deadline=None)
@given(st.one_of(NEAR_MOVES, ANYTHING), st.sampled_from([START_FEN, KIWIPETE]))
@example("\udcff", START_FEN)
@example("e2e4\0", START_FEN)
def test_any_text_as_move_is_read_or_refused(text: str, fen: str) -> None:
    position = FogChessPosition(fen)
    for read in (position.read_uci, position.read_san):
        try:
            move = read(text)
        except ValueError as error:
            complaint = str(error)
        else:
            complaint = ""
            assert move in position.moves()
            assert fog_chess_write_uci(move) in position.uci_moves()
        assert complaint.isprintable()
