"""Games on disk: writing a step waits for no disk, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.errors import FileFormatError
from fogtree.web.storage import GameSetup, SeatSetup, Step, Storage

SETUP = GameSetup("x", "kuhn_poker", (SeatSetup(key="k"), SeatSetup(agent="random")), "s", 0.0, "w")


def add_steps(storage: Storage, first: int, count: int) -> None:
    for number in range(first, first + count):
        storage.add_steps("x", number, [Step("action", "bet", 0, float(number))])


def test_only_a_checkpoint_moves_the_log_into_the_file(tmp_path: Path) -> None:
    file, log = tmp_path / "games.sqlite3", tmp_path / "games.sqlite3-wal"
    storage = Storage(file)
    storage.add_game(SETUP)
    storage.checkpoint()
    before = file.stat().st_size
    add_steps(storage, 0, 3000)
    assert file.stat().st_size == before
    grown = log.stat().st_size
    storage.checkpoint()
    assert file.stat().st_size > before
    add_steps(storage, 3000, 10)  # the log begins anew
    assert log.stat().st_size == grown
    storage.close()
    assert not log.exists()
    again = Storage(file)
    assert [step.at for step in again.steps("x")] == [float(n) for n in range(3010)]
    again.close()


def test_steps_are_written_during_checkpoints(tmp_path: Path) -> None:
    storage, over = Storage(tmp_path / "games.sqlite3"), threading.Event()
    storage.add_game(SETUP)

    def tidy_up() -> None:
        while not over.is_set():
            storage.checkpoint()

    tidying = threading.Thread(target=tidy_up)
    tidying.start()
    add_steps(storage, 0, 500)
    over.set()
    tidying.join()
    assert len(storage.steps("x")) == 500
    storage.close()


def test_of_finished_games_the_latest_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game that ended first goes first, with all that is stored about it; one that runs stays,
    however old it is."""
    storage = Storage(tmp_path / "games.sqlite3")
    for name in ("running", "late", "early", "last", "opened"):
        storage.add_game(replace(SETUP, id=name, spectator_key=name))
    storage.add_steps("running", 0, [Step("action", "bet", 0, 0.0)])
    for second, name in enumerate(("early", "late", "last"), 5):
        monkeypatch.setattr(time, "time", lambda second=second: second)
        storage.add_steps(name, 0, [Step("resign", "", 0, 0.0)], over=True)
    storage.add_analysis("early", 0, 1.0, [], 10)
    storage.add_game(replace(SETUP, id="next"), rematch_of="early")
    storage.add_opened(replace(SETUP, id="file"), [Step("resign", "", 0, 0.0)], 10)
    storage.remove_finished(3)
    assert storage.is_over("early")
    storage.remove_finished(2)
    kept = ("running", "late", "last", "opened", "next", "file")
    assert all(storage.find_game(name) is not None for name in kept)
    assert storage.find_game("early") is None
    assert (storage.steps("early"), storage.analysed_seats("early")) == ([], [])
    assert storage.rematch_of("early") is None
    storage.remove_finished(0, at_once=1)
    assert [storage.is_over(name) for name in ("late", "last", "file")] == [False, True, True]
    storage.remove_finished(0)
    assert not storage.is_over("last")
    assert len(storage.steps("running")) == 1
    storage.close()


def test_finished_games_of_an_earlier_version_go_first(tmp_path: Path) -> None:
    """It noted that a game was over, not when."""
    storage = Storage(tmp_path / "games.sqlite3")
    for name in ("old", "new"):
        storage.add_game(replace(SETUP, id=name))
        storage.add_steps(name, 0, [Step("resign", "", 0, 0.0)], over=True)
    storage.close()
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as file:
        file.execute("UPDATE games SET over = 1 WHERE id = 'old'")
        file.commit()
    storage = Storage(tmp_path / "games.sqlite3")
    storage.remove_finished(1)
    assert storage.find_game("old") is None
    assert storage.is_over("new")
    storage.close()


def changed(path: Path, question: str, *given: object) -> Storage:
    """The database after somebody else has changed it."""
    with closing(sqlite3.connect(path)) as file:
        file.execute(question, given)
        file.commit()
    return Storage(path)


def test_every_step_and_setup_has_a_checksum(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    storage = Storage(path)
    storage.add_game(SETUP)
    add_steps(storage, 0, 3)
    storage.close()
    storage = changed(path, "UPDATE steps SET step = replace(step, 'bet', 'bat') WHERE number = 1")
    with pytest.raises(FileFormatError, match="a game in the database is damaged"):
        storage.steps("x")
    storage.close()
    storage = changed(path, "DELETE FROM steps WHERE number = 1")
    with pytest.raises(FileFormatError, match="a game in the database is damaged"):
        storage.steps("x")
    storage.close()
    storage = changed(path, "UPDATE games SET setup = replace(setup, 'kuhn', 'kuhm')")
    with pytest.raises(FileFormatError, match="a game in the database is damaged"):
        storage.find_game("x")
    storage.close()


def test_games_of_version_0_1_0_have_none(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    storage = Storage(path)
    storage.add_game(SETUP)
    add_steps(storage, 0, 1)
    storage.close()
    storage = changed(path, "UPDATE games SET setup = ?", json.dumps(asdict(SETUP)))
    assert storage.find_game("x") == SETUP
    storage.close()
    step = Step("action", "pass", 1, 2.0)
    storage = changed(path, "UPDATE steps SET step = ?", json.dumps(asdict(step)))
    assert storage.steps("x") == [step]
    storage.close()
