"""Games from visitors' own Python files: solved, walked through, refused, stopped."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from fogtree.web.limits import Limits
from fogtree.web.study_games import StudyGames
from tests.support.paths import ROOT
from tests.support.processes import HANGS
from tests.support.web_jobs import events_until_end, refused, started, study_server

pytestmark = pytest.mark.long

EXAMPLE = (ROOT / "examples" / "own_game.py").read_text()
LONG = "from fogtree import load_game\nHuge = load_game('goofspiel(cards=13)')\n"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with study_server(tmp_path, own_code=True) as found:
        yield found


@pytest.fixture
def hasty(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a server that stops visitors' code after two seconds."""
    limits = Limits(own_code_seconds=2.0)
    with study_server(tmp_path, own_code=True, limits=limits) as found:
        yield found


def bring(client: TestClient, source: str, name: str = "mine.py") -> list[dict[str, Any]]:
    answer = client.post("/api/own-code", json={"name": name, "source": source})
    assert answer.status_code == 201, answer.text
    games: list[dict[str, Any]] = answer.json()["games"]
    return games


def failure(client: TestClient, game: str) -> str:
    job = started(client, "/api/lab", {"game": game, "algorithms": ["cfr"]})
    events = events_until_end(client, job)
    assert events[-1]["status"] == "failed"
    return str(next(event["why"] for event in events if event["type"] == "failed"))


def test_an_own_game_is_solved_and_browsed(client: TestClient) -> None:
    (game,) = bring(client, EXAMPLE, "own_game.py")
    assert game["name"] == "own_game.py:HalfStreet"
    assert [(p["name"], p["default"], p["kind"]) for p in game["parameters"]] == [
        ("bet", 2, "whole number")
    ]
    assert client.get("/api/own-code").json() == {"allowed": True, "games": [game]}
    asked = {"game": "own_game.py:HalfStreet(bet=1)", "algorithms": ["cfr+"], "iterations": 1000}
    job = started(client, "/api/lab", asked)
    assert events_until_end(client, job)[-1]["status"] == "done"
    # Solved by hand: the value is bet / (2 + bet).
    exact = client.get(f"/api/jobs/{job}/equilibrium").json()
    assert exact["value"] == pytest.approx(1 / 3)
    place = {"algorithm": "cfr+", "path": ["A", "bet"]}
    found = client.post(f"/api/jobs/{job}/place", json=place).json()
    assert found["infoset"] == "Kb"
    strategy = client.get(f"/api/jobs/{job}/strategy", params={"algorithm": "cfr+"}).json()
    assert set(strategy["strategy"]) == {"A", "Q", "Kb"}


def test_an_own_game_is_walked_through(client: TestClient) -> None:
    bring(client, EXAMPLE)
    asked = {"game": "mine.py:HalfStreet", "algorithm": "cfr+", "deals": ["Q"]}
    walk = client.post("/api/walk", json=asked).json()
    assert [step["infoset"] for step in walk["steps"]] == ["Q", "Kb"]


def test_a_later_file_replaces_one_of_the_same_name(client: TestClient) -> None:
    bring(client, EXAMPLE)
    games = bring(client, EXAMPLE.replace("HalfStreet", "Street"))
    assert [game["name"] for game in games] == ["mine.py:Street"]
    assert client.get("/api/own-code").json()["games"] == games
    assert "HalfStreet" in failure(client, "mine.py:HalfStreet")


def test_nothing_runs_without_permission(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    source = f"open({str(mark)!r}, 'w')\n{EXAMPLE}"
    (tmp_path / "mine.py").write_text(source)
    with study_server(tmp_path) as client:
        assert client.get("/api/own-code").json() == {"allowed": False, "games": []}
        line = refused(client, "/api/own-code", {"name": "mine.py", "source": source}, 403)
        assert line.endswith("start it with fogtree serve --own-code")
        for game in ("mine.py:HalfStreet", str(tmp_path / "mine.py:HalfStreet"), "mine.py"):
            asked = {"game": game, "algorithms": ["cfr"], "agents": ["random", "search"]}
            for path in ("/api/lab", "/api/walk", "/api/match", "/api/training"):
                assert refused(client, path, asked, 403) == line
            seats = {"game": game, "seats": [{}, {"agent": "random"}]}
            refused(client, "/api/games", seats)
    assert not mark.exists()


@pytest.mark.parametrize(
    "game", ["other.py:G", "../mine.py:HalfStreet", "mine.py/../x.py:G", "{folder}/mine.py:G"]
)
def test_only_files_that_were_brought_are_run(
    client: TestClient, tmp_path: Path, game: str
) -> None:
    mark = tmp_path / "mark"
    (tmp_path / "mine.py").write_text(f"open({str(mark)!r}, 'w')")
    bring(client, EXAMPLE)
    asked = {"game": game.replace("{folder}", str(tmp_path)), "algorithms": ["cfr"]}
    assert "file on this server" in refused(client, "/api/lab", asked)
    assert not mark.exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x = 1\nclass (", "mine.py, line 2): SyntaxError"),
        ("x = 1\ny = 2\nx / 0", "mine.py, line 3): ZeroDivisionError"),
        ("import nothing_like_this", "mine.py, line 1): ModuleNotFoundError"),
        ("import sys; sys.exit(3)", "it ends the program when it is loaded"),
        ("import os; os._exit(3)", "ended its process (status 3)"),
        ("x = 1", "there is no game in 'mine.py'"),
        ("", "there is no game in 'mine.py'"),
        ("x = [0] * 10**12", "memory"),
        ("f = lambda: f()\nf()", "mine.py, line 1): RecursionError"),
    ],
)
def test_a_broken_file_gives_one_line(client: TestClient, source: str, said: str) -> None:
    assert said in refused(client, "/api/own-code", {"name": "mine.py", "source": source})
    assert client.get("/api/own-code").json()["games"] == []


