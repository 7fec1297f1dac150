"""Files of puzzles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fogtree.arena.puzzles import Puzzle, PuzzleMove, read_puzzles, write_puzzles
from fogtree.errors import FileFormatError

PUZZLE = Puzzle(
    game="kuhn_poker",
    agents=("a", "b"),
    steps=("JK", "check"),
    played="check",
    positions=2,
    level=1,
    moves=(PuzzleMove("bet", 0.9, 1.5), PuzzleMove("check", 0.1, 1.0)),
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    write_puzzles(file, [PUZZLE, PUZZLE])
    assert read_puzzles(file) == (PUZZLE, PUZZLE)
    assert PUZZLE.gap == pytest.approx(0.5)
    assert PUZZLE.history().end.player == 1


def test_the_name_follows_from_game_and_steps() -> None:
    other = Puzzle(**{**PUZZLE.__dict__, "steps": ("QK", "check")})
    same = Puzzle(**{**PUZZLE.__dict__, "level": 3})
    assert same.id == PUZZLE.id != other.id


@pytest.mark.parametrize(
    "change", [{"fogtree": "game"}, {"moves": 3}, {"more": 1}, {"steps": None}]
)
def test_damaged_files_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_text(json.dumps({**json.loads(PUZZLE.to_json()), **change}))
    with pytest.raises(FileFormatError, match="line 1: this is not a puzzle"):
        read_puzzles(file)


def test_a_newer_format_is_named(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.jsonl"
    file.write_text(PUZZLE.to_json().replace('"version": 1', '"version": 7'))
    with pytest.raises(FileFormatError, match="format is 7, this fogtree reads 1"):
        read_puzzles(file)
