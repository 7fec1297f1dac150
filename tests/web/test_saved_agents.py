"""What saved runs of the server's folder have learnt plays against people and in matches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

import fogtree
from tests.support.web_games import new_game, play_to_the_end, seat
from tests.support.web_jobs import events_until_end, refused, started, study_server

GAME = "kuhn_poker"
NETWORK, STRATEGY = "deep:inner/mine", "tabular:solved"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    runs = tmp_path / "runs"
    fogtree.solve(GAME, iterations=50, save=runs / "solved")
    fogtree.solve("matching_pennies", iterations=5, save=runs / "another")
    fit = {"steps": 10, "batch": 64}
    quick = {"run": {"iterations": 2}, "regret": fit, "average": fit}
    fogtree.train(GAME, quick, folder=runs / "inner" / "mine")
    with study_server(tmp_path) as found:
        yield found


def agents_of(client: TestClient, game: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/agents", params={"game": game}).json()
    return found


def test_runs_are_listed_with_their_game(client: TestClient) -> None:
    found = agents_of(client, GAME)
    for names in (found["agents"], found["opponents"]):
        assert set(names[-2:]) == {NETWORK, STRATEGY}
    assert found["agent_titles"][NETWORK] == "Network inner/mine"
    assert found["agent_titles"][STRATEGY] == "Strategy solved"
    listed = {one["name"]: one["opponents"] for one in client.get("/api/games").json()["games"]}
    assert {NETWORK, STRATEGY} <= set(listed[GAME])
    assert "tabular:another" in listed["matching_pennies"]
    assert not {NETWORK, STRATEGY} & set(agents_of(client, "kuhn_poker(players=3)")["agents"])


@pytest.mark.parametrize("spec", [NETWORK, STRATEGY])
def test_a_person_plays_against_a_run(client: TestClient, spec: str) -> None:
    made = new_game(client, GAME, None, spec)
    with seat(client, made, 0) as socket:
        assert play_to_the_end(socket, random.Random(1))[-1]["type"] == "over"


def test_runs_play_matches(client: TestClient) -> None:
    agents = ["random", NETWORK, STRATEGY]
    job = started(client, "/api/match", {"game": GAME, "agents": agents, "games": 10})
    events = events_until_end(client, job)
    assert [e["games"] for e in events if e["type"] == "match"] == [10, 10, 10]
    begun = next(event for event in events if event["type"] == "begun")
    assert begun["titles"][NETWORK] == "Network inner/mine"


@pytest.mark.parametrize(
    "spec", ["tabular:another", "deep:solved", "deep:../runs/inner/mine", "deep:"]
)
def test_other_files_are_refused(client: TestClient, tmp_path: Path, spec: str) -> None:
    refused(client, "/api/match", {"game": GAME, "agents": ["random", spec]})
    refused(
        client,
        "/api/match",
        {"game": GAME, "agents": ["random", f"tabular:{tmp_path}/runs/solved"]},
    )
    seats = [{}, {"agent": spec}]
    assert client.post("/api/games", json={"game": GAME, "seats": seats}).status_code == 400