def test_half_a_letter_is_no_python(client: TestClient) -> None:
    answer = client.post("/api/own-code", content='{"name": "mine.py", "source": "\\ud800"}')
    assert answer.status_code == 400
    assert "mine.py, line 1): SyntaxError" in answer.json()["error"]


def test_a_mistake_in_a_method_names_its_line(client: TestClient) -> None:
    broken = EXAMPLE.replace('return [("A", 0.5), ("Q", 0.5)]', "return [1 / 0]")
    number = broken.splitlines().index("        return [1 / 0]") + 1
    bring(client, broken)
    said = failure(client, "mine.py:HalfStreet")
    assert f"mine.py, line {number}): ZeroDivisionError" in said
    bring(client, EXAMPLE.replace('("Q", 0.5)', '("Q", 0.6)'))
    assert "chance probabilities" in failure(client, "mine.py:HalfStreet")


def test_code_that_hangs_is_stopped(hasty: TestClient) -> None:
    for endless in ("while True: pass", "sum(range(10**15))", "import time\ntime.sleep(10**6)"):
        source = f"x = 1\n{endless}"
        line = refused(hasty, "/api/own-code", {"name": "mine.py", "source": source})
        assert f"stopped after 2 seconds (mine.py, line {source.count(chr(10)) + 1})" in line


def test_a_game_that_hangs_is_stopped(client: TestClient) -> None:
    bring(client, EXAMPLE.replace("stake = {", "while True: pass\n        stake = {"))
    games: StudyGames = client.app.state.study_games  # type: ignore[attr-defined]
    own = games.own_code
    own._limits = replace(own._limits, own_code_seconds=5.0)
    assert "stopped after 5 seconds (mine.py, line" in failure(client, "mine.py:HalfStreet")


def test_a_solve_is_stopped_while_its_game_is_compiled(client: TestClient) -> None:
    bring(client, LONG)
    job = started(client, "/api/lab", {"game": "mine.py:Huge", "algorithms": ["cfr"]})
    client.post(f"/api/jobs/{job}/stop")
    events = events_until_end(client, job)
    assert [event["type"] for event in events] == ["compiling", "ended"]
    assert events[-1]["status"] == "stopped"


@pytest.mark.parametrize(
    "name", ["../mine.py", "mine.txt", "a b.py", "", ".py", 3, "x" * 99 + ".py"]
)
def test_names_of_files_are_plain(client: TestClient, name: object) -> None:
    refused(client, "/api/own-code", {"name": name, "source": EXAMPLE})


def test_files_are_bounded_in_size_and_number(tmp_path: Path) -> None:
    limits = Limits(own_code_bytes=2000, own_code_files=2)
    with study_server(tmp_path, own_code=True, limits=limits) as client:
        for source in ("#" * 2001, "#" * 100_000):
            refused(client, "/api/own-code", {"name": "mine.py", "source": source}, 413)
        refused(client, "/api/own-code", {"name": "mine.py", "source": None})
        for name in ("one.py", "two.py", "three.py"):
            bring(client, EXAMPLE, name)
        names = [game["name"] for game in client.get("/api/own-code").json()["games"]]
        assert names == ["two.py:HalfStreet", "three.py:HalfStreet"]


def test_what_a_file_prints_and_is_called_does_not_matter(client: TestClient) -> None:
    source = EXAMPLE.replace("def chance(self):", "def chance(self):\n        print('{', end='')")
    assert bring(client, f"print('hello')\ninput_ = 1\n{source}", "random.py")
    job = started(client, "/api/lab", {"game": "random.py:HalfStreet", "algorithms": ["cfr"]})
    assert events_until_end(client, job)[-1]["status"] == "done"


def test_the_process_of_a_file_ends_with_the_server(tmp_path: Path) -> None:
    """Its standard input is closed when the server dies, however it dies."""
    mark = tmp_path / "mark"
    from fogtree.web.child_process import ChildProcess

    (tmp_path / "slow.py").write_text(
        "import time\n"
        f"while True:\n    open({str(mark)!r}, 'w').write(str(time.time()))\n    time.sleep(0.01)\n"
    )
    order = ["list", "slow.py", "0", "60"]
    with ChildProcess("fogtree.web.own_code_process", order, tmp_path) as process:
        end = time.monotonic() + HANGS
        while not mark.exists() and time.monotonic() < end:
            time.sleep(0.01)
        process.ask_to_end()  # as the system does when the server is gone
        while process.running and time.monotonic() < end:
            process.next_line(0.1)
        assert process.status == 1
