"""Training runs over the server's interface: started, watched, stopped, resumed."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("websockets", reason="needs the web app: pip install 'fogtree[web]'")

from starlette.testclient import TestClient

import fogtree
from fogtree.deep.checkpoint import TrainingFolder
from fogtree.system.path_lock import PathLock, fcntl, in_use
from fogtree.web.child_process import ChildProcess
from tests.support.web_jobs import SECONDS, events_until_end, refused, started, study_server
from tests.support.web_server import running

pytestmark = pytest.mark.long

SHORT = 0.02  # minutes
ASKED = {"game": "kuhn_poker", "minutes": SHORT, "walks": 100, "width": 32}
QUICK = {"steps": 10, "batch": 64}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A client of a server on which runs may be shorter than people would wish."""
    monkeypatch.setattr("fogtree.web.training._LEAST_MINUTES", SHORT)
    with study_server(tmp_path) as found:
        yield found


def runs_of(client: TestClient) -> dict[str, dict[str, Any]]:
    return {run["name"]: run for run in client.get("/api/runs").json()["runs"]}


def lines_of(client: TestClient, run: str) -> list[dict[str, float]]:
    answer = client.get("/api/runs/metrics", params={"run": run}).json()
    found: list[dict[str, float]] = answer.get("lines", [])
    return found


def wait_for_lines(client: TestClient, run: str, count: int) -> list[dict[str, float]]:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        lines = lines_of(client, run)
        if len(lines) >= count:
            return lines
        time.sleep(0.05)
    raise AssertionError("the run does not go on")


def test_a_run_is_trained_and_goes_on(client: TestClient, tmp_path: Path) -> None:
    job = started(client, "/api/training", ASKED)
    events = events_until_end(client, job)
    assert events[-1]["status"] == "done"
    assert events[0]["run"] == "kuhn_poker-1"
    result = next(event for event in events if event["type"] == "result")
    assert result["stopped"] == "seconds"
    lines = lines_of(client, "kuhn_poker-1")
    assert len(lines) == result["iterations"]
    assert any(key.startswith("losses.") for key in lines[0])
    assert runs_of(client)["kuhn_poker-1"]["kind"] == "training"
    manifest = TrainingFolder(tmp_path / "runs" / "kuhn_poker-1").manifest()
    assert manifest.options.network.hidden == (32, 32)
    assert manifest.options.traversal.traversals == 100
    more = started(client, "/api/training", {"resume": "kuhn_poker-1", "minutes": SHORT})
    assert events_until_end(client, more)[-1]["status"] == "done"
    later = lines_of(client, "kuhn_poker-1")
    assert later[: len(lines)] == lines
    assert later[-1]["seconds"] >= 2 * 60 * SHORT
    assert list(runs_of(client)) == ["kuhn_poker-1"]


def test_a_run_is_watched_stopped_and_resumed(client: TestClient) -> None:
    job = started(client, "/api/training", {**ASKED, "minutes": 60})
    wait_for_lines(client, "kuhn_poker-1", 2)
    assert runs_of(client)["kuhn_poker-1"]["job"] == job
    assert client.post(f"/api/jobs/{job}/pause").status_code == 400
    client.post(f"/api/jobs/{job}/stop")
    assert events_until_end(client, job)[-1]["status"] == "stopped"
    before = lines_of(client, "kuhn_poker-1")
    assert runs_of(client)["kuhn_poker-1"]["iteration"] == len(before)  # saved to the last one
    assert runs_of(client)["kuhn_poker-1"]["job"] is None
    assert client.post(f"/api/jobs/{job}/resume").json()["status"] == "running"
    after = wait_for_lines(client, "kuhn_poker-1", len(before) + 2)
    assert after[: len(before)] == before
    client.post(f"/api/jobs/{job}/stop")
    assert events_until_end(client, job)[-1]["status"] == "stopped"


def test_a_run_is_stopped_while_it_starts(tmp_path: Path) -> None:
    """The process ends by itself, also under a server that ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        order = {"game": "kuhn_poker", "folder": str(tmp_path / "run"), "seconds": 3600.0}
        text = json.dumps({**order, "iterations": 10**6, "options": None})
        with ChildProcess("fogtree.web.training_process", [text], tmp_path) as process:
            process.ask_to_end()
            end = time.monotonic() + SECONDS
            while process.running and time.monotonic() < end:
                process.next_line(0.1)
            assert not process.running
            assert process.status == 0
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="no list of locks to wait by")
def test_a_run_is_saved_when_its_server_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "kuhn_poker-1"

    def lines() -> list[str]:
        file = folder / "metrics.jsonl"
        return file.read_text().splitlines() if file.exists() else []

    with running(tmp_path / "web.sqlite3") as server:
        server.post("/api/training", {**ASKED, "minutes": 60})
        end = time.monotonic() + SECONDS
        while len(lines()) < 2 and time.monotonic() < end:
            time.sleep(0.05)
    while in_use(folder) and time.monotonic() < end:  # the server was killed
        time.sleep(0.05)
    assert not in_use(folder)
    assert TrainingFolder(folder).manifest().iteration == len(lines()) >= 2


def test_a_run_of_the_command_line_is_seen_and_goes_on(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "inner" / "mine"
    options = {"run": {"iterations": 3}, "regret": QUICK, "average": QUICK}
    fogtree.train("kuhn_poker", options, folder=folder)
    assert runs_of(client)["inner/mine"]["running"] is False
    if fcntl is not None and Path("/proc/locks").exists():
        with PathLock(folder):
            assert runs_of(client)["inner/mine"]["running"] is True
            job = started(client, "/api/training", {"resume": "inner/mine", "minutes": 1})
            events = events_until_end(client, job)
            assert "another process is working on it" in events[-2]["why"]
    job = started(client, "/api/training", {"resume": "inner/mine", "minutes": SHORT})
    assert events_until_end(client, job)[-1]["status"] == "done"
    assert len(lines_of(client, "inner/mine")) > 3


def test_metrics_are_on_disk_while_a_run_goes_on(tmp_path: Path) -> None:
    seen = []

    def look(report: Any) -> None:
        lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
        seen.append((report.iteration, len(lines)))

    quick = {"regret": QUICK, "average": QUICK, "evaluation": {"interval": 0}}
    fogtree.train("kuhn_poker", {**quick, "run": {"iterations": 2}}, folder=tmp_path, watch=look)
    assert seen[0] == (1, 1)
    assert json.loads((tmp_path / "metrics.jsonl").read_text().splitlines()[-1])["iteration"] == 2


@pytest.mark.parametrize(
    "change",
    [
        {"game": 3},
        {"game": "nothing"},
        {"game": "goofspiel(cards=13)"},
        {"minutes": 0},
        {"minutes": 1e9},
        {"minutes": "long"},
        {"walks": 0},
        {"walks": 1e9},
        {"width": 7},
        {"seed": -1},
        {"resume": "nothing"},
        {"resume": "../games"},
        {"resume": 3},
    ],
)
def test_wrong_requests_are_one_line(
    client: TestClient, tmp_path: Path, change: dict[str, Any]
) -> None:
    refused(client, "/api/training", {**ASKED, **change})
    assert not (tmp_path / "runs").exists()


def test_only_training_runs_go_on_here(client: TestClient, tmp_path: Path) -> None:
    fogtree.solve("kuhn_poker", iterations=10, save=tmp_path / "runs" / "solved")
    line = refused(client, "/api/training", {"resume": "solved", "minutes": 1})
    assert "not a training run" in line
