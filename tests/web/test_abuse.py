"""Wrong, late, foreign, repeated and oversized messages change nothing; limits hold."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fogtree.web.limits import Limits, RateLimit
from fogtree.web.routes import live
from fogtree.web.security import Access
from fogtree.web.storage import Storage
from tests.support.web_games import LIMITS, new_game, seat, server

MESSAGES = 600
TALKATIVE = Limits(agent_seconds=0.01, message_burst=100_000)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path / "games.sqlite3", limits=TALKATIVE) as found:
        yield found


def nonsense(luck: random.Random) -> object:
    """A JSON value without any sense."""
    return luck.choice(
        [
            None,
            True,
            -1,
            2,
            10**40,
            1.5,
            float("nan"),
            "",
            "e2e4",
            "\ud800",
            "x" * 300,
            [],
            [1, [2]],
            {},
            {"type": "act"},
        ]
    )


def wrong_message(luck: random.Random, view: dict[str, Any]) -> str | bytes:
    """A message that must be refused at this view, whose seat is to move."""
    legal = [action["action"] for action in view["actions"]]
    kind = luck.randrange(9)
    if kind == 0:
        return luck.choice(["", "{", "null", "[]", "3", '"act"', "{]}", "[" * 3000, "NaN", "\x00"])
    if kind == 1:
        return luck.randbytes(luck.randrange(1, 60))
    if kind == 2:
        return json.dumps({"type": "act", "at": view["n"], "action": "x" * 20_000})
    if kind == 3:  # late, or from the future
        at = view["n"] + luck.choice([-2, -1, 1, 2, 10**9])
        return json.dumps({"type": "act", "at": at, "action": luck.choice(legal)})
    if kind == 4:
        action = luck.choice(["e7e5", "e2e5", "a1a1", "0000", "", "e2e4 ", "E2E4"])
        return json.dumps({"type": "act", "at": view["n"], "action": action})
    if kind == 5:
        kinds = ["accept", "decline", "draw", "takeback", "hello", "over", "view", "start", "flag"]
        return json.dumps({"type": luck.choice(kinds), "key": "x", "seat": 1, "by": 1})
    if kind == 6:
        return json.dumps({"type": "offer", "what": nonsense(luck), "seat": nonsense(luck)})
    if kind == 7:
        return json.dumps({"type": nonsense(luck), "at": view["n"], "action": legal[0]})
    return json.dumps({"type": "act", "at": view["n"], "action": nonsense(luck), "seat": 1})


def test_hundreds_of_wrong_messages_change_nothing(client: TestClient) -> None:
    luck = random.Random(4)
    made = new_game(client, "fog_chess", None, None)
    with seat(client, made, 0) as socket, seat(client, made, 1) as other:
        events = [socket.receive_json(), socket.receive_json()]
        theirs = [other.receive_json(), other.receive_json()]
        for number in range(MESSAGES):
            message = wrong_message(luck, events[-1])
            if message == json.dumps({"type": "act", "at": 2, "action": "e2e4"}):
                continue
            if '"e2e4"' in str(message) and '"at": 2' in str(message):
                continue  # by chance a legal move
            if isinstance(message, bytes):
                socket.send_bytes(message)
            else:
                socket.send_text(message)
            answer = socket.receive_json()
            assert answer["type"] == "refused", message
            assert "\n" not in answer["why"]
            if number % 20 == 0:  # the seat that is not to move cannot do anything either
                other.send_json({"type": "act", "at": theirs[-1]["n"], "action": "e7e5"})
                assert other.receive_json() == {"type": "refused", "why": "it is not your turn"}
        move = {"type": "act", "at": 2, "action": "e2e4"}
        socket.send_json(move)
        after = socket.receive_json()
        assert (after["n"], after["type"], after["turn"]) == (3, "view", False)
        for _ in range(20):
            socket.send_json(move)
            assert socket.receive_json()["type"] == "refused"
        assert other.receive_json()["n"] == 3
    with seat(client, made, 0) as socket:
        assert [socket.receive_json() for _ in range(3)] == [*events, after]


def test_first_messages_that_open_nothing(client: TestClient) -> None:
    made, foreign = (new_game(client, "fog_chess", None, None) for _ in range(2))
    luck = random.Random(5)
    first = [
        {"type": "hello"},
        {"type": "hello", "key": foreign["keys"]["0"]},
        {"type": "act", "key": made["keys"]["0"]},
        *({"type": "hello", "key": nonsense(luck)} for _ in range(40)),
    ]
    for hello in first:
        with client.websocket_connect(f"/ws/games/{made['id']}") as socket:
            socket.send_text(json.dumps(hello))
            with pytest.raises(WebSocketDisconnect) as refused:
                socket.receive_json()
            assert refused.value.code == 4403
    for game in ("nothing", "%00", "..%2F..", "a" * 2000):
        with pytest.raises(WebSocketDisconnect), seat(client, {**made, "id": game}, 0) as socket:
            socket.receive_json()
    for since in (nonsense(luck) for _ in range(30)):
        with client.websocket_connect(f"/ws/games/{made['id']}") as socket:
            hello = {"type": "hello", "key": made["keys"]["0"], "since": since}
            socket.send_text(json.dumps(hello))
            if since not in (2, 10**40):
                assert socket.receive_json()["n"] in (1, 2)


def test_unknown_addresses_and_methods(client: TestClient) -> None:
    for address in ("/nothing", "/api/nothing", "/static/../app.py", "/static/%2e%2e/app.py"):
        assert client.get(address).status_code == 404
    assert client.delete("/api/games").status_code == 405
    assert client.get("/api/jobs/nothing").status_code in (400, 404)
    luck = random.Random(6)
    for _ in range(200):
        content = {
            "game": luck.choice(["kuhn_poker", nonsense(luck)]),
            "seats": luck.choice([[{}, {}], nonsense(luck), [nonsense(luck), nonsense(luck)]]),
            "clock": luck.choice([None, nonsense(luck), {"seconds": nonsense(luck)}]),
            "move_seconds": luck.choice([1, nonsense(luck)]),
        }
        answer = client.post("/api/games", content=json.dumps(content).encode())
        assert answer.status_code in (201, 400), content
        assert answer.status_code == 201 or "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    "agent",
    [
        "tabular:/etc/passwd",
        "deep:/etc/passwd",
        "search:uci:/bin/true",
        "search(evaluator='uci:/bin/true')",
        "search(evaluator='net:/etc/passwd')",
        "belief-vote:net:/etc/passwd",
        "all-seeing",
        "x" * 1000,
    ],
)
def test_agents_that_read_files_or_run_programs_are_refused(client: TestClient, agent: str) -> None:
    content = {"game": "fog_chess", "seats": [{}, {"agent": agent}]}
    assert client.post("/api/games", json=content).status_code == 400
    content = {"game": "cambia", "seats": [{}, {"agent": "deep:/etc/passwd"}]}
    assert client.post("/api/games", json=content).status_code == 400


@pytest.mark.parametrize("game", ["openspiel:chess", "leduc_poker(ranks=1000000000)"])
def test_games_that_are_not_offered(client: TestClient, game: str) -> None:
    content = {"game": game, "seats": [{}, {"agent": "random"}]}
    assert client.post("/api/games", json=content).status_code == 400


def test_too_many_games(tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite3", limits=Limits(games=3)) as client:
        for _ in range(3):
            new_game(client, "kuhn_poker", None, None)
        content = {"game": "kuhn_poker", "seats": [{}, {}]}
        answer = client.post("/api/games", json=content)
        assert answer.status_code == 429
        assert "too many" in answer.json()["error"]


def test_too_many_connections(tmp_path: Path) -> None:
    limits = Limits(sockets_per_seat=2, sockets=4)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        made = new_game(client, "kuhn_poker", None, None)
        with seat(client, made, 0) as one, seat(client, made, 0) as two:
            assert one.receive_json() == two.receive_json()
            with pytest.raises(WebSocketDisconnect) as refused, seat(client, made, 0) as three:
                three.receive_json()
            assert refused.value.code == 4429
            with seat(client, made, 1) as three, seat(client, made, 1) as four:
                assert three.receive_json() == four.receive_json()
                with pytest.raises(WebSocketDisconnect), seat(client, made, 0) as five:
                    five.receive_json()


def test_too_many_messages(tmp_path: Path) -> None:
    limits = Limits(message_burst=5, messages_per_second=20)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        made = new_game(client, "fog_chess", None, None)
        with seat(client, made, 0) as socket:
            socket.receive_json(), socket.receive_json()
            for _ in range(40):
                socket.send_json({"type": "nothing"})
            whys = [socket.receive_json()["why"] for _ in range(40)]
        assert whys.count("too many messages") > 5


def test_too_many_jobs(tmp_path: Path) -> None:
    lab = {"game": "leduc_poker", "algorithms": ["cfr"], "iterations": 10_000_000}
    with server(tmp_path / "games.sqlite3", limits=Limits(jobs=1)) as client:
        job = client.post("/api/lab", json=lab).json()
        answer = client.post("/api/lab", json=lab)
        assert answer.status_code in (400, 429)
        assert "busy with other jobs" in answer.json()["error"]
        client.post(f"/api/jobs/{job['id']}/stop")
        while client.get(f"/api/jobs/{job['id']}").json()["status"] != "stopped":
            pass
        assert client.post("/api/lab", json=lab).status_code == 201


def test_a_connection_that_reads_nothing_is_given_up() -> None:
    """What waits for it is bounded, and the others go on."""

    class Stuck:
        async def send_text(self, text: str) -> None:
            del text
            await asyncio.Event().wait()

    async def fill() -> None:
        outbox = live._Outbox(Stuck(), Limits(unsent_events=10))  # type: ignore[arg-type]
        for number in range(100):
            outbox.put({"n": number})
        assert outbox.closed
        assert outbox._queue.qsize() == 10
        await outbox.close()

    asyncio.run(fill())


def test_a_rate_limit_allows_bursts_and_a_mean() -> None:
    limit = RateLimit(10, 3, 0.0)
    assert [limit.allow(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert limit.allow(0.11)
    assert not limit.allow(0.12)


def test_a_connection_that_says_nothing_is_closed(tmp_path: Path) -> None:
    limits = Limits(hello_seconds=0.05)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        made = new_game(client, "kuhn_poker", None, None)
        with client.websocket_connect(f"/ws/games/{made['id']}") as socket:
            with pytest.raises(WebSocketDisconnect) as refused:
                socket.receive_json()
            assert refused.value.code == 4408


def test_sockets_of_other_pages_and_without_the_token(tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite3", token="se\u00e9cret") as client:
        headers = {"Authorization": "Bearer se\u00e9cret".encode()}
        content = {"game": "kuhn_poker", "seats": [{}, {}]}
        assert client.post("/api/games", json=content).status_code == 403
        answer = client.post("/api/games", json=content, headers=headers)
        made = answer.json() if answer.status_code == 201 else None
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect("/ws/games/x", headers={"Origin": "http://evil.example"}),
        ):
            pass
        if made is not None:
            for token in (None, "", "x", "\ud800", 3):
                with client.websocket_connect(f"/ws/games/{made['id']}") as socket:
                    hello = {"type": "hello", "key": made["keys"]["0"], "token": token}
                    socket.send_text(json.dumps(hello))
                    with pytest.raises(WebSocketDisconnect):
                        socket.receive_json()


def test_access_checks_hosts_and_origins() -> None:
    access = Access(("127.0.0.1", "localhost"))
    assert access.host_allowed("127.0.0.1:8000")
    assert not access.host_allowed("evil.example")
    assert not access.host_allowed("127.0.0.1.evil.example:8000")
    assert not access.host_allowed(None)
    assert access.origin_allowed("http://127.0.0.1:8000", "127.0.0.1:8000")
    for origin in ("http://127.0.0.1:8001", "null", "", "http://127.0.0.1:8000.evil.example"):
        assert not access.origin_allowed(origin, "127.0.0.1:8000")


def test_an_error_while_storing_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that cannot be stored is not shown; the game goes on from what is stored."""
    with server(tmp_path / "games.sqlite3", limits=LIMITS) as client:
        made = new_game(client, "fog_chess", None, None)
        with seat(client, made, 0) as socket:
            socket.receive_json(), socket.receive_json()

            def full(*given: object, **named: object) -> None:
                raise sqlite3.OperationalError("disk full")

            move = {"type": "act", "at": 2, "action": "e2e4"}
            with monkeypatch.context() as patch:
                patch.setattr(Storage, "add_steps", full)
                socket.send_json(move)
                answers = iter(socket.receive_json, None)
                with pytest.raises(WebSocketDisconnect):  # the browser connects again
                    list(answers)
        with seat(client, made, 0) as socket:
            assert [socket.receive_json()["n"] for _ in range(2)] == [1, 2]
            socket.send_json(move)
            assert socket.receive_json()["n"] == 3


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE steps SET step = 'x'",
        "UPDATE steps SET step = '[1]'",
        "UPDATE steps SET step = replace(step, 'e2e4', 'e2e5')",
        "UPDATE games SET setup = '{}'",
        "UPDATE games SET setup = x'ff'",
        "UPDATE games SET setup = replace(setup, 'fog_chess', 'kuhn_pokr')",
    ],
)
def test_a_damaged_game_is_refused_in_one_line(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "games.sqlite3"
    with server(file, limits=LIMITS) as client:
        made = new_game(client, "fog_chess", None, None)
        with seat(client, made, 0) as socket:
            socket.receive_json(), socket.receive_json()
            socket.send_json({"type": "act", "at": 2, "action": "e2e4"})
            socket.receive_json()
    with sqlite3.connect(file) as database:
        database.execute(damage)
    with server(file, limits=LIMITS) as client:
        with seat(client, made, 0) as socket, pytest.raises(WebSocketDisconnect) as refused:
            socket.receive_json()
        assert refused.value.code == 4403
        assert refused.value.reason
        headers = {"X-Seat-Key": made["keys"]["0"]}
        answer = client.get(f"/api/games/{made['id']}/review", headers=headers)
        assert answer.status_code in (400, 403, 404)
