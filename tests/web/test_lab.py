"""The solver lab and the walk-through, over the server's interface."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from fogtree import explain
from fogtree.web.app import make_app
from fogtree.web.security import Access
from fogtree.web.storage import Storage


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    storage = Storage(tmp_path / "games.sqlite3")
    with TestClient(make_app(storage, access=Access(("testserver",)))) as found:
        yield found
    storage.close()


def events_of(client: TestClient, job: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for _ in range(600):
        answer = client.get(f"/api/jobs/{job}?since={len(events)}").json()
        events += answer["new"]
        if events and events[-1]["type"] == "ended":
            return events
        time.sleep(0.02)
    raise AssertionError("the job does not end")


def test_algorithms_converge_side_by_side(client: TestClient) -> None:
    asked = {"game": "kuhn_poker", "algorithms": ["cfr", "cfr+"], "iterations": 1000}
    job = client.post("/api/lab", json=asked).json()["id"]
    events = events_of(client, job)
    assert events[-1]["status"] == "done"
    for name in ("cfr", "cfr+"):
        points = [e for e in events if e["type"] == "point" and e["algorithm"] == name]
        assert [p["iteration"] for p in points] == [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        assert points[-1]["exploitability"] < 0.01
        assert points[-1]["value"] == pytest.approx(-1 / 18, abs=0.01)
    place = client.post(f"/api/jobs/{job}/place", json={"algorithm": "cfr+", "path": []}).json()
    assert place["outcomes"] == pytest.approx({"J": 1 / 3, "Q": 1 / 3, "K": 1 / 3})
    path = ["Q", "J", "check", "bet"]
    place = client.post(f"/api/jobs/{job}/place", json={"algorithm": "cfr+", "path": path}).json()
    assert place["infoset"] == "Qcb"
    assert sum(action["probability"] for action in place["actions"]) == pytest.approx(1)
    end = [*path, "fold"]
    place = client.post(f"/api/jobs/{job}/place", json={"algorithm": "cfr+", "path": end}).json()
    assert place["returns"] == [-1.0, 1.0]


def test_a_job_is_paused_resumed_and_stopped(client: TestClient) -> None:
    asked = {"game": "leduc_poker", "algorithms": ["cfr"], "iterations": 10_000_000}
    job = client.post("/api/lab", json=asked).json()["id"]
    assert client.post(f"/api/jobs/{job}/pause").json()["status"] == "paused"
    assert client.post(f"/api/jobs/{job}/resume").json()["status"] == "running"
    client.post(f"/api/jobs/{job}/stop")
    assert events_of(client, job)[-1]["status"] == "stopped"
    assert client.post(f"/api/jobs/{job}/pause").status_code == 400
    assert client.get("/api/jobs").json()["jobs"][0]["id"] == job


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "kuhn_poker", "algorithms": []},
        {"game": "kuhn_poker", "algorithms": ["cfr", "nothing"]},
        {"game": "nothing", "algorithms": ["cfr"]},
        {"game": "kuhn_poker", "algorithms": ["cfr"], "iterations": 10**30},
        {"game": "kuhn_poker", "algorithms": ["cfr"], "until": -1},
    ],
)
def test_wrong_requests_are_one_line(client: TestClient, asked: dict[str, Any]) -> None:
    answer = client.post("/api/lab", json=asked)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_the_walk_through_has_the_numbers_of_the_explanation(client: TestClient) -> None:
    asked = {"game": "kuhn_poker", "algorithm": "cfr+", "deals": ["JQ", "QK"]}
    walk = client.post("/api/walk", json=asked).json()
    steps = explain("kuhn_poker", "cfr+", deals=["JQ", "QK"]).steps
    assert [s["infoset"] for s in walk["steps"]] == [s.infoset for s in steps]
    assert [tuple(s["cumulative_regret"]) for s in walk["steps"]] == [
        s.cumulative_regret for s in steps
    ]
    assert all(len(step["sentences"]) == 3 for step in walk["steps"])
    assert client.post("/api/walk", json={**asked, "deals": ["XX"]}).status_code == 400
