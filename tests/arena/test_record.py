"""Records of games: written, read back, replayed, and refused where they do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fogtree import load_game
from fogtree.agents import (
    RandomAgent,
)
from fogtree.arena import (
    GameRecord,
    play_game,
    play_match,
    read_record,
    read_records,
    replay,
    write_records,
)
from fogtree.errors import FileFormatError


@pytest.fixture
def line() -> dict[str, Any]:
    game = load_game("cambia")
    record = play_game(game, [RandomAgent(), RandomAgent()], seed="1").record
    document: dict[str, Any] = json.loads(record.to_json())
    return document


def test_records_travel_through_files(tmp_path: Path) -> None:
    match = play_match("cambia", "greedy", "random", games=10, keep_records=True)
    file = write_records(tmp_path / "games.jsonl", match.records)
    assert tuple(read_records(file)) == match.records
    for record in match.records:
        assert list(replay(record))[-1].returns() == list(record.returns)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fogtree": "run"}, "not a game record of fogtree"),
        ({"version": 9}, "newer fogtree"),
        ({"steps": "draw"}, "steps must be a list of texts"),
        ({"returns": ["x", 1]}, "returns must be a number, not 'x'"),
        ({"game": 3}, "game must be a text"),
    ],
)
def test_foreign_records_are_refused(line: dict[str, Any], change: Any, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_record(json.dumps(line | change))


def test_what_is_not_a_record(tmp_path: Path) -> None:
    for text in ("", "[]", "null", "{", "\x00"):
        with pytest.raises(FileFormatError):
            read_record(text)
    (tmp_path / "x").write_text("{}\n")
    with pytest.raises(FileFormatError, match="line 1"):
        list(read_records(tmp_path / "x"))
    with pytest.raises(FileFormatError, match="there is no file"):
        list(read_records(tmp_path / "nothing"))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("cut", "stops before the game is over"),
        ("longer", "goes on after the game is over"),
        ("other", r"step 11 of this game record, 'fly\\naway', is not possible"),
        ("returns", "other returns"),
        ("foreign", "step 1 of this game record, 'player . starts', is not possible"),
        ("seats", "has 3 agents; cambia has 2"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(
    line: dict[str, Any], kind: str, message: str
) -> None:
    steps, returns = line["steps"], line["returns"]
    changed = {
        "cut": {"steps": steps[:-1]},
        "longer": {"steps": [*steps, "draw"]},
        "other": {"steps": [*steps[:10], "fly\naway", *steps[11:]]},
        "returns": {"returns": [-value + 0.5 for value in returns]},
        "foreign": {"game": "kuhn_poker"},
        "seats": {"agents": ["random"] * 3, "returns": [0, 0, 0]},
    }[kind]
    with pytest.raises(FileFormatError, match=message) as caught:
        list(replay(read_record(json.dumps(line | changed))))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"ended": "boredom"},
        {"ended": 1},
        {"ended": "time"},
        {"ended": "agreement", "resigned": 0},
    ],
)
def test_an_end_that_does_not_fit_is_refused(wrong: dict[str, object]) -> None:
    record = GameRecord("kuhn_poker", ("a", "b"), "", ("J", "Q"), (0.0, 0.0), ended="agreement")
    assert read_record(record.to_json()) == record
    assert len(list(replay(record))) == 3
    content = {**json.loads(record.to_json()), **wrong}
    with pytest.raises(FileFormatError, match=r"damaged: '?ended"):
        read_record(json.dumps(content))
