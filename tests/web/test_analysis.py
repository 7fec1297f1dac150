"""The analysis of a finished game is kept with it, and found again."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from fogtree.agents.budget import Budget
from fogtree.registry import load_game
from fogtree.web.advisor import Advisor
from fogtree.web.jobs import Job
from fogtree.web.views import view_of
from tests.support.processes import HANGS
from tests.support.web_games import LIMITS, new_game, seat, server
from tests.support.web_jobs import events_until_end

SHORT = {"seconds": 0.1}


def finished_game(client: TestClient) -> tuple[str, dict[str, str]]:
    """The address and the key of a game with a decision of each side."""
    made = new_game(client, "fog_chess", None, None)
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        white.send_json({"type": "act", "at": 2, "action": "e2e4"})
        while (event := black.receive_json())["type"] != "view" or not event["turn"]:
            pass
        black.send_json({"type": "act", "at": event["n"], "action": "e7e5"})
        while black.receive_json().get("turn", True):
            pass
        black.send_json({"type": "resign"})
        while black.receive_json()["type"] != "over":
            pass
    return f"/api/games/{made['id']}/analysis", {"X-Seat-Key": made["keys"]["0"]}


def analysed(client: TestClient, address: str, key: dict[str, str], of: int) -> list[Any]:
    """Analyse a seat and return what was told."""
    answer = client.post(address, json={"seat": of, **SHORT}, headers=key)
    assert answer.status_code == 201, answer.text
    *events, end = events_until_end(client, answer.json()["id"])
    assert end["status"] == "done"
    return events


def test_the_game_of_an_analysis_is_told_to_whoever_has_a_key(tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite3") as client:
        address, key = finished_game(client)
        game, mine = address.split("/")[3], key["X-Seat-Key"]
        job = client.post(address, json={"seat": 0, **SHORT}, headers=key).json()["id"]
        events_until_end(client, job)

        def told(keys: Any, jobs: Any = ()) -> Any:
            return client.post("/api/own-analyses", json={"keys": keys, "jobs": jobs}).json()

        (listed,) = client.get("/api/jobs").json()["jobs"]
        title = "Fog-of-War chess, all decisions of white"
        found = {"analyses": {listed["id"]: {"title": title, "game": game}}}
        assert told({"another": "key", game: mine}) == found
        for keys in ({}, {game: ""}, {game: "wrong"}, {"another": mine}):
            assert told(keys, ["another", listed["id"]]) == {"analyses": {}}
        assert "'keys'" in told([mine])["error"]
        assert "'keys'" in told({game: 1})["error"]
        assert "'jobs'" in told({}, [1])["error"]
        assert "'jobs'" in told({}, job)["error"]
        assert game not in client.get(f"/api/jobs/{job}").text


def test_what_somebody_analyses_is_told_to_nobody_else(tmp_path: Path) -> None:
    """The list of jobs says that there is an analysis, and everybody may stop it."""
    fen = "7k/7p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
    asked = {"game": f'fog_chess(fen="{fen}")', "seconds": 10}
    with server(tmp_path / "games.sqlite3") as client:
        job = client.post("/api/analysis", json=asked).json()["id"]
        answer = client.get("/api/jobs")
        (listed,) = answer.json()["jobs"]
        assert (listed["kind"], listed["status"], listed["title"]) == ("analysis", "running", "")
        assert job not in answer.text
        assert fen not in answer.text
        assert client.get(f"/api/jobs/{listed['id']}").status_code == 404
        mine = client.post("/api/own-analyses", json={"keys": {}, "jobs": [job]}).json()
        assert mine["analyses"][listed["id"]]["game"] is None
        assert fen in mine["analyses"][listed["id"]]["title"]
        stopped = client.post(f"/api/jobs/{listed['id']}/stop")
        assert stopped.json()["status"] in ("stopping", "stopped", "done")
        assert job not in stopped.text
        assert fen not in stopped.text
        events_until_end(client, job)


def test_an_analysis_is_found_again_also_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite3"
    with server(file) as client:
        address, key = finished_game(client)
        assert client.get(address, headers=key).json() == {"seats": []}
        told = analysed(client, address, key, 1)
        assert [event["ply"] for event in told if event["type"] == "look"] == [1]
        again = client.post(address, json={"seat": 1, **SHORT}, headers=key)
        assert (again.status_code, again.json()) == (200, {"events": told})
    with server(file) as client:
        assert client.get(address, headers=key).json() == {"seats": [1]}
        again = client.post(address, json={"seat": 1, **SHORT}, headers=key)
        assert (again.status_code, again.json()) == (200, {"events": told})
        longer = client.post(address, json={"seat": 1, "seconds": 0.2}, headers=key)
        assert longer.status_code == 201
        events_until_end(client, longer.json()["id"])
        assert client.get(address).status_code == 404


def test_the_latest_analyses_are_kept(tmp_path: Path) -> None:
    limits = replace(LIMITS, analyses=1)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        address, key = finished_game(client)
        analysed(client, address, key, 0)
        analysed(client, address, key, 1)
        assert client.get(address, headers=key).json() == {"seats": [1]}


def search_until_interrupted(patch: pytest.MonkeyPatch) -> tuple[Event, Event]:
    """Let searches of advisors run until they are interrupted. The events are set when one begins,
    and when the one that runs is interrupted."""
    begun, interrupted = Event(), Event()
    searching: list[Advisor] = []

    def look(self: Any, line: Any, state: Any, seconds: float, tell: Any, ended: Any) -> None:
        searching.append(self)
        begun.set()
        assert interrupted.wait(HANGS), "nothing ended the search"

    def interrupt(self: Advisor) -> None:
        if self in searching:
            interrupted.set()

    patch.setattr(Advisor, "look", look)
    patch.setattr(Advisor, "interrupt", interrupt)
    return begun, interrupted


def test_an_analysis_that_runs_is_joined_and_a_stop_ends_its_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, interrupted = search_until_interrupted(monkeypatch)
    with server(tmp_path / "games.sqlite3") as client:
        address, key = finished_game(client)
        job = client.post(address, json={"seat": 0, **SHORT}, headers=key).json()
        assert client.get(address, headers=key).json() == {"seats": [0]}
        joined = client.post(address, json={"seat": 0, **SHORT}, headers=key).json()
        assert joined["id"] == job["id"]
        assert begun.wait(HANGS)
        assert not interrupted.is_set()
        client.post(f"/api/jobs/{job['id']}/stop")
        events = events_until_end(client, job["id"])
        assert [event["type"] for event in events] == ["ended"]
        assert events[0]["status"] == "stopped"


def test_a_stop_ends_the_search_that_judges_a_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is another advisor's than the search at the decision."""
    begun, interrupted = Event(), Event()
    moves = {"d2d4": 1.0, "e2e4": 0.0}  # e2e4 was played
    candidates = [{"action": one, "probability": p, "value": 0.0} for one, p in moves.items()]
    looking: list[Advisor] = []
    judging: list[Advisor] = []

    def look(self: Any, line: Any, state: Any, seconds: float, tell: Any, ended: Any) -> None:
        looking.append(self)
        tell({"done": True, "seconds": seconds, "value": 0.0, "candidates": candidates})

    def judge(self: Any, *_: Any, ended: Any) -> dict[str, Any]:
        judging.append(self)
        begun.set()
        assert interrupted.wait(HANGS), "nothing ended the search"
        assert ended()
        return {}

    def interrupt(self: Advisor) -> None:
        if self in judging:
            interrupted.set()

    monkeypatch.setattr(Advisor, "look", look)
    monkeypatch.setattr(Advisor, "judge", judge)
    monkeypatch.setattr(Advisor, "interrupt", interrupt)
    with server(tmp_path / "games.sqlite3") as client:
        address, key = finished_game(client)
        job = client.post(address, json={"seat": 0, **SHORT}, headers=key).json()
        assert begun.wait(HANGS)
        assert not interrupted.is_set()
        client.post(f"/api/jobs/{job['id']}/stop")
        events = events_until_end(client, job["id"])
    assert [event["type"] for event in events] == ["ended"]
    assert events[0]["status"] == "stopped"
    assert looking != judging


