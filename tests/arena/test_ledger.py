"""A match that was stopped goes on where it was."""

from __future__ import annotations

import json
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import fogtree
from fogtree.agents import Budget
from fogtree.arena import Ledger, MatchResult, Terms, play_match
from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.game import FogChess
from fogtree.registry import load_game
from fogtree.search import search_settings
from fogtree.studies.ablation import study

CONDITION = {"game": "kuhn_poker", "seed": 5}


def played(file: Path, games: int, run: Any = map) -> MatchResult:
    with closing(Terms(deals_per_task=2, ledger=Ledger(file, CONDITION))) as terms:
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
    head, *games = file.read_text().splitlines()
    extended = json.loads(head) | {"place": None}
    file.write_text("\n".join([json.dumps(extended), *games, ""]))
    with pytest.raises(OptionError, match=r"other conditions \(place: null, not nothing\)"):
        Ledger(file, CONDITION)


def test_games_with_other_budgets_are_not_mixed(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    fogtree.match("kuhn_poker", "search", "random", games=2, budget=Budget(steps=5), file=file)
    with pytest.raises(OptionError, match="other conditions"):
        fogtree.match("kuhn_poker", "search", "random", games=2, budget=Budget(steps=9), file=file)


FOREIGN = [
    b"[]\n",
    b"3\n",
    b'{"fogtree": "game"}\n',
    b"x\n",
    b"\n",
    b"a note without an end",
    b"two lines\nand no end",
    b"{",
    b'{"fogtree": "arena"',
    b"\x89PNG\r\n\x1a\n\0\0\xff",
    bytes(range(256)),
    b"[" * 100_000 + b"\n",
]


@pytest.mark.parametrize("content", FOREIGN, ids=lambda content: repr(content[:20]))
def test_somebody_elses_file_is_refused_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(content)
    with pytest.raises(FileFormatError, match="not a fogtree arena file") as caught:
        Ledger(other, CONDITION)
    assert "\n" not in str(caught.value)
    assert other.read_bytes() == content
    with pytest.raises(FileFormatError, match="not a fogtree ablation file"):
        study("fog_chess", search_settings("fog_chess"), games=2, file=other)
    assert other.read_bytes() == content


def damaged_lines(line: str) -> dict[str, str]:
    """Lines that are not what an arena writes, by what is wrong with them."""

    def changed(**changes: Any) -> str:
        content = json.loads(line)
        for where, value in changes.items():
            if where in content:
                content[where] = value
            else:
                content["games"][0][where] = value
        return json.dumps(content)

    record = json.loads(line)["games"][0]["record"]
    return {
        "no keys": "{}",
        "no JSON": "{",
        "a list": "[1]",
        "huge deal": changed(deal=10**400) + " x",
        "a deal without an end": changed(deal=float("inf")),
        "one agent": changed(match=["random"]),
        "no games": changed(games=[]),
        "one game for two seats": changed(games=json.loads(line)["games"][:1]),
        "huge gain": changed(gain=10**400),
        "another gain": changed(gain=17),
        "no facts": changed(facts=3),
        "no record": changed(record=None),
        "huge returns": changed(record={**record, "returns": [10**400, -1]}),
    }


@pytest.mark.parametrize("name", damaged_lines('{"games": [{"record": {}}]}'))
def test_a_damaged_line_is_named_and_left_as_it_is(name: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played(file, 4)
    lines = file.read_text().splitlines()
    lines[1] = damaged_lines(lines[1])[name]
    text = "\n".join(lines) + "\n" + lines[2][:40]  # and a last line that was cut off
    file.write_text(text)
    with pytest.raises(FileFormatError, match="line 2") as caught:
        Ledger(file, CONDITION)
    assert "\n" not in str(caught.value)
    assert file.read_text() == text


IMPOSSIBLE = {
    "no such step": ("record", "steps", ["a1a1"]),
    "a game that is not over": ("record", "steps", []),
    "another game": ("record", "game", "leduc_poker"),
    "other facts": ("facts", "turns", 17.0),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_game_that_cannot_be_is_not_counted(name: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played(file, 4)
    lines = file.read_text().splitlines()
    deal = json.loads(lines[2])
    where, key, value = IMPOSSIBLE[name]
    deal["games"][1][where][key] = value
    text = "\n".join([*lines[:2], json.dumps(deal)]) + "\n"
    file.write_text(text)
    with pytest.raises(FileFormatError, match="deal 1 of random - random: ") as caught:
        played(file, 12)
    assert "\n" not in str(caught.value)
    assert file.read_text() == text
    assert played(file, 2).games == 2  # of which nothing is wrong


def test_games_from_other_openings_are_not_counted(tmp_path: Path) -> None:
    kings = ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1")

    def played_from(*fens: str) -> MatchResult:
        starts = tuple(FogChess(fen=fen) for fen in fens)
        ledger = Ledger(tmp_path / "games.jsonl", {})
        with closing(Terms(starts, deals_per_task=1, ledger=ledger)) as terms:
            return play_match("fog_chess", "random", "random", games=4, seed=5, terms=terms)

    first = played_from(*kings)
    assert played_from(*kings) == first
    with pytest.raises(FileFormatError, match=r"deal 0 .*openings"):
        played_from(*reversed(kings))
    with pytest.raises(FileFormatError, match=r"deal 1 .*openings"):
        played_from(kings[0])


def test_a_last_line_that_is_not_a_part_of_ours_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played(file, 4)
    text = file.read_text() + "a note"
    file.write_text(text)
    with pytest.raises(FileFormatError, match="line 4"):
        Ledger(file, CONDITION)
    assert file.read_text() == text


def test_a_last_line_that_lacks_its_end_alone_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = played(file, 12)
    text = file.read_text()
    file.write_text(text.rstrip("\n"))
    calls: list[int] = []
    assert played(file, 12, counting(calls)) == whole
    assert not calls
    assert file.read_text() == text


def test_other_versions_and_folders_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played(file, 4)
    file.write_text(file.read_text().replace('"version": 1', '"version": 2', 1))
    with pytest.raises(FileFormatError, match="newer"):
        Ledger(file, CONDITION)
    with pytest.raises(FileFormatError, match="directory"):
        Ledger(tmp_path, CONDITION)
    empty = tmp_path / "empty"
    empty.touch()
    assert Ledger(empty, CONDITION).find("random", "random", 0, load_game("kuhn_poker")) is None
    assert empty.read_bytes() == b""  # until there is a game


def test_one_process_at_a_time_has_the_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    played(file, 4)
    first = Ledger(file, CONDITION)
    with pytest.raises(OptionError, match="is in use: another process is working on it"):
        Ledger(file, CONDITION)
    first.close()
    Ledger(file, CONDITION).close()


def test_of_two_that_begin_the_same_file_the_second_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    late = Ledger(file, CONDITION)  # there is no file yet
    played(file, 4)
    games = Ledger(file, CONDITION)
    found = games.find("random", "random", 0, load_game("kuhn_poker"))
    assert found is not None
    games.close()
    text = file.read_text()
    with pytest.raises(OptionError, match="made by another process meanwhile"):
        late.add("random", "random", 9, found)
    assert file.read_text() == text


def test_what_a_killed_process_left_beside_the_file_is_deleted(tmp_path: Path) -> None:
    file, left, other = (
        tmp_path / name for name in ("games.jsonl", ".games.jsonl.7.part", ".x.jsonl.7.part")
    )
    played(file, 4)
    left.touch()
    other.touch()
    Ledger(file, CONDITION).close()
    assert not left.exists()
    assert other.exists()


class InterruptedLedger(Ledger):
    """A ledger during whose writing Ctrl-C comes, once."""

    def add(self, *game: Any) -> None:
        super().add(*game)
        if len(self._deals) == 5:
            signal.raise_signal(signal.SIGINT)


def test_as_many_games_are_counted_as_are_kept(tmp_path: Path) -> None:
    """Ctrl-C between writing games and counting them waits until they are counted."""
    file = tmp_path / "games.jsonl"
    counts: list[int] = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    terms = Terms(deals_per_task=2, ledger=InterruptedLedger(file, CONDITION))
    try:
        with closing(terms), pytest.raises(KeyboardInterrupt):
            play_match(
                "kuhn_poker",
                "random",
                "random",
                games=40,
                seed=5,
                progress=counts.append,
                terms=terms,
            )
    finally:
        signal.signal(signal.SIGINT, before)
    kept = sum(len(json.loads(line)["games"]) for line in file.read_text().splitlines()[1:])
    assert sum(counts) == kept == 12
