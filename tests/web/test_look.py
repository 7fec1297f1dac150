"""Looks into the fog during a game, and analyses after it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient, WebSocketTestSession

from fogtree.games.fog_chess.belief import FogBelief
from fogtree.games.fog_chess.game import FogChess
from fogtree.games.fog_chess.web_look import look_document
from fogtree.web.limits import Limits
from tests.support.web_games import new_game, play_to_the_end, seat, server
from tests.support.web_jobs import events_until_end


def looks(socket: WebSocketTestSession) -> list[dict[str, Any]]:
    """The events of a look until it is done."""
    events = [socket.receive_json()]
    while not events[-1]["done"]:
        events.append(socket.receive_json())
    return events


def test_a_look_has_the_mix_and_the_belief_of_the_own_side(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, "random")
    with seat(client, made, 0) as socket:
        socket.receive_json()
        view = socket.receive_json()
        for _ in range(3):
            socket.send_json(
                {"type": "act", "at": view["n"], "action": view["actions"][0]["action"]}
            )
            assert not socket.receive_json()["turn"]
            view = socket.receive_json()
            assert view["turn"]
        socket.send_json({"type": "look", "seconds": 0.3})
        events = looks(socket)
    assert {event["type"] for event in events} == {"look"}
    assert all("n" not in event for event in events)
    last = events[-1]
    legal = {action["action"]: action["label"] for action in view["actions"]}
    assert {c["action"]: c["label"] for c in last["candidates"]} == legal
    assert sum(c["probability"] for c in last["candidates"]) == pytest.approx(1, abs=0.01)
    assert last["at"] == view["n"]
    assert last["nodes"] > 0
    assert 0 <= last["p_max"] <= 1
    assert (
        last["positions"] >= len(last["boards"]) > 0
    )  # the opponent's moves are not the same each time
    shown = sum(board["share"] for board in last["boards"])
    assert last["more_boards"] or shown == pytest.approx(1, abs=0.001)
    assert sum(last["marginals"]["k"]) == pytest.approx(1, abs=0.01)
    assert set(last["marginals"]) == set("kqrbnp")
    own = [mark for mark in view["view"]["marks"] if mark.isupper()]
    for board in last["boards"]:
        assert sorted(mark for mark in board["marks"] if mark.isupper()) == sorted(own)


def next_turn(socket: WebSocketTestSession) -> dict[str, Any]:
    """The next view in which the seat is to move."""
    while not (view := socket.receive_json()).get("turn"):
        assert view["type"] != "over", view
    return dict(view)


def play(socket: WebSocketTestSession, view: dict[str, Any], action: str) -> None:
    socket.send_json({"type": "act", "at": view["n"], "action": action})


UNSEEN = ("c7c6", "f7f6")
"""Moves of Black, which White does not see early in a game."""


def test_positions_keep_their_probabilities_while_one_looks(client: TestClient) -> None:
    """Within a look, and in a second look at the same decision."""
    made = new_game(client, "fog_chess", None, None)
    learnt = []
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        for answer in (*UNSEEN, None):
            view, found = next_turn(white), []
            for seconds in (0.1, 0.5):
                white.send_json({"type": "look", "seconds": seconds})
                found += looks(white)
            assert {event["at"] for event in found} == {view["n"]}
            shown = [
                {
                    **{name: event[name] for name in ("even", "marginals", "positions")},
                    "boards": [(board["marks"], board["share"]) for board in event["boards"]],
                }
                for event in found
            ]
            assert all(one == shown[0] for one in shown)
            learnt.append(found[0]["positions"] > 1 and not found[0]["even"])
            if answer is None:
                break  # another move of White's could take the king
            # The next look expects what this one expected after its own move.
            best = max(found[-1]["candidates"], key=lambda one: one["probability"])
            play(white, view, best["action"])
            play(black, next_turn(black), answer)
    assert learnt[0] is False
    assert any(learnt)


def test_the_first_look_into_a_game_counts_all_positions_the_same(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        for action, answer in zip(("e2e4", "d2d4"), UNSEEN, strict=True):
            play(white, next_turn(white), action)
            play(black, next_turn(black), answer)
        next_turn(white)
        white.send_json({"type": "look", "seconds": 0.2})
        found = looks(white)
    assert found[0]["positions"] > 1
    assert all(event["even"] for event in found)
    shares = [board["share"] for board in found[-1]["boards"]]
    assert min(shares) >= 0.9 / found[0]["positions"]


def test_up_to_twenty_boards_are_all_shown() -> None:
    state = FogChess().root().child("g1f3")
    belief = FogBelief.start(player=0).after_own_move("g1f3", state.observation(0))
    sizes = []
    for answer, own in (("a7a6", "b1c3"), ("b7b6", "a2a3")):
        state = state.child(answer)
        belief = belief.after_other_move(state.observation(0))
        found = look_document(belief, (), 0)
        sizes.append(len(belief))
        assert len(found["boards"]) == (len(belief) if len(belief) <= 20 else 12)
        assert found["more_boards"] == (len(belief) > 20)
        state = state.child(own)
        belief = belief.after_own_move(own, state.observation(0))
    assert sizes[0] <= 20 < sizes[1]


def test_a_look_while_the_other_side_thinks_shows_the_belief(tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite3", limits=Limits(agent_seconds=30)) as client:
        made = new_game(client, "fog_chess", None, "random")
        with seat(client, made, 0) as socket:
            socket.receive_json()
            view = socket.receive_json()
            socket.send_json({"type": "act", "at": view["n"], "action": "e2e4"})
            assert not socket.receive_json()["turn"]
            socket.send_json({"type": "look"})
            (only,) = looks(socket)
    assert only["positions"] == 1
    assert only["candidates"] == []


def test_compiled_games_list_their_positions(client: TestClient) -> None:
    made = new_game(client, "kuhn_poker", None, "search(steps=20)")
    with seat(client, made, 0) as socket:
        events = [socket.receive_json() for _ in range(2)]
        while not events[-1].get("turn"):
            events.append(socket.receive_json())
        socket.send_json({"type": "look", "seconds": 0.1})
        last = looks(socket)[-1]
        assert last["possible"]
        assert sum(one["share"] for one in last["possible"]) == pytest.approx(1)
        view = events[-1]
        action = view["actions"][0]["action"]
        socket.send_json({"type": "act", "at": view["n"], "action": action})
        assert play_to_the_end(socket, random.Random(1))[-1]["type"] == "over"


def refused(socket: WebSocketTestSession, message: dict[str, Any]) -> str:
    socket.send_json(message)
    answer = socket.receive_json()
    assert answer["type"] == "refused"
    return str(answer["why"])


def test_looks_that_are_refused(tmp_path: Path) -> None:
    limits = Limits(looks=1, look_seconds=3600)  # a look ends only because it is ended
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        serious = new_game(client, "fog_chess", None, "random", casual=False)
        with seat(client, serious, 0) as socket:
            socket.receive_json(), socket.receive_json()
            assert "not a casual game" in refused(socket, {"type": "look", "seconds": 1})
        many = new_game(client, "cambia(players=3)", None, "random", "random")
        with seat(client, many, 0) as socket:
            while not socket.receive_json().get("turn"):
                pass
            assert "more than two players" in refused(socket, {"type": "look"})
        first, second = (new_game(client, "fog_chess", None, "random") for _ in range(2))
        with seat(client, first, 0) as socket, seat(client, second, 0) as other:
            for one in (socket, other):
                one.receive_json(), one.receive_json()
            for wrong in (0, -1, 3601, 1e300, "1", True, [], {}):
                assert "a look takes" in refused(socket, {"type": "look", "seconds": wrong})
            socket.send_json({"type": "look", "seconds": 3600})
            assert not socket.receive_json()["done"]
            assert "busy with other looks" in refused(other, {"type": "look"})
            socket.send_json({"type": "act", "at": 2, "action": "e2e4"})  # ends the look
            while (event := socket.receive_json())["type"] == "look":
                pass
            assert event["type"] == "view"


def test_a_second_look_takes_the_place_of_the_first(tmp_path: Path) -> None:
    limits = Limits(looks=1, look_seconds=3600)  # the first look ends only because it is ended
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        made = new_game(client, "fog_chess", None, "random")
        with seat(client, made, 0) as socket:
            socket.receive_json(), socket.receive_json()
            socket.send_json({"type": "look", "seconds": 3600})
            assert not socket.receive_json()["done"]
            for _ in range(3):  # of several the last counts
                socket.send_json({"type": "look", "seconds": 0.1})
            while not (event := socket.receive_json()).get("done"):
                assert event["type"] == "look"


def test_a_look_restarts_after_a_take_back_and_a_move(tmp_path: Path) -> None:
    limits = Limits(looks=1, look_seconds=3600)
    with server(tmp_path / "games.sqlite3", limits=limits) as client:
        made = new_game(client, "fog_chess", None, "random")
        with seat(client, made, 0) as socket:
            asked = 0
            for action in ("e2e4", "takeback", "e2e4", None):
                while (event := socket.receive_json())["type"] != "view" or not event["turn"]:
                    assert event["type"] != "refused", event
                socket.send_json({"type": "look", "seconds": 3600 if action else 0.1})
                asked = event["n"]
                if action == "takeback":
                    socket.send_json({"type": "offer", "what": "takeback"})
                elif action is not None:
                    socket.send_json({"type": "act", "at": asked, "action": action})
            last = looks(socket)[-1]
    assert last["at"] == asked
    assert last["done"]


def test_the_analysis_of_a_finished_game(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, "random")
    address = f"/api/games/{made['id']}/analysis"
    key = {"X-Seat-Key": made["keys"]["0"]}
    asked = {"seat": 1, "ply": 3, "seconds": 0.1}
    assert client.post(address, json=asked, headers=key).status_code == 409
    with seat(client, made, 0) as socket:
        for _ in range(3):
            while not (view := socket.receive_json()).get("turn"):
                pass
            socket.send_json(
                {"type": "act", "at": view["n"], "action": view["actions"][0]["action"]}
            )
        while not socket.receive_json().get("turn"):
            pass
        socket.send_json({"type": "resign"})
        while socket.receive_json()["type"] != "over":
            pass
    assert client.post(address, json=asked).status_code == 404
    for wrong in ({"seat": 2}, {"seat": 0, "ply": 1000}, {"seat": 0, "seconds": -1}, {}):
        assert client.post(address, json=wrong, headers=key).status_code == 400
    job = client.post(address, json=asked, headers=key).json()
    events = events_until_end(client, job["id"])
    assert events[-1]["status"] == "done"
    assert events[-2]["done"]
    assert len(events[-2]["candidates"]) > 5
    spectator = {"X-Seat-Key": made["spectator_key"]}
    job = client.post(address, json={"seat": 0, "seconds": 0.1}, headers=spectator).json()
    events = events_until_end(client, job["id"])
    looked = [event["ply"] for event in events if event["type"] == "look"]
    assert looked == [0, 2, 4, 6]  # there may be surprises between them
