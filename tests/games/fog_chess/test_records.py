"""Records of Fog-of-War chess: both views, exact replay, and one clear error for anything else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fogtree.arena import (
    play_game,
    read_record,
    read_records,
    replay,
    with_views,
)
from fogtree.errors import FileFormatError, FogtreeError
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.registry import load_game
from tests.support.fog_chess_records import QUIET, RECORDS, Quitter
from tests.support.fog_chess_twins import twin_games


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
        ({"returns": [HUGE, -1]}, "returns must fit in 64 bits"),
        ({"returns": [-HUGE, 1]}, "returns must fit in 64 bits"),
        ({"returns": [float("nan"), 1]}, "returns must be finite"),
        ({"returns": [float("inf"), 1]}, "returns must be finite"),
        ({"returns": [True, -1]}, "returns must be a number, not True"),
        ({"returns": [-1.0]}, "other 'returns' than 'agents'"),
        ({"returns": [-1.0, 1.0, 0.0]}, "other 'returns' than 'agents'"),
        ({"returns": {}}, "list of numbers"),
        ({"agents": ["one"]}, "other 'returns' than 'agents'"),
        ({"agents": "ab"}, "list of texts"),
        ({"agents": ["a", "b", "c"], "returns": [0, 0, 0], "views": []}, "has 3 agents"),
        ({"agents": [], "returns": [], "views": []}, "has 0 agents"),
        ({"views": RECORDS[-1].views[:1]}, "other 'views' than 'agents'"),
        ({"views": "none"}, "views must be a list"),
        ({"views": [["x"], 3]}, "views must be a list of texts, not 3"),
        ({"resigned": HUGE}, "resigned must fit in 64 bits"),
        ({"resigned": 2}, "no seat 2"),
        ({"resigned": True}, "resigned must be a whole number"),
        ({"resigned": "white"}, "resigned must be a whole number"),
        ({"steps": [1, 2]}, "steps must be a text"),
        ({"steps": ["e2e4\n\x00"]}, "is not possible"),
        ({"steps": ["\ud800"]}, "is not possible"),
        ({"seed": 7}, "seed must be a text"),
        ({"game": None}, "game must be a text"),
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
    with pytest.raises(FileFormatError, match="there is no file"):
        list(read_records(tmp_path / "nothing"))


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