def test_the_end_of_the_server_interrupts_searches_and_waits_for_their_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, interrupted = search_until_interrupted(monkeypatch)
    awaited, join, breathe = Event(), Thread.join, Job.breathe

    def noted_join(self: Thread, timeout: float | None = None) -> None:
        if self.name == "job analysis":
            awaited.set()
        join(self, timeout)

    def slow_breathe(self: Job) -> None:
        """After the search was interrupted, go on only when somebody waits for this job."""
        assert not interrupted.is_set() or awaited.wait(HANGS)
        breathe(self)

    monkeypatch.setattr(Thread, "join", noted_join)
    monkeypatch.setattr(Job, "breathe", slow_breathe)
    monkeypatch.setattr("fogtree.web.app._PATIENCE", HANGS)
    with server(tmp_path / "games.sqlite3") as client:
        address, key = finished_game(client)
        job = client.post(address, json={"seat": 0, **SHORT}, headers=key).json()
        found = client.app.state.jobs.find(job["id"])
        assert begun.wait(HANGS)
        assert not interrupted.is_set()
    assert found.status == "stopped"


@pytest.mark.parametrize(("share", "judged"), [(0.0, True), (0.4, False)])
def test_a_move_that_the_search_does_not_play_has_a_search_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float, judged: bool
) -> None:
    def look(self: Any, line: Any, state: Any, seconds: float, tell: Any, ended: Any) -> None:
        moves = [("d2d4", 1.0 - share, 0.2, 300), ("e2e4", share, 0.19, 3)]
        names = ("action", "probability", "value", "visits")
        candidates = [{"label": "", **dict(zip(names, one, strict=True))} for one in moves]
        marginals = {letter: [1.0] * 64 for letter in "pnbrqk"}
        tell({"done": False, "candidates": []})
        content = {"value": 0.2, "candidates": candidates, "marginals": marginals}
        tell({"done": True, "seconds": seconds, **content})

    def judge(self: Any, line: Any, state: Any, action: str, *_: Any, **__: Any) -> dict[str, Any]:
        return {"value": -0.4, "visits": 100} if action == "e2e4" else {}

    monkeypatch.setattr(Advisor, "look", look)
    monkeypatch.setattr(Advisor, "judge", judge)
    with server(tmp_path / "games.sqlite3") as client:
        address, key = finished_game(client)
        events = analysed(client, address, key, 0)
    (found,) = [event for event in events if event["type"] == "look" and event["ply"] == 0]
    best, played = found["candidates"]
    assert "judged" not in best
    assert played["value"] == 0.19  # what the search thought when it decided
    assert played.get("judged") == ({"value": -0.4, "visits": 100} if judged else None)


