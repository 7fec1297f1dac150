"""Offers and resignations, also where there is nobody else; the probabilities of agents."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from fogtree.game import TERMINAL, State
from fogtree.game.parameters import ParameterGame
from fogtree.registry import GameEntry, register_game, unregister_game
from fogtree.web.storage import GameSetup, SeatSetup, Step, Storage
from tests.support.web_games import new_game, play_to_the_end, seat, server


@dataclass(frozen=True)
class Solitaire(ParameterGame):
    """Solitaire: stop or go on, alone."""

    short_name = "solitaire"
    players = 1

    def root(self) -> SolitaireState:
        return SolitaireState()


@dataclass(frozen=True)
class SolitaireState(State):
    steps: int = 0

    @property
    def player(self) -> int:
        return 0 if 0 <= self.steps < 5 else TERMINAL

    def actions(self) -> tuple[str, ...]:
        return "stop", "go"

    def child(self, action: str) -> SolitaireState:
        return SolitaireState(self.steps + 1 if action == "go" else -1)

    def returns(self) -> tuple[float]:
        return (float(self.steps),)

    def observation(self, player: int) -> object:
        return self.steps


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    register_game(GameEntry(name="solitaire", game=Solitaire))
    with server(tmp_path / "games.sqlite3") as found:
        yield found
    unregister_game("solitaire")


def test_a_game_of_one_player_has_nobody_to_offer_a_draw_to(client: TestClient) -> None:
    made = new_game(client, "solitaire", None)
    with seat(client, made, 0) as socket:
        socket.receive_json()
        view = socket.receive_json()
        for message, doing in (
            ({"type": "offer", "what": "draw"}, "offer a draw"),
            ({"type": "resign"}, "resign"),
        ):
            socket.send_json(message)
            refused = socket.receive_json()
            assert refused["type"] == "refused"
            assert refused["why"] == f"there is nobody to {doing} to: this is a game of one player"
        socket.send_json({"type": "act", "at": view["n"], "action": "go"})
        view = socket.receive_json()
        socket.send_json({"type": "offer", "what": "takeback"})
        assert socket.receive_json()["type"] == "offer"
        view = socket.receive_json()
        assert view["type"] == "view"
        socket.send_json({"type": "act", "at": view["n"], "action": "stop"})
        while (event := socket.receive_json())["type"] != "over":
            pass
        assert event["returns"] == [-1.0]


def test_probabilities_of_agents_are_told_after_the_game_only(client: TestClient) -> None:
    made = new_game(client, "leduc_poker", "random", None)
    with seat(client, made, 1) as socket:
        events = play_to_the_end(socket, random.Random(4))
    assert "mix" not in json.dumps(events)
    assert "probability" not in json.dumps(events)
    key = {"X-Seat-Key": made["keys"]["1"]}
    plies = client.get(f"/api/games/{made['id']}/review", headers=key).json()["plies"]
    mixes = [ply["mix"] for ply in plies[1:] if ply["seat"] == 0]
    assert mixes
    for mix in mixes:
        assert sum(one["probability"] for one in mix) == pytest.approx(1, abs=0.01)
    assert all(ply["mix"] == [] for ply in plies[1:] if ply["seat"] != 0)


def test_steps_of_earlier_versions_are_read(tmp_path: Path) -> None:
    storage = Storage(tmp_path / "games.sqlite3")
    storage.add_game(GameSetup("a", "kuhn_poker", (SeatSetup(), SeatSetup()), "", 0.0, ""))
    step = Step("action", "bet", 0, 1.5, (("bet", 0.75), ("check", 0.25)))
    storage.add_steps("a", 0, [step])
    with storage._transaction() as db:
        old = {"kind": "action", "value": "call", "seat": 1, "at": 2.0}
        db.execute("INSERT INTO steps VALUES ('a', 1, ?)", (json.dumps(old),))
    assert storage.steps("a") == [step, Step("action", "call", 1, 2.0)]
    storage.close()
