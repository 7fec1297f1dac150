"""Games on disk: writing a step waits for no disk, and nothing is lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

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
