"""Results of finished matches and solves outlive the server; what is gone is said to be gone."""

from __future__ import annotations

import logging
import random
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from fogtree.web.limits import Limits
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
        lab = {"game": "kuhn_poker", "algorithms": ["cfr"], "iterations": 10**7}
        running = started(client, "/api/lab", lab)
    with study_server(tmp_path) as client:
        found = client.get(f"/api/jobs/{job}").json()
        assert (found["status"], found["resumable"]) == ("done", False)
        assert found["new"] == events
        assert [one["id"] for one in client.get("/api/jobs").json()["jobs"]] == [job]
        pair = {"first": "random", "second": "equilibrium"}
        line = refused(client, f"/api/jobs/{job}/games", pair)
        assert line == "only the result of this match was kept when the server started again"
        gone = client.get(f"/api/jobs/{running}")
        assert gone.status_code == 404
        assert "not on the server any more" in gone.json()["error"]


LAB = {"game": "leduc_poker(ranks=2)", "algorithms": ["cfr", "cfr+"], "iterations": 20}


def looked_at(client: TestClient, job: str) -> list[Any]:
    """All that can be asked of the solutions of a solve."""
    root, ask = f"/api/jobs/{job}", client.get
    place = {"algorithm": "cfr+", "path": []}
    answers = [
        ask(f"{root}/equilibrium"),
        ask(f"{root}/strategy", params={"algorithm": "cfr+"}),
        ask(f"{root}/difference", params={"first": "cfr", "second": "cfr+"}),
        ask(f"{root}/infosets", params={"algorithm": "equilibrium"}),
        client.post(f"{root}/place", json=place),
    ]
    return [answer.json() for answer in answers]


def solved(folder: Path, **limits: int) -> tuple[str, list[Any]]:
    """A solve that has ended on a server that has ended too, and what there was to look at."""
    with study_server(folder, limits=Limits(**limits)) as client:
        job = started(client, "/api/lab", LAB)
        events_until_end(client, job)
        found = looked_at(client, job)
        storing = [one for one in threading.enumerate() if one.name == "job lab"]
        for thread in storing:  # it stores the solve right after the last event
            thread.join()
    return job, found


def test_the_solutions_of_a_solve_outlive_the_server(tmp_path: Path) -> None:
    job, found = solved(tmp_path)
    assert all("error" not in answer for answer in found)
    for _ in range(2):
        with study_server(tmp_path) as client:
            assert client.get(f"/api/jobs/{job}").json()["status"] == "done"
            assert looked_at(client, job) == found


def test_a_large_solve_does_not_outlive_the_server(tmp_path: Path) -> None:
    job, _ = solved(tmp_path, solution_bytes=100)
    with study_server(tmp_path) as client:
        assert client.get(f"/api/jobs/{job}").status_code == 404


DAMAGED = "this solve in the database is damaged"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ("UPDATE solutions SET strategy = x'00'", DAMAGED),
        ("UPDATE solutions SET strategy = 3", DAMAGED),
        ("UPDATE jobs SET events = x'789c8b8e0500011500b9'", DAMAGED),  # an empty list
        ("DELETE FROM solutions", "there is no solution yet"),
    ],
)
def test_a_damaged_solution_is_one_line(tmp_path: Path, change: str, line: str) -> None:
    job, _ = solved(tmp_path)
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as database:
        database.execute(change)
        database.commit()
    with study_server(tmp_path) as client:
        asked = {"algorithm": "cfr", "path": []}
        assert refused(client, f"/api/jobs/{job}/place", asked) == line


def test_only_the_solutions_of_kept_jobs_are_kept(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "games.sqlite3")
    for name in ("first", "second"):
        storage.add_job(StoredJob(name, 1.0, "lab", "", []), 1, {"cfr": name.encode()})
    assert storage.solutions("first") == {}
    assert storage.solutions("second") == {"cfr": b"second"}
    storage.close()


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