def test_the_judgement_of_a_move() -> None:
    """The queen takes a defended pawn, or stays where it is safe."""
    game = load_game("fog_chess(fen='3rk3/ppp2ppp/3p4/8/3Q4/8/PPP2PPP/4K3 w - - 0 1')")
    budget = Budget(steps=1000)
    with closing(Advisor(game, view_of(game), 0, LIMITS)) as advisor:
        lost, kept = (advisor.judge([], game.root(), move, budget) for move in ("d4d6", "d4d2"))
        assert advisor.judge([], game.root(), "d4d2", budget, ended=lambda: True) == {}
    assert lost["visits"] > 200 < kept["visits"]
    assert lost["value"] < kept["value"] - 0.2


@pytest.mark.long
def test_a_move_is_judged_also_where_a_look_has_filled_its_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fogtree.web.game_analysis._is_foreign", lambda *_: True)
    limits = replace(LIMITS, look_bytes=4 << 20)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        address, key = finished_game(client)
        answer = client.post(address, json={"seat": 0, "seconds": 2}, headers=key)
        events = events_until_end(client, answer.json()["id"])
    judged = [
        candidate["judged"]["visits"]
        for event in events
        if event["type"] == "look"
        for candidate in event["candidates"]
        if "judged" in candidate
    ]
    assert judged
    assert min(judged) > 20


@pytest.mark.parametrize(
    ("took", "searched_again"),
    [
        (1.5, []),  # as long as a search of the analysis: it stands for one
        (0.01, [0]),  # a move ended it early
    ],
)
def test_the_analysis_follows_looks_during_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, took: float, searched_again: list[int]
) -> None:
    searched: list[int] = []

    def look(self: Any, line: Any, state: Any, seconds: float, tell: Any, **_: Any) -> None:
        searched.append(len(line))
        likely = "e2e4" if len(searched) == 1 else "d2d4"  # the second look advises another move
        shares = {"e2e4": float(likely == "e2e4"), "d2d4": float(likely == "d2d4")}
        candidates = [
            {"action": move, "label": move, "probability": share, "value": share}
            for move, share in shares.items()
        ]
        marginals = {letter: [1.0] * 64 for letter in "pnbrqk"}
        content = {"value": 1.0, "candidates": candidates, "marginals": marginals}
        tell({"done": True, "turn": True, "seconds": took, **content})

    monkeypatch.setattr(Advisor, "look", look)
    file = tmp_path / "games.sqlite3"
    with server(file) as client:
        made = new_game(client, "fog_chess", None, "random")
        address = f"/api/games/{made['id']}/analysis"
        key = {"X-Seat-Key": made["keys"]["0"]}
        with seat(client, made, 0) as white:
            white.send_json({"type": "look"})
            while white.receive_json()["type"] != "look":
                pass
            white.send_json({"type": "act", "at": 2, "action": "e2e4"})
            while not ((event := white.receive_json())["type"] == "view" and event["n"] > 3):
                pass
            white.send_json({"type": "resign"})
            while white.receive_json()["type"] != "over":
                pass
    with server(file) as client:  # looks are kept over a restart
        events = analysed(client, address, key, 0)
    looks = {event["ply"]: event for event in events if event["type"] == "look"}
    assert searched == [0, *searched_again, 2]
    assert looks[0]["candidates"][0]["probability"] == 1.0


def test_a_look_that_a_move_ended_early_counts_too(tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite3", limits=replace(LIMITS, look_seconds=60.0)) as client:
        made = new_game(client, "fog_chess", None, None)
        with seat(client, made, 0) as white:
            white.send_json({"type": "look", "seconds": 60})
            while not (event := white.receive_json()).get("candidates"):
                pass
            assert not event["done"]
            white.send_json({"type": "act", "at": 2, "action": "e2e4"})
            while not ((event := white.receive_json())["type"] == "view" and not event["turn"]):
                pass
            storage, end = client.app.state.hub.storage, time.monotonic() + HANGS
            while not (kept := storage.looks(made["id"], 0)) and time.monotonic() < end:
                time.sleep(0.01)  # its thread ends soon
    ((look,),) = kept.values()
    assert look["done"]
    assert sum(one["probability"] for one in look["candidates"]) == pytest.approx(1, abs=1e-3)
