"""PGN of Fog-of-War chess: both views, read back exactly, and one clear error otherwise."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogtree.arena.record_files import PlayedClock
from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.pgn import PGN, read_pgn, write_pgn
from fogtree.registry import load_game
from tests.support.fog_chess_records import QUIET, RECORDS


def test_files_of_pgn_name_the_file_and_the_game(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    good = write_pgn(RECORDS[-1])
    for content, part in (
        (f"{good}\n{good.replace('fogofwar', 'chess')}", "game 2: the variant is 'chess'"),
        (f'{good}\n[Variant "fogofwar"]\n1. e4 f6 2. Qh5 a6 3. Qxe8 0-1', "game 2: .* returns"),
        (f"{good}\n[Variant 7]", "game 2: "),
        ("x" * 10_000_000, "game 1: "),
        (b"\xff\xfe", "UTF-8"),
    ):
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(FileFormatError, match=part) as caught:
            list(PGN.read(file))
        assert str(file) in str(caught.value)
        assert len(str(caught.value)) < len(str(file)) + 100
    with pytest.raises(FileFormatError, match="directory"):
        list(PGN.read(tmp_path))
    file.write_bytes(b"")
    assert list(PGN.read(file)) == []


def test_pgn_there_and_back() -> None:
    text = "\n".join(write_pgn(record) for record in RECORDS)
    found = list(read_pgn(text))
    assert found == [replace(record, views=()) for record in RECORDS]
    for rules in ("chesscom", "openspiel", "fairy"):
        assert f'[Rules "{rules}"]' in text
    assert text.count('[Variant "fogofwar"]') == len(RECORDS)
    assert '[Termination "white resigned"]' in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("header", ["????.??.??", "1851.??.??", "", "21.06.1851", "x"])
def test_a_date_that_names_no_day_is_none(header: str) -> None:
    text = write_pgn(replace(RECORDS[-1], date="1851-06-21"))
    assert next(read_pgn(text)).date == "1851-06-21"
    assert next(read_pgn(text.replace("1851.06.21", header))).date is None


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize(("increment", "control"), [(2.0, "600+2"), (0.0, "600")])
def test_the_clock_of_a_game_is_read_by_another_program(
    views: bool, increment: float, control: str
) -> None:
    record = RECORDS[-1]
    left = [600.9 - 61 * number for number in range(len(record.steps))]
    clock = PlayedClock(600.0, increment, left)
    text = write_pgn(record, views=views, clock=clock)
    assert next(read_pgn(text)) == next(read_pgn(write_pgn(record)))
    game = chess.pgn.read_game(io.StringIO(text.replace('[Variant "fogofwar"]\n', "")))
    assert game is not None
    assert not game.errors
    assert game.headers["TimeControl"] == control
    shown = [max(0, int(seconds)) for seconds in left]
    assert [node.clock() for node in game.mainline()] == shown
    assert "{[%clk 0:10:00]" in text
    assert "{[%clk 0:08:59]" in text


def test_pgn_is_read_by_another_program() -> None:
    """python-chess knows no kings that are captured, so the game is one without checks."""
    text = write_pgn(RECORDS[-1]).replace('[Variant "fogofwar"]\n', "")
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == list(RECORDS[-1].steps)
    assert game.headers["Black"] == "scripted"
    assert game.headers["Result"] == "0-1"


def test_pgn_holds_both_views_after_every_ply_and_before_the_first() -> None:
    for record in RECORDS:
        text = " ".join(write_pgn(record).split())
        for player, color in enumerate(("white", "black")):
            assert tuple(re.findall(rf"\[%{color} ([^]]*)\]", text)) == record.views[player]


def test_verdicts_on_moves_are_glyphs_that_chess_programs_read() -> None:
    record = replace(RECORDS[-1], views=())
    for views in (True, False):
        text = write_pgn(record, views=views, signs=["", "??", "!", "?"])
        assert list(read_pgn(text)) == [record]
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        glyphs = [node.nags for node in game.mainline()]
        assert glyphs[:4] == [set(), {4}, {1}, {2}]
        assert not any(glyphs[4:])
    with pytest.raises(OptionError, match="signs of moves are !, \\?, !!, \\?\\?"):
        write_pgn(record, signs=["$9 {a comment}"])


def test_pgn_of_others_with_comments_and_variations() -> None:
    text = """\ufeff[Event "x"]
