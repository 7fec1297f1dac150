"""The server: games from the first to the last move, keys, wrong messages, restarts."""

from __future__ import annotations

import json
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from fogtree.games.fog_chess.levels import LEVELS
from fogtree.registry import load_game
from fogtree.web.game_log import GameLog
from fogtree.web.storage import GameSetup, SeatSetup
from tests.support.web_games import new_game, play_to_the_end, seat, server


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "fog_chess", "cambia"])
def test_a_whole_game_against_an_agent(client: TestClient, game: str) -> None:
    made = new_game(client, game, None, "random")
    with seat(client, made, 0) as socket:
        events = play_to_the_end(socket, random.Random(1))
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert events[0]["type"] == "start"
    assert sum(events[-1]["returns"]) == pytest.approx(0)
    key = {"X-Seat-Key": made["keys"]["0"]}
    review = client.get(f"/api/games/{made['id']}/review", headers=key).json()
    assert review["returns"] == events[-1]["returns"]
    assert review["plies"][0]["action"] is None


@pytest.mark.parametrize(
    "game",
    [
        "phantom_ttt(rows=3, columns=3, max_plies=9)",
        "battleship(height=4, width=4, ships=[3, 2], shots=10)",
    ],
)
def test_search_plays_games_that_are_too_large_to_be_compiled(
    client: TestClient, game: str
) -> None:
    found = client.get("/api/agents", params={"game": game}).json()
    assert "search" in found["opponents"]
    for number, seats in enumerate([(None, "search"), ("search", None)]):
        made = new_game(client, game, *seats)
        with seat(client, made, number) as socket:
            events = play_to_the_end(socket, random.Random(1))
        assert events[-1]["reason"] == "the game is over"


def test_a_ping_is_answered_after_the_events_so_far(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)
    for since, events in ((0, ["start", "view", "pong"]), (1, ["view", "pong"]), (2, ["pong"])):
        with seat(client, made, 0, since) as socket:
            socket.send_json({"type": "ping"})
            assert [socket.receive_json()["type"] for _ in events] == events


def test_people_learn_who_is_there(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)

    def present(socket: WebSocketTestSession) -> list[int]:
        socket.send_json({"type": "present"})
        while (event := socket.receive_json())["type"] != "present":
            pass
        seats: list[int] = event["seats"]
        return seats

    with seat(client, made, 0) as white:
        assert present(white) == [0]
        with seat(client, made, 1) as black:
            assert present(black) == [0, 1]
            assert present(white) == [0, 1]


def test_two_people_take_turns(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, None)
    with seat(client, made, 0) as white, seat(client, made, 1) as black:
        for socket in (white, black):
            assert socket.receive_json()["type"] == "start"
        first, theirs = white.receive_json(), black.receive_json()
        assert first["turn"]
        assert not theirs["turn"]
        assert theirs["actions"] == []
        black.send_json({"type": "act", "at": theirs["n"], "action": "e7e5"})
        assert black.receive_json() == {"type": "refused", "why": "it is not your turn"}
        white.send_json({"type": "act", "at": first["n"], "action": "e2e4"})
        assert not white.receive_json()["turn"]
        seen = black.receive_json()
        assert seen["turn"]
        assert "e2e4" not in json.dumps(seen)
        white.send_json({"type": "offer", "what": "draw"})
        assert black.receive_json()["what"] == "draw"
        black.send_json({"type": "accept"})
        over = black.receive_json()
        assert over["type"] == "over"
        assert over["returns"] == [0.0, 0.0]


def test_a_late_or_repeated_move_changes_nothing(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, "random")
    with seat(client, made, 0) as socket:
        socket.receive_json()
        view = socket.receive_json()
        move = {"type": "act", "at": view["n"], "action": "e2e4"}
        socket.send_json({**move, "at": view["n"] - 1})
        assert "gone on" in socket.receive_json()["why"]
        socket.send_json({**move, "action": "e2e5"})
        assert "legal" in socket.receive_json()["why"]
        socket.send_json(move)
        socket.send_json(move)
        kinds = [socket.receive_json()["type"] for _ in range(3)]
        assert kinds.count("refused") == 1


def test_a_key_opens_its_own_game_only(client: TestClient) -> None:
    made, other = (new_game(client, "kuhn_poker", None, "random") for _ in range(2))
    with pytest.raises(WebSocketDisconnect), seat(client, {**made, "keys": other["keys"]}, 0) as s:
        s.receive_json()
    headers = {"X-Seat-Key": other["keys"]["0"]}
    assert client.get(f"/api/games/{made['id']}/review", headers=headers).status_code == 404
    headers = {"X-Seat-Key": made["keys"]["0"]}
    assert client.get(f"/api/games/{made['id']}/review", headers=headers).status_code == 409


