"""A match that was stopped goes on where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fogtree.arena import Ledger, MatchResult, Terms, play_match
from fogtree.errors import FileFormatError, OptionError

CONDITION = {"game": "kuhn_poker", "seed": 5}


def played(file: Path, games: int, run: Any = map) -> MatchResult:
    terms = Terms(deals_per_task=2, ledger=Ledger(file, CONDITION))
    return play_match(
        "kuhn_poker",
        "random",
        "random",
        games=games,
        seed=5,
        keep_records=True,
        run=run,
        terms=terms,
    )


def counting(calls: list[int]) -> Any:
    def run(play: Any, tasks: Any) -> Any:
        for task in tasks:
            calls.append(len(task.deals))
            yield play(task)

    return run


def test_only_what_is_missing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    plain = play_match(
        "kuhn_poker",
        "random",
        "random",
        games=24,
        seed=5,
        keep_records=True,
        terms=Terms(deals_per_task=2),
    )
    played(file, 12)
    calls: list[int] = []
    whole = played(file, 24, counting(calls))
    assert sum(calls) == 6
    assert whole == plain
    calls.clear()
    assert played(file, 24, counting(calls)) == plain
    assert not calls


def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = played(file, 12)
    text = file.read_text()
    file.write_text(text[: len(text) - 30])
    calls: list[int] = []
    assert played(file, 12, counting(calls)) == whole
    assert sum(calls) == 2
    assert file.read_text() == text


def test_other_files_and_other_conditions_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played(file, 4)
    with pytest.raises(OptionError, match="other conditions"):
        Ledger(file, {"game": "kuhn_poker", "seed": 6})
    for content in ("[]\n", "3\n", '{"fogtree": "game"}\n', "x\n", file.read_text() + "{}\n"):
        other = tmp_path / "other.jsonl"
        other.write_text(content)
        with pytest.raises(FileFormatError, match="not a file of an arena"):
            Ledger(other, CONDITION)
