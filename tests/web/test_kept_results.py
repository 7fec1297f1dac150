"""Results of finished matches outlive the server; what is gone is said to be gone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

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
