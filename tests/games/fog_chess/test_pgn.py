"""Records and PGN: both views, exact replay, and one clear error for whatever else is in a file."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fogtree.agents import load_agent
from fogtree.agents.protocol import Agent, Decision, Observation, Resigned
from fogtree.arena import (
    GameRecord,
    play_game,
    read_record,
    read_records,
    replay,
    with_views,
)
from fogtree.errors import FileFormatError, FogtreeError
from fogtree.game import Game
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.pgn import PGN, read_pgn, write_pgn
from fogtree.registry import load_game
from tests.support.fog_chess_twins import Scripted, twin_games

OTHER_START = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 5"
QUIET = settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


class Quitter(Agent):
    """Resigns when its moves are played."""

    def __init__(self, *moves: str) -> None:
        self.name = 'the "quitter" \\'
        self.moves = list(moves)

    def start(self, game: Game, player: int, seed: str) -> None:
        """Nothing to prepare."""

    def observe(self, observation: Observation) -> None:
        """Nothing to see."""

    def act(self, budget: object = None) -> Decision:
        if not self.moves:
            raise Resigned
        return Decision(self.moves.pop(0))


def some_records() -> list[GameRecord]:
    records = []
    for number, game in enumerate(
        [FogChess(), FogChess("openspiel"), FogChess("fairy", OTHER_START)]
    ):
        names = ("greedy", "random") if number % 2 else ("random", "greedy")
        agents = [load_agent(name, game) for name in names]
        records.append(with_views(play_game(game, agents, seed=f"s{number}").record))
    quits = play_game(FogChess(), [Quitter("e2e4", "g1f3"), Scripted(["e7e5", "b8c6"])], seed="1")
    return [*records, with_views(quits.record)]


RECORDS = some_records()


def test_a_record_holds_both_views_and_replays_exactly() -> None:
    for record in RECORDS:
        again = read_record(record.to_json())
        assert again == record
        states = list(replay(again))
        assert [len(views) for views in record.views] == [len(states)] * 2
        for number, state in enumerate(states):
            assert isinstance(state, FogChessState)
            for player in (0, 1):
                assert record.views[player][number] == state.observation(player).fog_fen


def test_a_record_names_the_rules_also_where_they_are_the_usual_ones() -> None:
    for record, rules in zip(RECORDS, ("chesscom", "openspiel", "fairy", "chesscom"), strict=True):
        assert f'rules="{rules}"' in json.loads(record.to_json())["game"]
        game = load_game(record.game)
        assert isinstance(game, FogChess)
        assert game.rules == rules


def test_a_record_that_does_not_name_the_usual_rules_is_read_and_written_anew() -> None:
    old = json.loads(RECORDS[0].to_json()) | {"game": "fog_chess"}
    record = read_record(json.dumps(old))
    assert list(replay(record))
    assert load_game(record.game) == load_game(RECORDS[0].game)
    assert with_views(record) == RECORDS[0]


def test_one_side_of_a_record_depends_on_what_that_side_saw() -> None:
    for player in (0, 1):
        twins = twin_games(player, 5, 20)
        sides = []
        for line in (twins.first, twins.second):
            agents = [Quitter(*line[0::2]), Quitter(*line[1::2])]
            record = with_views(play_game(FogChess(), agents, seed="1").record)
            assert len(record.steps) == len(line)
            sides.append(record.views[player])
        assert twins.first != twins.second
        assert sides[0] == sides[1]


def test_resigning_is_in_the_record() -> None:
    record = RECORDS[-1]
    assert record.resigned == 0
    assert record.returns == (-1.0, 1.0)
    assert record.steps == ("e2e4", "e7e5", "g1f3", "b8c6")


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"resigned": None}, "stops before"),
        ({"resigned": 2}, "no seat 2"),
        ({"resigned": -1}, "no seat -1"),
        ({"returns": (1.0, -1.0)}, "other returns"),
        ({"steps": ("e2e4", "e7e5", "g1f3", "b8c5")}, "not possible"),
        ({"steps": ("e2e4", "e7e5", "g1f3")}, "other views than steps"),
        ({"steps": ("e2e4", "e7e5", "g1f3", "a7a6")}, "saw something else"),
        ({"views": (RECORDS[-1].views[1], RECORDS[-1].views[0])}, "saw something else"),
        ({"game": "kuhn_poker"}, "after step 0"),
        ({"game": "fog_chess(fen='x')"}, "FEN"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(changes: dict[str, object], part: str) -> None:
    with pytest.raises(FogtreeError, match=part):
        list(replay(replace(RECORDS[-1], **changes)))  # type: ignore[arg-type]


def test_a_resigned_game_that_was_over() -> None:
    with pytest.raises(FileFormatError, match="is over"):
        list(replay(replace(RECORDS[0], resigned=0)))


HUGE = 10**400


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"returns": [HUGE, -1]}, "'returns' is not finite"),
        ({"returns": [-HUGE, 1]}, "'returns' is not finite"),
        ({"returns": [float("nan"), 1]}, "'returns' is not finite"),
        ({"returns": [float("inf"), 1]}, "'returns' is not finite"),
        ({"returns": [True, -1]}, "list of numbers"),
        ({"returns": [-1.0]}, "other 'returns' than 'agents'"),
        ({"returns": [-1.0, 1.0, 0.0]}, "other 'returns' than 'agents'"),
        ({"returns": {}}, "list of numbers"),
        ({"agents": ["one"]}, "other 'returns' than 'agents'"),
        ({"agents": "ab"}, "list of texts"),
        ({"agents": ["a", "b", "c"], "returns": [0, 0, 0], "views": []}, "has 3 agents"),
        ({"agents": [], "returns": [], "views": []}, "has 0 agents"),
        ({"views": RECORDS[-1].views[:1]}, "other 'views' than 'agents'"),
        ({"views": "none"}, "'views' is not a list"),
        ({"views": [["x"], 3]}, "list of texts"),
        ({"resigned": HUGE}, "not a seat"),
        ({"resigned": 2}, "no seat 2"),
        ({"resigned": True}, "not a seat"),
        ({"resigned": "white"}, "not a seat"),
        ({"steps": [1, 2]}, "list of texts"),
        ({"steps": ["e2e4\n\x00"]}, "is not possible"),
        ({"steps": ["\ud800"]}, "is not possible"),
        ({"seed": 7}, "'seed' is not a text"),
        ({"game": None}, "'game' is not a text"),
        ({"game": "fog_chess(rules='mine')"}, "must be one of"),
        ({"game": "fog_chess(fen='\ud800')"}, "cannot read game"),
        ({"game": "fog_chess(fen='x\0y')"}, "cannot read game"),
        ({"game": "fog_chess" + "(" * 100_000}, "cannot read game"),
        ({"game": "chess"}, "unknown game"),
        ({"version": 2}, "newer"),
        ({"version": HUGE}, "newer"),
        ({"version": 0}, "no such 'version'"),
        ({"version": True}, "no such 'version'"),
        ({"version": 1.0}, "no such 'version'"),
        ({"version": None}, "no such 'version'"),
        ({"fogtree": "arena"}, "not a game record"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_record_with_a_wrong_field_is_one_clear_error(
    changes: dict[str, object], part: str
) -> None:
    text = json.dumps(json.loads(RECORDS[-1].to_json()) | changes)
    with pytest.raises(FogtreeError, match=part) as caught:
        list(replay(read_record(text)))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_files_of_records_name_the_file_and_the_game(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    good = RECORDS[-1].to_json()
    for content, part in (
        (f"{good}\n\n{{}}\n", "game 2, line 3: this line is not a game record"),
        (f"{good}\n{good[:50]}", "game 2, line 2: .* not JSON"),
        ("x" * 10_000_000, "game 1, line 1: .* not JSON"),
        ("[" * 1_000_000, "game 1, line 1: .* not JSON"),
        ("1" * 10_000, "game 1, line 1: "),
        ("\0\n", "game 1, line 1: .* not JSON"),
        (b"\xff\xfe", "UTF-8"),
    ):
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(FileFormatError, match=part) as caught:
            list(read_records(file))
        assert str(file) in str(caught.value)
        assert len(str(caught.value)) < len(str(file)) + 100
    file.write_text(f"\ufeff{good}\r\n \n\n{good}", encoding="utf-8")
    assert list(read_records(file)) == [RECORDS[-1]] * 2
    with pytest.raises(FileFormatError, match="directory"):
        list(read_records(tmp_path))
    with pytest.raises(FileFormatError, match="No such file"):
        list(read_records(tmp_path / "nothing"))


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


@QUIET
@given(st.data())
def test_a_damaged_record_is_one_clear_error(data: st.DataObject) -> None:
    line = data.draw(st.sampled_from(RECORDS[-2:])).to_json()
    content = json.loads(line)
    kind = data.draw(st.integers(0, 3))
    if kind == 0:
        cut = data.draw(st.integers(0, len(line)))
        text = line[:cut] + data.draw(st.text(max_size=8)) + line[cut + 3 :]
    elif kind == 1:
        text = data.draw(st.text(max_size=60))
    else:
        key = data.draw(st.sampled_from(sorted(content)))
        anything = st.recursive(
            st.none()
            | st.booleans()
            | st.integers()
            | st.just(10**400)
            | st.floats()
            | st.text(st.characters(), max_size=5),
            lambda inner: st.lists(inner, max_size=3),
        )
        content[key] = data.draw(anything)
        text = json.dumps(content)
    try:
        list(replay(read_record(text)))
    except FogtreeError as error:
        assert str(error)
        assert "\n" not in str(error).strip()


def test_pgn_there_and_back() -> None:
    text = "\n".join(write_pgn(record) for record in RECORDS)
    found = list(read_pgn(text))
    assert found == [replace(record, views=()) for record in RECORDS]
    for rules in ("chesscom", "openspiel", "fairy"):
        assert f'[Rules "{rules}"]' in text
    assert text.count('[Variant "fogofwar"]') == len(RECORDS)
    assert '[Termination "white resigned"]' in text
    assert max(map(len, text.splitlines())) <= 120


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
        ("1. e4 e5 1-0", "variant"),
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