def test_a_wrong_key_and_an_unknown_game_are_answered_alike(client: TestClient) -> None:
    made, other = (new_game(client, "kuhn_poker", None, "random") for _ in range(2))
    foreign = other["keys"]["0"]
    answers, closed = [], []
    for game in (made["id"], "AAAAAAAAAAAA"):
        answer = client.get(f"/api/games/{game}/review", headers={"X-Seat-Key": foreign})
        answers.append((answer.status_code, answer.json()))
        asked = {"id": game, "keys": {"0": foreign}}
        with pytest.raises(WebSocketDisconnect) as end, seat(client, asked, 0) as socket:
            socket.receive_json()
        closed.append((end.value.code, end.value.reason))
    assert answers[0] == answers[1]
    assert closed[0] == closed[1]
    assert "check that it is complete" in closed[0][1]


def test_the_list_of_games_has_rules_and_says_what_cannot_be_solved(client: TestClient) -> None:
    games = {one["name"]: one for one in client.get("/api/games").json()["games"]}
    assert all(len(one["rules"]) > 80 for one in games.values())
    assert not [name for name, one in games.items() if "_" in one["rules"]]  # no parameters' names
    assert games["kuhn_poker"]["reading"].startswith("your card, then what was done")
    for one in games.values():
        assert list(one["agent_summaries"]) == one["agents"]
        assert all(line.endswith(".") for line in one["agent_summaries"].values())
    large = {name for name, one in games.items() if one["too_large"]}
    assert large == {"fog_chess", "cambia"}
    why = "Fog-of-War chess is too large to be solved here: by estimate it has more than"
    assert games["fog_chess"]["too_large"].startswith(why)
    assert games["fog_chess"]["seats"] == ["white", "black"]
    assert games["kuhn_poker"]["seats"][:2] == ["first player", "second player"]


def test_only_small_games_offer_the_equilibrium(client: TestClient) -> None:
    games = {one["name"]: one["opponents"] for one in client.get("/api/games").json()["games"]}
    assert "equilibrium" in games["leduc_poker"]
    assert "equilibrium" not in games["liars_dice"]


@pytest.mark.parametrize(
    ("game", "agents", "seeing"),
    [
        ("leduc_poker(ranks=10)", {"random", "search"}, set()),
        ("liars_dice(sides=2)", {"random", "equilibrium", "search"}, set()),
        ("kuhn_poker(players=3)", {"random"}, set()),
        ("goofspiel(cards=13)", {"random", "search"}, set()),
        ("fog_chess(rules='attacks')", None, {"all-seeing"}),
        ("cambia(players=3)", None, {"greedy"}),
    ],
)
def test_agents_are_those_of_the_parameters(
    client: TestClient, game: str, agents: set[str] | None, seeing: set[str]
) -> None:
    found = client.get("/api/agents", params={"game": game}).json()
    names = set(found["agents"])
    assert agents is None or names == agents
    assert set(found["sees_everything"]) == seeing
    assert set(found["opponents"]) == names - seeing
    assert set(found["agent_summaries"]) == names


def test_rules_are_those_of_the_parameters(client: TestClient) -> None:
    found = client.get("/api/rules", params={"game": "kuhn_poker(players=3, ante=4)"}).json()
    assert found["rules"].startswith("Each player puts 4 chips into the pot and gets one of four")
    for game in ("kuhn_poker(ante=-3)", "nonsense", "openspiel:kuhn_poker", ""):
        answer = client.get("/api/rules", params={"game": game})
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]


def test_agents_of_impossible_parameters_are_refused_in_one_line(client: TestClient) -> None:
    for game in ("leduc_poker(ranks=-3)", "nonsense", "openspiel:kuhn_poker", ""):
        answer = client.get("/api/agents", params={"game": game})
        assert answer.status_code == 400
        assert "\n" not in answer.json()["error"]


def test_an_agent_that_cannot_play_a_game_of_this_size_is_refused(client: TestClient) -> None:
    wanted = {"game": "liars_dice", "seats": [{}, {"agent": "equilibrium"}]}
    answer = client.post("/api/games", json=wanted)
    assert answer.status_code == 400
    assert "information sets are solved at once" in answer.json()["error"]


def test_an_unknown_address_is_a_page(client: TestClient) -> None:
    for path in ("/nonsense", "/play/too/far", "/chess/too/far"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.text == client.get("/").text
    for path in ("/api/nonsense", "/static/nonsense.js"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert answer.json() == {"error": "there is nothing at this address"}


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"game": 3},
        {"game": "no_such_game", "seats": [{}]},
        {"game": "kuhn_poker", "seats": [{}]},
        {"game": "kuhn_poker", "seats": [{"agent": "random"}, {"agent": "random"}]},
        {"game": "kuhn_poker", "seats": [{}, {"agent": "nobody"}]},
        {"game": "fog_chess", "seats": [{}, {"agent": "all-seeing:simple"}]},
        {"game": "fog_chess", "seats": [{}, {"agent": "random"}], "clock": {"seconds": -1}},
        {"game": "fog_chess", "seats": [{}, {"agent": "random"}], "move_seconds": 1e9},
        {"game": 'fog_chess(fen="nonsense")', "seats": [{}, {"agent": "random"}]},
    ],
)
def test_a_wrong_request_is_one_line(client: TestClient, request_: dict[str, Any]) -> None:
    answer = client.post("/api/games", json=request_)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize("field", ["seed", "color\nd", "\ud800"])
