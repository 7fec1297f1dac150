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
from fogtree.deep.policy import POLICY
from fogtree.web.limits import Limits
from tests.support.web_games import new_game, play_to_the_end, seat
from tests.support.web_jobs import events_until_end, refused, started, study_server

GAME = "kuhn_poker"
NETWORK, STRATEGY = "deep:inner/mine", "tabular:solved"


def add_runs(runs: Path) -> None:
    """Three runs that play, two of them Kuhn poker, and two runs of Kuhn poker that cannot."""
    fogtree.solve(GAME, iterations=50, save=runs / "solved")
    fogtree.solve("matching_pennies", iterations=5, save=runs / "another")
    fit = {"steps": 10, "batch": 64}
    quick = {"run": {"iterations": 2}, "regret": fit, "average": fit}
    for name in ("inner/mine", "begun"):
        fogtree.train(GAME, quick, folder=runs / name)
    (runs / "begun" / POLICY).unlink()
    fogtree.simulate(GAME, iterations=50, save=runs / "sampled")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    add_runs(tmp_path / "runs")
    with study_server(tmp_path) as found:
        yield found


def agents_of(client: TestClient, game: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/agents", params={"game": game}).json()
    return found


def test_runs_are_listed_with_their_game(client: TestClient) -> None:
    found = agents_of(client, GAME)
    for names in (found["agents"], found["opponents"]):
        assert {name for name in names if ":" in name} == {NETWORK, STRATEGY}
    assert found["agent_titles"][NETWORK] == "Network inner/mine"
    assert found["agent_titles"][STRATEGY] == "Strategy solved"
    listed = {one["name"]: one["opponents"] for one in client.get("/api/games").json()["games"]}
    assert {NETWORK, STRATEGY} <= set(listed[GAME])
    assert "tabular:another" in listed["matching_pennies"]
    assert not {NETWORK, STRATEGY} & set(agents_of(client, "kuhn_poker(players=3)")["agents"])


def test_runs_that_cannot_play_are_not_offered(client: TestClient) -> None:
    runs = {run["name"]: run["agent"] for run in client.get("/api/runs").json()["runs"]}
    assert (runs["sampled"], runs["begun"], runs["solved"]) == (None, None, STRATEGY)
    for spec in ("tabular:sampled", "deep:begun"):
        line = refused(client, "/api/match", {"game": GAME, "agents": ["random", spec]})
        assert line == f"no saved run on this server plays {GAME} as '{spec}'"


def test_runs_are_held_to_the_memory_of_the_server(tmp_path: Path) -> None:
    add_runs(tmp_path / "runs")
    with study_server(tmp_path, limits=Limits(compile_bytes=1000)) as client:
        assert not {NETWORK, STRATEGY} & set(agents_of(client, GAME)["opponents"])
        for spec in (NETWORK, STRATEGY):
            line = refused(client, "/api/games", {"game": GAME, "seats": [{}, {"agent": spec}]})
            assert (
                line
                == f"{spec} does not play here: {GAME} is too large to be compiled on this server"
            )
            assert line == refused(client, "/api/match", {"game": GAME, "agents": ["random", spec]})


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
    games = client.post(f"/api/jobs/{job}/games", json={"first": NETWORK, "second": STRATEGY})
    assert set(games.json()["games"][0]["agents"]) == {NETWORK, STRATEGY}  # no path of the server
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


def test_a_strategy_of_a_game_too_large_to_compile_is_not_offered(tmp_path: Path) -> None:
    """Networks of such a game play without compiling; a strategy by information sets does not."""
    game = "liars_dice(sides=2)"
    fogtree.solve(game, iterations=5, save=tmp_path / "runs" / "solved")
    for limits, offered in ((Limits(), True), (Limits(compile_bytes=1000), False)):
        with study_server(tmp_path, limits=limits) as client:
            assert (STRATEGY in agents_of(client, game)["opponents"]) is offered


def test_records_and_refusals_do_not_show_the_folder_of_the_server(tmp_path: Path) -> None:
    """Networks that play without compiling the game are loaded from their file by every match."""
    game = "liars_dice(sides=2)"
    fit = {"steps": 10, "batch": 64}
    quick = {"run": {"iterations": 1}, "regret": fit, "average": fit}
    fogtree.train(game, quick, folder=tmp_path / "runs" / "mine")
    with study_server(tmp_path) as client:
        asked = {"game": game, "agents": ["random", "deep:mine"], "games": 4}
        job = started(client, "/api/match", asked)
        answers = [str(events_until_end(client, job))]
        pair = {"first": "random", "second": "deep:mine"}
        games = client.post(f"/api/jobs/{job}/games", json=pair)
        assert set(games.json()["games"][0]["agents"]) == {"random", "deep:mine"}
        opened = client.post(f"/api/jobs/{job}/games", json={**pair, "number": 1}).json()
        headers = {"X-Seat-Key": opened["spectator_key"]}
        for part in ("review", "record"):
            found = client.get(f"/api/games/{opened['id']}/{part}", headers=headers)
            assert found.status_code == 200
            answers.append(found.text)
        answers += [games.text, client.get("/api/jobs").text]
        assert not [one for one in answers if str(tmp_path) in one]


def test_networks_trained_without_compiling_are_offered_for_a_large_game(tmp_path: Path) -> None:
    tables = {"traversal": {"traversals": 20}, "regret": {"steps": 5}}
    for name, compiled in (("compiled", True), ("walked", False)):
        run = {"iterations": 1, "compiled": compiled}
        fogtree.train(GAME, {**tables, "run": run}, folder=tmp_path / "runs" / name)
    with study_server(tmp_path, limits=Limits(compile_bytes=1000)) as client:
        offered = agents_of(client, GAME)["opponents"]
    assert "deep:walked" in offered
    assert "deep:compiled" not in offered
