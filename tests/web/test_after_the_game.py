"""Rematches, spectators, and records of games that end by resignation, agreement or time."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient, WebSocketTestSession

from fogtree.arena.record import read_record, replay, result_text
from fogtree.games.fog_chess.pgn import read_pgn
from fogtree.registry import load_game
from fogtree.web.game_log import GameLog
from fogtree.web.hub import GameHub
from fogtree.web.review import review_document
from fogtree.web.storage import GameSetup, SeatSetup, Step
from tests.support.web_games import new_game, seat


def until(socket: WebSocketTestSession, kind: str) -> dict[str, Any]:
    """The next event of a kind."""
    while (event := socket.receive_json())["type"] != kind:
        pass
    found: dict[str, Any] = event
    return found


def test_a_rematch_of_two_people(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        white.send_json({"type": "rematch"})
        assert until(white, "refused")["why"] == "the game is not over"
        white.send_json({"type": "resign"})
        until(white, "over"), until(black, "over")
        white.send_json({"type": "rematch"})
        assert white.receive_json() == {"type": "rematch", "by": 0}
        assert black.receive_json() == {"type": "rematch", "by": 0}
        black.send_json({"type": "rematch"})
        told = [white.receive_json(), black.receive_json()]
    assert told[0]["id"] == told[1]["id"]
    assert [one["seat"] for one in told] == [1, 0]
    assert told[0]["key"] != told[1]["key"]
    following = {"id": told[0]["id"], "keys": {"1": told[0]["key"], "0": told[1]["key"]}}
    for number in (0, 1):
        with seat(client, following, number) as socket:
            start = socket.receive_json()
            assert (start["seat"], start["previous"]) == (number, made["id"])
    with seat(client, made, 0) as white:  # told again when coming back
        assert until(white, "rematch") == told[0]
        white.send_json({"type": "rematch"})
        assert until(white, "rematch") == told[0]


def test_a_rematch_against_an_agent(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, "greedy")
    with seat(client, made, 0) as white:
        white.send_json({"type": "resign"})
        until(white, "over")
        white.send_json({"type": "rematch"})
        told = until(white, "rematch")
    assert told["seat"] == 1
    with seat(client, {"id": told["id"], "keys": {"1": told["key"]}}, 1) as black:
        assert until(black, "start")["players"] == ["greedy", "person"]
        while not until(black, "view")["turn"]:
            pass


def test_spectators_see_the_game_when_it_is_over(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)
    key, review = made["spectator_key"], f"/api/games/{made['id']}/review"
    assert client.get(review, headers={"X-Seat-Key": key}).status_code == 409
    guest = {"id": made["id"], "keys": {"0": key}}
    with seat(client, made, 0) as white, seat(client, guest, 0) as watching:
        assert watching.receive_json() == {"type": "wait"}
        white.send_json({"type": "act", "at": 2, "action": "e2e4"})
        for wrong in ("act", "resign", "offer", "look", "rematch"):
            watching.send_json({"type": wrong, "at": 2, "action": "e2e4"})
            assert watching.receive_json()["why"] == "spectators only watch"
        white.send_json({"type": "resign"})
        assert watching.receive_json()["type"] == "over"
    assert len(client.get(review, headers={"X-Seat-Key": key}).json()["plies"]) == 2


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([("action", "e2e4", 0), ("action", "e7e5", 1)], []),
        ([("action", "e2e4", 0), ("fail", "", 1), ("action", "e7e5", 1)], [{"by": 1, "ply": 1}]),
        (  # the moves before the failure are taken back, and the agent still plays at random
            [
                *[("action", "e2e4", 0), ("action", "e7e5", 1), ("action", "d2d4", 0)],
                *[("fail", "", 1), ("action", "d7d5", 1), ("takeback", "0", 0)],
                *[("action", "a2a3", 0), ("action", "a7a6", 1)],
            ],
            [{"by": 1, "ply": 0}],
        ),
        (  # a failure is taken back before anybody was told of it: the agent is asked again
            [
                *[("action", "e2e4", 0), ("fail", "", 1), ("takeback", "0", 0)],
                *[("action", "a2a3", 0), ("action", "a7a6", 1)],
            ],
            [],
        ),
    ],
)
def test_a_review_says_from_where_on_an_agent_played_at_random(
    steps: list[tuple[str, str, int]], expected: list[dict[str, int]]
) -> None:
    seats = (SeatSetup(key="a"), SeatSetup(agent="random"))
    log = GameLog(GameSetup("g", "fog_chess", seats, "seed", 0.0, "watch"), load_game("fog_chess"))
    log.apply_all([Step(kind, value, seat, 0.0) for kind, value, seat in steps])
    log.apply(Step("resign", "", 0, 0.0))
    assert review_document(log)["failures"] == expected


def finished(client: TestClient, how: str) -> tuple[dict[str, Any], dict[str, str]]:
    clock = {"seconds": 3600} if how == "time" else None
    made = new_game(client, "fog_chess", None, None, clock=clock)
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        white.send_json({"type": "act", "at": 2, "action": "e2e4"})
        if how == "agreement":
            white.send_json({"type": "offer", "what": "draw"})
            until(black, "offer")
            black.send_json({"type": "accept"})
        elif how == "resignation":
            black.send_json({"type": "resign"})
        else:
            while not (view := black.receive_json()).get("turn"):
                pass
            hub: GameHub = client.app.state.hub  # type: ignore[attr-defined]
            hub._sessions[made["id"]]._began -= 3601  # an hour goes by
            black.send_json({"type": "act", "at": view["n"], "action": "e7e5"})
        until(black, "over")
    return made, {"X-Seat-Key": made["keys"]["0"]}


@pytest.mark.parametrize(
    ("how", "words", "termination"),
    [
        ("resignation", "White wins: black resigned", "black resigned"),
        ("agreement", "Drawn by agreement", "drawn by agreement"),
        ("time", "White wins: black ran out of time", "black ran out of time"),
    ],
)
def test_records_say_how_a_game_ended(
    client: TestClient, how: str, words: str, termination: str
) -> None:
    made, key = finished(client, how)
    text = client.get(f"/api/games/{made['id']}/record", headers=key).text
    record = read_record(text)
    assert read_record(record.to_json()) == record
    end = list(replay(record))[-1]
    assert result_text(load_game("fog_chess"), record, end) == words
    assert record.ended == (None if how == "resignation" else how)
    pgn = client.get(f"/api/games/{made['id']}/record.pgn", headers=key).text
    assert f'[Termination "{termination}"]' in pgn
    (again,) = read_pgn(pgn)
    assert (again.steps, again.returns) == (record.steps, record.returns)
    assert (again.resigned, again.ended) == (record.resigned, record.ended)
    assert client.get(f"/api/games/{made['id']}/record.exe", headers=key).status_code == 404
    assert json.loads(text)["returns"] == list(record.returns)


def test_the_pgn_of_a_game_with_a_clock_has_its_times(client: TestClient) -> None:
    seats: dict[str, Any] = {"game": "fog_chess", "seats": [{}, {}]}
    made = client.post(
        "/api/games", json={**seats, "clock": {"seconds": 6000, "increment": 2}}
    ).json()
    key = {"X-Seat-Key": made["keys"]["0"]}
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        white.send_json({"type": "act", "at": 2, "action": "f2f3"})
        until(white, "view"), until(white, "view")
        black.send_json({"type": "resign"})
        until(black, "over")
        until(white, "over")
    pgn = client.get(f"/api/games/{made['id']}/record.pgn", headers=key).text
    assert '[TimeControl "6000+2"]' in pgn
    assert re.search(r"1\.\s+f3\s+\{\[%clk 1:(3\d|40):\d\d\]", pgn)
    opened = client.post("/api/records", json={"name": "game.pgn", "text": pgn})
    assert opened.status_code in (200, 201), opened.text
    assert next(read_pgn(pgn)).steps == ("f2f3",)


def test_the_verdicts_of_a_review_are_in_the_pgn_once_the_game_is_over(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)
    key, asked = {"X-Seat-Key": made["keys"]["0"]}, {"signs": "??,,"}
    address = f"/api/games/{made['id']}/record.pgn"
    with seat(client, made, 0) as white:
        white.send_json({"type": "act", "at": 2, "action": "f2f3"})
        until(white, "view"), until(white, "view")  # before the move and after it
        assert client.get(address, params=asked, headers=key).status_code == 409
        white.send_json({"type": "resign"})
        until(white, "over")
    assert "1. f3 $4 0-1" in client.get(address, params={**asked, "views": "no"}, headers=key).text
    wrong = client.get(address, params={"signs": "{x}"}, headers=key)
    assert (wrong.status_code, wrong.json()["error"]) == (400, "signs of moves are !, ?, !!, ??")


def test_files_say_who_played_and_when(client: TestClient) -> None:
    before = date.today()
    made, key = finished(client, "resignation")
    possible = {before.isoformat(), date.today().isoformat()}  # midnight may have passed
    review = client.get(f"/api/games/{made['id']}/review", headers=key).json()
    record = read_record(client.get(f"/api/games/{made['id']}/record", headers=key).text)
    assert {review["date"], record.date} <= possible
    pgn = client.get(f"/api/games/{made['id']}/record.pgn", headers=key).text
    day = str(record.date).replace("-", ".")
    names = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
    readers = {
        made["keys"]["0"]: ("You", "Black"),
        made["keys"]["1"]: ("White", "You"),
        made["spectator_key"]: ("White", "Black"),
    }
    for reader, players in readers.items():
        address = f"/api/games/{made['id']}/record.pgn"
        text = client.get(address, headers={"X-Seat-Key": reader}).text
        roster = ("Fog-of-War chess", "local", day, "-", *players, "1-0")
        tags = re.findall(r'\[(\w+) "([^"]*)"\]', text)
        assert tags[:7] == list(zip(names, roster, strict=True))
    assert next(read_pgn(pgn)).date == record.date
    # A game from a file keeps the day on which it was played, or has none.
    for text, expected in (
        (pgn.replace(day, "1851.06.21"), "1851-06-21"),
        (pgn.replace(day, "????.??.??"), None),
    ):
        opened = client.post("/api/records", json={"name": "game.pgn", "text": text}).json()
        watching = {"X-Seat-Key": opened["spectator_key"]}
        again = client.get(f"/api/games/{opened['id']}/record.pgn", headers=watching).text
        assert next(read_pgn(again)).date == expected


@pytest.mark.parametrize("ending", ["", ".jsonl", ".pgn"])
def test_a_running_game_has_no_file_for_anybody(client: TestClient, ending: str) -> None:
    made = new_game(client, "fog_chess", None, None)
    for key in (made["keys"]["0"], made["keys"]["1"], made["spectator_key"]):
        answer = client.get(f"/api/games/{made['id']}/record{ending}", headers={"X-Seat-Key": key})
        assert (answer.status_code, answer.json()) == (409, {"error": "the game is not over"})
