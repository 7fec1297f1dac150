"""Results of finished matches outlive the server; what is gone is said to be gone."""

from __future__ import annotations

import logging
import random
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from fogtree.web.storage import Storage, StoredJob
from tests.support.web_games import new_game, play_to_the_end, seat
from tests.support.web_jobs import events_until_end, refused, started, study_server


def test_the_result_of_a_match_outlives_the_server(tmp_path: Path) -> None:
    asked = {"game": "kuhn_poker", "agents": ["random", "equilibrium"], "games": 10}
    with study_server(tmp_path) as client:
        job = started(client, "/api/match", asked)
        events = events_until_end(client, job)
        storage = client.app.state.hub.storage  # type: ignore[attr-defined]
        while not storage.jobs():  # written right after the last event
            time.sleep(0.01)
        lab = {"game": "kuhn_poker", "algorithms": ["cfr"], "iterations": 10}
        solved = started(client, "/api/lab", lab)
        events_until_end(client, solved)
    with study_server(tmp_path) as client:
        found = client.get(f"/api/jobs/{job}").json()
        assert (found["status"], found["resumable"]) == ("done", False)
        assert found["new"] == events
        assert [one["id"] for one in client.get("/api/jobs").json()["jobs"]] == [job]
        pair = {"first": "random", "second": "equilibrium"}
        line = refused(client, f"/api/jobs/{job}/games", pair)
        assert line == "only the result of this match was kept when the server started again"
        gone = client.get(f"/api/jobs/{solved}")
        assert gone.status_code == 404
        assert "not on the server any more" in gone.json()["error"]


def overwritten(file: Path, table: str) -> None:
    """Overwrite the first page of a table in a database."""
    with closing(sqlite3.connect(file)) as database:
        question = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = database.execute(question, (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    content = bytearray(file.read_bytes())
    content[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(content)


def test_games_are_served_where_the_results_are_damaged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Storage(tmp_path / "games.sqlite3").close()
    overwritten(tmp_path / "games.sqlite3", "jobs")
    with caplog.at_level(logging.WARNING), study_server(tmp_path) as client:
        assert client.get("/api/jobs").json()["jobs"] == []
        made = new_game(client, "kuhn_poker", None, "random")
        with seat(client, made, 0) as socket:
            assert play_to_the_end(socket, random.Random(1))[-1]["type"] == "over"
    (line,) = [one.getMessage() for one in caplog.records if one.name == "fogtree.web"]
    assert line.startswith("results of earlier jobs are not shown: the database")


def test_a_damaged_result_is_left_out(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "games.sqlite3")
    for name in ("first", "second", "third"):
        storage.add_job(StoredJob(name, 1.0, "match", "a – b", [{"n": 1, "type": "ended"}]), 9)
    storage.close()
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as database:
        database.execute("UPDATE jobs SET created = 'today' WHERE id = 'first'")
        database.execute("UPDATE jobs SET events = 'x' WHERE id = 'third'")
        database.commit()
    with study_server(tmp_path) as client:
        assert [one["id"] for one in client.get("/api/jobs").json()["jobs"]] == ["second"]