[Variant "Fog of War"]

1. e4 {a comment (with this} e5 $3 2. Nf3!? (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6 ; the rest
% escaped
3. Bb5 a6?? 1-0
"""
    (record,) = read_pgn(text)
    assert record.steps == ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
    assert record.resigned == 1
    assert load_game(record.game) == FogChess()


def test_pgn_of_others_with_zeros_for_castling_and_numbers_without_dots() -> None:
    moves = "1 e4 d5 2 Nf3 Nc6 3.Be2 Bf5 4.0-0! Qd7 5 Re1 0-0-0 6 a3 1-0"
    usual = "1. e4 d5 2. Nf3 Nc6 3. Be2 Bf5 4. O-O Qd7 5. Re1 O-O-O 6. a3 1-0"
    tag = '[Variant "fogofwar"]\n'
    (record,), (same,) = read_pgn(tag + moves), read_pgn(tag + usual)
    assert record == same
    assert (record.steps[6], record.steps[9], record.resigned) == ("e1g1", "e8c8", 1)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('[Variant "fogofwar"]\n1. e4 0-0-1', "cannot read"),
        ('[Variant "fogofwar"]\n1. e4 0-0 1-0', "0-0"),
        ('[Variant "fogofwar"]\n1 e4 e5 2', "without a result"),
        ("1. e4 e5 1-0", "Variant"),
        ('[Variant "chess"]\n1. e4 1-0', "variant"),
        ('[Variant "fogofwar"]\n1. e4 e5', "without a result"),
        ('[Variant "fogofwar"]\n1. e4 e5 *', "not over"),
        ('[Variant "fogofwar"]\n1. e4 e5 1/2-1/2', "before the game is over"),
        ('[Variant "fogofwar"]\n1. e4 Ke4 1-0', "Ke4"),
        ('[Variant "fogofwar"]\n1. e4 f6 2. Qh5 a6 3. Qxe8 0-1', "other returns"),
        ('[Variant "fogofwar"]\n1. e4 f6 2. Qh5 a6 3. Qxe8 a5 1-0', "over before"),
        ('[Variant "fogofwar"]\n[Rules "mine"]\n1. e4 1-0', "rules"),
        ('[Variant "fogofwar"]\n[FEN "mine"]\n1. e4 1-0', "FEN"),
        ('[Variant "fogofwar"]\n1. e4 ) 1-0', "did not begin"),
        ('[Variant "fogofwar"]\n1. e4 { 1-0', "cannot read"),
        ('[Variant "fogofwar\n1. e4 1-0', "cannot read"),
    ],
)
def test_pgn_that_cannot_be_read(text: str, part: str) -> None:
    with pytest.raises(FileFormatError, match=part) as caught:
        list(read_pgn(text))
    assert str(caught.value).startswith("game 1: ")
    assert "\n" not in str(caught.value)


@QUIET
@given(st.data())
def test_damaged_pgn_is_one_clear_error(data: st.DataObject) -> None:
    text = write_pgn(data.draw(st.sampled_from(RECORDS[-2:])))
    pieces = st.sampled_from(
        ['"', "[", "]", "{", "}", "(", ")", "\\", "$", "\n", "*", "1-0", "O-O", "e4", "%", ";"]
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + data.draw(pieces | st.text(max_size=3))
            + text[at + data.draw(st.integers(0, 9)) :]
        )
    try:
        list(read_pgn(text))
    except FileFormatError as error:
        assert str(error)
        assert "\n" not in str(error).strip()


@pytest.mark.parametrize(
    "noise",
    [
        "(" * 50_000,
        "{" * 50_000,
        '[a "' * 20_000,
        "[" * 50_000,
        '"' * 50_000,
        "1." * 50_000,
        "\\" * 50_000,
        '[a "' + "\\" * 50_000,
    ],
)
def test_long_noise_does_not_hang(noise: str) -> None:
    with pytest.raises(FileFormatError):
        list(read_pgn('[Variant "fogofwar"]\n' + noise))