def test_a_new_game_has_no_other_fields(client: TestClient, field: str) -> None:
    """Not a seed either: whoever chose it could compute what is hidden."""
    content = {"game": "kuhn_poker", "seats": [{}, {"agent": "random"}], field: "1"}
    answer = client.post("/api/games", content=json.dumps(content).encode())
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("unknown field of a new game '")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("casual", "yes"),
        ("casual", 1),
        ("casual", None),
        ("move_seconds", "1"),
        ("move_seconds", True),
        ("clock", 60),
        ("clock", {"seconds": "60"}),
        ("previous", 3),
        ("seats", {}),
        ("seats", [None, {"agent": "random"}]),
        ("seats", [{}, {"agent": ["random"]}]),
        ("seats", [{}, {"agent": "random", "name": 3}]),
    ],
)
def test_a_field_of_the_wrong_type_is_refused(
    client: TestClient, field: str, value: object
) -> None:
    content = {"game": "kuhn_poker", "seats": [{}, {"agent": "random"}], field: value}
    answer = client.post("/api/games", json=content)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(field)
    assert " must be " in answer.json()["error"]


def test_parameters_of_games_say_which_values_they_take(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()["games"]}
    found = {p["name"]: p for g in ("leduc_poker", "goofspiel") for p in games[g]["parameters"]}
    assert found["ranks"]["kind"] == "whole number"
    assert (found["suits"]["minimum"], found["suits"]["maximum"]) == (1, 4)
    assert (found["raises"]["minimum"], found["raises"]["maximum"]) == (0, None)
    assert found["suit_isomorphism"]["kind"] == "switch"
    assert found["points"]["choices"] == ["descending", "ascending", "random"]
    cambia = {p["name"]: p for p in games["cambia"]["parameters"]}
    assert (cambia["hand"]["kind"], cambia["hand"]["default"]) == ("whole number", None)
    assert cambia["snap_window"]["choices"] == ["eligible", "always"]
    battleship = {p["name"]: p for p in games["battleship"]["parameters"]}
    assert (battleship["ships"]["kind"], battleship["loss_multiplier"]["kind"]) == (
        "list",
        "number",
    )


def test_requests_that_are_no_json_or_too_large(client: TestClient) -> None:
    assert client.post("/api/games", content=b"{").status_code == 400
    assert client.post("/api/games", content=b"[1]").status_code == 400
    assert client.post("/api/games", content=b"[" * 100_000).status_code == 413


def test_pages_of_others_and_other_hosts_are_refused(client: TestClient) -> None:
    content = {"game": "kuhn_poker", "seats": [{}, {"agent": "random"}]}
    other = {"Origin": "http://elsewhere.example"}
    assert client.post("/api/games", json=content, headers=other).status_code == 403
    assert client.get("/api/version", headers={"Host": "elsewhere.example"}).status_code == 403
    assert client.get("/api/version").headers["content-security-policy"].startswith("default-src")


def test_the_token_is_asked_for(tmp_path: Path) -> None:
    with server(tmp_path / "games.sqlite3", token="secret") as client:
        assert client.get("/api/games").status_code == 403
        headers = {"Authorization": "Bearer secret"}
        assert client.get("/api/games", headers=headers).status_code == 200


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    file, luck = tmp_path / "games.sqlite3", random.Random(3)
    with server(file) as client:
        made = new_game(client, "fog_chess", None, "greedy")
        before = []
        with seat(client, made, 0) as socket:
            while len(before) < 8:
                event = socket.receive_json()
                before.append(event)
                if event["type"] == "view" and event["turn"]:
                    action = luck.choice(event["actions"])["action"]
                    socket.send_json({"type": "act", "at": event["n"], "action": action})
    with server(file) as client:
        with seat(client, made, 0) as socket:
            again = [socket.receive_json() for _ in before]
            assert again == before
        with seat(client, made, 0, since=len(before)) as socket:
            assert play_to_the_end(socket, luck)[-1]["type"] == "over"


