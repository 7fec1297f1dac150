"""What an equilibrium would have done in a finished hand."""

from __future__ import annotations

import random
from dataclasses import replace
from threading import Event
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

import fogtree
from fogtree.agents.equilibrium import SolvedGame, solved_game
from fogtree.evaluate import inspect
from fogtree.game import Game
from fogtree.registry import load_game
from fogtree.tree import compile
from fogtree.web import equilibrium
from fogtree.web.equilibrium import equilibrium_document
from fogtree.web.game_log import GameLog
from fogtree.web.opened_records import recorded_steps
from fogtree.web.storage import GameSetup, SeatSetup
from tests.support.web_games import new_game, play_to_the_end, seat


def document(spec: str, *steps: str) -> dict[str, Any]:
    game = load_game(spec)
    seats = tuple(SeatSetup(name="person") for _ in range(game.players))
    log = GameLog(GameSetup("", spec, seats, "", 0.0, ""), game)
    log.apply_all(recorded_steps(game, steps))
    return equilibrium_document(log)


def test_kuhn_poker_has_the_published_equilibrium() -> None:
    """H. W. Kuhn (1950): with the queen the first player checks, and the second player with the
    jack folds to a bet and with the king calls; the value is -1/18."""
    found = document("kuhn_poker", "Q", "J", "bet", "fold")
    assert found["values"] == pytest.approx([-1 / 18, 1 / 18])
    first, second = found["decisions"]
    assert (first["seat"], first["played"], second["seat"]) == (0, "bet", 1)
    shares = {one["action"]: one["probability"] for one in first["actions"]}
    assert shares == pytest.approx({"check": 1.0, "bet": 0.0}, abs=1e-6)
    assert first["given_up"] > 0.01
    assert {one["action"]: one["probability"] for one in second["actions"]} == pytest.approx(
        {"call": 0.0, "fold": 1.0}, abs=1e-6
    )
    assert second["given_up"] is None  # an equilibrium never bets with the queen
    _, timid = document("kuhn_poker", "Q", "K", "check", "check")["decisions"]
    shares = {one["action"]: one["probability"] for one in timid["actions"]}
    assert shares == pytest.approx({"check": 0.0, "bet": 1.0}, abs=1e-6)
    assert timid["given_up"] > 0.1


def test_values_add_up_to_the_sum_of_the_payoffs(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = compile("kuhn_poker")
    shifted = replace(tree, payoffs=tree.payoffs + np.array([2.0, 0.5]))
    solved = SolvedGame(shifted, fogtree.equilibrium(shifted))
    monkeypatch.setattr(equilibrium, "solved_game", lambda _: solved)
    found = document("kuhn_poker", "Q", "J", "bet", "fold")
    assert found["values"] == pytest.approx([2 - 1 / 18, 0.5 + 1 / 18])


def test_nothing_is_given_up_where_all_actions_are_played() -> None:
    for decision in document("leduc_poker", "Js", "Qs", "raise", "raise", "fold")["decisions"]:
        for one in decision["actions"]:
            if one["probability"] > 0.01 and one["value"] is not None:
                best = max(other["value"] for other in decision["actions"])
                assert one["value"] == pytest.approx(best, abs=1e-5)


def test_values_are_those_of_the_best_further_play() -> None:
    """After an own action that the equilibrium never takes, its mix is arbitrary: what an action
    is worth does not depend on it."""
    game = load_game("goofspiel")
    plain = inspect(game, solved_game(game).equilibrium.strategy)
    best = equilibrium._reports(game)
    gains = [
        max(best[report.name].values or ()) - max(report.values)
        for report in plain
        if report.values is not None
    ]
    assert min(gains) > -1e-6
    assert max(gains) > 0.01


def test_a_decision_that_equilibrium_play_never_reaches_is_marked() -> None:
    first, second = document("kuhn_poker", "Q", "J", "bet", "fold")["decisions"]
    assert (first["reached"], second["reached"]) == (True, False)


def answered(client: TestClient, address: str, key: dict[str, str]) -> Any:
    """The answer about a finished hand, once its game is solved or refused."""
    while (answer := client.get(address, headers=key)).status_code == 202:
        assert answer.json()["solving"] > 0
    return answer


def test_a_game_is_solved_once_and_from_its_beginning_on(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is being solved, those who ask are told for how long already."""
    begun, go_on = list[str](), Event()

    def slow(game: Game) -> None:
        begun.append(str(game))
        go_on.wait()
        equilibrium._reports(game)

    monkeypatch.setattr(equilibrium, "_solve", slow)
    hands = [new_game(client, "leduc_poker", None, "random") for _ in range(2)]
    new_game(client, "kuhn_poker", None, "random")  # waits for its turn
    try:
        for made in hands:
            with seat(client, made, 0) as socket:
                play_to_the_end(socket, random.Random(2))
            address, key = f"/api/games/{made['id']}/equilibrium", {"X-Seat-Key": made["keys"]["0"]}
            told = [client.get(address, headers=key) for _ in range(2)]
            assert [one.status_code for one in told] == [202, 202]
            assert 0.4 < told[0].json()["solving"] < told[1].json()["solving"]
    finally:
        go_on.set()
    assert answered(client, address, key).json()["decisions"]
    assert begun == ["leduc_poker"]


def test_after_a_hand_against_the_equilibrium(client: TestClient) -> None:
    made = new_game(client, "kuhn_poker", None, "equilibrium")
    address, key = f"/api/games/{made['id']}/equilibrium", {"X-Seat-Key": made["keys"]["0"]}
    assert client.get(address, headers=key).status_code == 409
    with seat(client, made, 0) as socket:
        play_to_the_end(socket, random.Random(2))
    found = answered(client, address, key).json()
    assert found["values"][0] == pytest.approx(-1 / 18)
    assert found["decisions"][0]["seat"] == 0
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("kuhn_poker(players=3)", "only games of two players"),
        ("fog_chess", "cannot be compiled"),
    ],
)
def test_games_that_are_not_solved(client: TestClient, spec: str, why: str) -> None:
    players = load_game(spec).players
    made = new_game(client, spec, *[None] * players)
    with seat(client, made, 0) as socket:
        socket.send_json({"type": "resign"})
        while socket.receive_json()["type"] != "over":
            pass
    key = {"X-Seat-Key": made["keys"]["0"]}
    answer = answered(client, f"/api/games/{made['id']}/equilibrium", key)
    assert answer.status_code == 200  # an answer like others, not an error in the browser's log
    assert why in answer.json()["unsolved"]
