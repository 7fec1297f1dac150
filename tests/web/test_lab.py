"""The solver lab and the walk-through, over the server's interface."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

import fogtree
from fogtree import explain
from fogtree.web import lab
from tests.support.web_jobs import events_until_end, refused, started, study_server, wait_for


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with study_server(tmp_path) as found:
        yield found


def test_algorithms_converge_side_by_side(client: TestClient) -> None:
    asked = {"game": "kuhn_poker", "algorithms": ["cfr", "cfr+"], "iterations": 1000}
    job = client.post("/api/lab", json=asked).json()["id"]
    events = events_until_end(client, job)
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


def test_what_happens_once_is_not_time_of_the_first_algorithm(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []

    class Slow(lab.TabularSolver):
        """Works for a while in its first call for every algorithm."""

        def run(self, iterations: int) -> None:
            if self.recipe not in loaded:
                loaded.append(self.recipe)
                end = time.thread_time() + 0.2
                while time.thread_time() < end:
                    pass
            super().run(iterations)

    monkeypatch.setattr(lab, "TabularSolver", Slow)
    asked = {"game": "kuhn_poker", "algorithms": ["cfr", "cfr+"], "iterations": 10}
    events = events_until_end(client, started(client, "/api/lab", asked))
    assert len(loaded) == 2
    assert all(e["seconds"] < 0.2 for e in events if e["type"] == "point")


def test_a_job_is_paused_resumed_and_stopped(client: TestClient) -> None:
    asked = {"game": "leduc_poker", "algorithms": ["cfr"], "iterations": 10_000_000}
    job = client.post("/api/lab", json=asked).json()["id"]
    assert client.post(f"/api/jobs/{job}/pause").json()["status"] == "paused"
    assert client.post(f"/api/jobs/{job}/resume").json()["status"] == "running"
    client.post(f"/api/jobs/{job}/stop")
    assert events_until_end(client, job)[-1]["status"] == "stopped"
    assert client.post(f"/api/jobs/{job}/pause").status_code == 400
    assert client.get("/api/jobs").json()["jobs"][0]["id"] == job


def points_of(events: list[dict[str, Any]]) -> list[int]:
    return [event["iteration"] for event in events if event["type"] == "point"]


def test_a_stopped_job_goes_on_where_it_was(client: TestClient) -> None:
    asked = {"game": "leduc_poker", "algorithms": ["cfr"], "iterations": 10_000_000}
    job = started(client, "/api/lab", asked)
    wait_for(client, job, lambda events: len(points_of(events)) > 3)
    client.post(f"/api/jobs/{job}/stop")
    before = points_of(events_until_end(client, job))
    assert client.get(f"/api/jobs/{job}").json()["resumable"]
    assert client.post(f"/api/jobs/{job}/resume").json()["status"] == "running"
    events = wait_for(client, job, lambda events: len(points_of(events)) > len(before))
    assert points_of(events)[: len(before) + 1] == [*before, _following(before[-1])]
    assert sum(event["type"] == "compiled" for event in events) == 1
    client.post(f"/api/jobs/{job}/stop")
    assert events_until_end(client, job)[-1]["status"] == "stopped"
    assert client.post(f"/api/jobs/{job}/nothing").status_code == 400


def _following(number: int) -> int:
    return number * 5 // 2 if str(number).startswith("2") else number * 2


def test_a_job_that_is_done_cannot_be_resumed(client: TestClient) -> None:
    asked = {"game": "kuhn_poker", "algorithms": ["cfr"], "iterations": 10}
    job = started(client, "/api/lab", asked)
    assert events_until_end(client, job)[-1]["status"] == "done"
    assert client.post(f"/api/jobs/{job}/resume").status_code == 400


def test_a_solve_is_stopped_while_its_game_is_compiled(client: TestClient) -> None:
    """The game has a million histories, and is small enough to be compiled."""
    asked = {"game": "leduc_poker(ranks=10, raises=3)", "algorithms": ["cfr"]}
    job = started(client, "/api/lab", asked)
    wait_for(client, job, lambda events: [one["type"] for one in events] == ["compiling"])
    client.post(f"/api/jobs/{job}/stop")
    events = events_until_end(client, job)
    assert [event["type"] for event in events] == ["compiling", "ended"]
    assert events[-1]["status"] == "stopped"


@pytest.mark.parametrize("game", ["goofspiel(cards=13)", "battleship(height=5, width=5, shots=9)"])
def test_games_that_are_far_too_large_are_refused_at_once(client: TestClient, game: str) -> None:
    assert "too large" in refused(client, "/api/lab", {"game": game, "algorithms": ["cfr"]})
    why = refused(client, "/api/walk", {"game": game, "iterations": 1})
    name, _, parameters = game.capitalize().partition("(")
    assert why.startswith(f"{name} ({parameters} is too large to be solved here")
    assert client.get("/api/jobs").json()["jobs"] == []


@pytest.mark.parametrize("name", ["hearts", "chess", "go", "bridge", "backgammon"])
def test_large_games_of_another_library_are_refused_at_once(client: TestClient, name: str) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'fogtree[openspiel]'")
    asked = {"game": f"openspiel:{name}", "algorithms": ["cfr"], "agents": ["random", "search"]}
    for path in ("/api/lab", "/api/walk", "/api/match", "/api/training"):
        assert "too large" in refused(client, path, asked)
    assert client.get("/api/jobs").json()["jobs"] == []


@pytest.mark.parametrize("spec", ["efg:{}", " efg: '{}'", "openspiel:efg_game(filename={})"])
def test_files_of_the_server_are_not_read(client: TestClient, tmp_path: Path, spec: str) -> None:
    file = fogtree.write_efg("matching_pennies", tmp_path / "secret.efg")
    asked = {"game": spec.format(file), "algorithms": ["cfr"], "agents": ["random", "random"]}
    for path in ("/api/lab", "/api/walk", "/api/match", "/api/training"):
        assert refused(client, path, asked) == "games are not read from files of this server"
    assert client.get("/api/jobs").json()["jobs"] == []


def test_small_games_of_another_library_are_solved(client: TestClient) -> None:
    pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install 'fogtree[openspiel]'")
    asked = {"game": "openspiel:kuhn_poker", "algorithms": ["cfr+"], "iterations": 100}
    job = started(client, "/api/lab", asked)
    assert events_until_end(client, job)[-1]["status"] == "done"
    assert client.get(f"/api/jobs/{job}/equilibrium").json()["value"] == pytest.approx(-1 / 18)


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


@pytest.mark.parametrize(
    ("asked", "who_learns"),
    [
        ({"game": "kuhn_poker", "algorithm": "cfr+", "iterations": 3}, "Players learn in turn"),
        ({"game": "kuhn_poker", "algorithm": "hedge", "deals": ["JQ", "J"]}, "All players learn"),
        ({"game": "leduc_poker", "algorithm": "cfr", "deals": ["JsQhKs"]}, "All players learn"),
        ({"game": "kuhn_poker(players=3)", "iterations": 2}, "Players learn in turn"),
    ],
)
def test_the_numbers_of_a_step_follow_from_those_shown_with_it(
    client: TestClient, asked: dict[str, Any], who_learns: str
) -> None:
    """The reach and the values of every step, from the strategies that the tree draws at it."""
    walk = client.post("/api/walk", json=asked).json()
    assert who_learns in walk["ground_rules"]
    by_name = {(step["iteration"], step["infoset"]): step for step in walk["steps"]}
    for step in walk["steps"]:
        drawn = walk["traversals"][step["traversal"]]
        assert drawn[step["infoset"]]["strategy"] == step["strategy"]
        assert drawn[step["infoset"]]["expected_value"] == pytest.approx(step["expected_value"])
        histories = step["listed_histories"]
        assert len(histories) == step["histories"]
        reaches = []
        for history in histories:
            for choice in history["others"] + history["own"]:
                actions = by_name[step["iteration"], choice["infoset"]]["actions"]
                k = actions.index(choice["action"])
                assert choice["share"] == drawn[choice["infoset"]]["strategy"][k]
            own = math.prod(choice["share"] for choice in history["own"])
            assert own == pytest.approx(step["own_reach"])
            others = math.prod(choice["share"] for choice in history["others"])
            reaches.append(history["chance"] * others)
            for value, reply in zip(history["values"], history["replies"], strict=True):
                if reply is not None:
                    mix = drawn[reply["infoset"]]["strategy"]
                    assert value == pytest.approx(np.dot(mix, reply["values"]))
        assert sum(reaches) == pytest.approx(step["opponent_reach"])
        shares = reaches if sum(reaches) > 0 else [history["chance"] for history in histories]
        weights = [history["weight"] for history in histories]
        assert weights == pytest.approx([share / sum(shares) for share in shares])
        for k, value in enumerate(step["values"]):
            assert value == pytest.approx(
                np.dot(weights, [history["values"][k] for history in histories])
            )


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


def test_much_study_work_holds_up_no_game(client: TestClient) -> None:
    asked = {"game": "kuhn_poker", "algorithms": ["cfr"], "iterations": 10}
    job = started(client, "/api/lab", asked)
    events_until_end(client, job)
    go_on = threading.Event()
    threads = client.app.state.study_threads  # type: ignore[attr-defined]
    busy = [threads.submit(go_on.wait, 60) for _ in range(100)]
    try:
        seats = {"game": "kuhn_poker", "seats": [{}, {"agent": "random"}]}
        assert client.post("/api/games", json=seats).status_code == 201
        assert client.get(f"/api/jobs/{job}").json()["status"] == "done"
    finally:
        go_on.set()
    assert all(one.result() for one in busy)


def test_a_large_game_is_not_solved_beside_its_algorithms(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only small games are warmed up: there each algorithm has a spare solver, elsewhere none."""
    made = []

    class Counted(lab.TabularSolver):
        def __init__(self, *given: Any) -> None:
            made.append(given[1])
            super().__init__(*given)

    monkeypatch.setattr(lab, "TabularSolver", Counted)
    for most, solvers in ((5_000, 5), (5, 2)):
        monkeypatch.setattr(lab, "MOST_EXACT", most)
        asked = {"game": "kuhn_poker", "algorithms": ["cfr", "cfr+"], "iterations": 10}
        events_until_end(client, started(client, "/api/lab", asked))
        assert len(made) == solvers
        made.clear()