def test_taking_a_move_back(client: TestClient) -> None:
    made = new_game(client, "fog_chess", None, "random")
    with seat(client, made, 0) as socket:
        socket.receive_json()
        first = socket.receive_json()
        socket.send_json({"type": "act", "at": first["n"], "action": "e2e4"})
        socket.receive_json()
        assert socket.receive_json()["turn"]
        socket.send_json({"type": "offer", "what": "takeback"})
        assert socket.receive_json()["type"] == "offer"
        back = socket.receive_json()
        assert back["turn"]
        assert back["view"] == first["view"]


def test_a_card_that_was_taken_back_is_drawn_again(client: TestClient) -> None:
    made = new_game(client, "cambia", None, "random")

    def view_where(socket: WebSocketTestSession, phase: str) -> dict[str, Any]:
        while True:
            event = socket.receive_json()
            if event.get("turn") and event["view"]["phase"] == phase:
                found: dict[str, Any] = event
                return found
            if event.get("turn"):  # a question about a snap
                socket.send_json({"type": "act", "at": event["n"], "action": "pass"})

    cards = []
    with seat(client, made, 0) as socket:
        start = view_where(socket, "start")
        for _ in range(3):
            socket.send_json({"type": "act", "at": start["n"], "action": "draw"})
            cards.append(view_where(socket, "drawn")["view"]["drawn"])
            socket.send_json({"type": "offer", "what": "takeback"})
            start = view_where(socket, "start")
    assert cards[0] is not None
    assert cards == [cards[0]] * 3


def test_opponents_are_listed_from_easy_to_hard(client: TestClient) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()["games"]}
    for game in games.values():
        levels = [game["agent_levels"][name] for name in game["opponents"]]
        order = ["easy", "medium", "hard", None]
        assert levels == sorted(levels, key=order.index)
    assert games["cambia"]["agent_titles"]["memory_heuristic"] == "Memory heuristic"
    assert games["cambia"]["agent_levels"]["memory_heuristic"] == "medium"


def test_the_levels_of_a_game_are_those_of_its_registry_and_can_be_played(
    client: TestClient,
) -> None:
    games = {game["name"]: game for game in client.get("/api/games").json()["games"]}
    assert games["kuhn_poker"]["levels"] == []
    levels = games["fog_chess"]["levels"]
    assert levels == [asdict(level) for level in LEVELS]
    for level in levels:
        seats = [{}, {"agent": level["agent"], "name": level["name"]}]
        asked = {"game": "fog_chess", "seats": seats, "move_seconds": level["seconds"]}
        assert client.post("/api/games", json=asked).status_code == 201


def test_the_sizes_of_a_game_can_be_played(client: TestClient) -> None:
    sized = [game for game in client.get("/api/games").json()["games"] if game["sizes"]]
    assert sized
    for game in sized:
        kinds = {one["name"]: one["kind"] for one in game["parameters"]}
        for given in game["sizes"].values():
            texts = [f"{k}=[{v}]" if kinds[k] == "list" else f"{k}={v}" for k, v in given.items()]
            spec = f"{game['name']}({', '.join(texts)})"
            answer = client.post(
                "/api/games", json={"game": spec, "seats": [{}, {"agent": "random"}]}
            )
            assert answer.status_code == 201, answer.text


NO_BLACK_KING = "8/8/8/8/8/8/8/K7 b - - 0 1"


def test_no_game_begins_where_it_is_over(client: TestClient) -> None:
    spec = f'fog_chess(fen="{NO_BLACK_KING}")'
    answer = client.post("/api/games", json={"game": spec, "seats": [{}, {"agent": "random"}]})
    assert answer.status_code == 400
    assert "the game is over where it should begin" in answer.json()["error"]
    asked = client.post("/api/analysis", json={"game": spec})
    assert (asked.status_code, asked.json()["error"]) == (400, "the game is over in this position")
    checked = client.post("/api/analysis/check", json={"game": spec})
    told = {"problem": "the game is over in this position"}
    assert (checked.status_code, checked.json()) == (200, told)
    good = client.post("/api/analysis/check", json={"game": "fog_chess"})
    assert (good.status_code, good.json()) == (200, {"problem": None})


def test_a_stored_game_that_is_over_where_it_begins_has_its_result() -> None:
    seats = (SeatSetup(key="a"), SeatSetup(agent="random"))
    spec = f'fog_chess(fen="{NO_BLACK_KING}")'
    setup = GameSetup("g", spec, seats, "seed", 0.0, "watch")
    log = GameLog(setup, load_game(spec))
    assert log.result is not None
    assert log.result.returns == (1.0, -1.0)
    assert log.logs[0][-1]["type"] == "over"


def test_people_are_told_that_a_game_stopped(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> None:
        raise ArithmeticError

    monkeypatch.setattr("fogtree.web.players.Players.decide", fails)
    made = new_game(client, "fog_chess", "random", None)
    with seat(client, made, 1) as black:
        while (event := black.receive_json())["type"] != "refused":
            pass
    assert event["why"].startswith("the server had an error in this game")
