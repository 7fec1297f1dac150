"""Pictures of the small games' boards in the web app, after moves that are written here."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pictures import FOLDER
from tests.support.web_pages import opened_page, started_browser
from tests.support.web_server import SECONDS, ServerProcess, running

WIDTH = 1000


@dataclass(frozen=True)
class Scene:
    """A game seen by its first player after some actions of both."""

    name: str
    game: str
    actions: tuple[str, ...]
    """In the order in which they are taken. Dice are rolled anew for every picture."""


DARK_HEX = ("b2", "c3", "b3", "b3", "c2", "c3", "b4", "b2", "a3")
SCENES = (
    Scene(
        "phantom_ttt",
        "phantom_ttt(rows=3, columns=3, max_plies=9)",
        ("b2", "a1", "c3", "b2", "c1", "a1", "b1", "b3"),
    ),
    Scene("dark_hex", "dark_hex(rows=4, columns=4)", DARK_HEX),
    Scene(
        "battleship",
        "battleship(height=5, width=5, ships=[3, 2], shots=8)",
        ("b4-d4", "a2-c2", "e1-e2", "e4-e5", "b2", "c4", "c2", "e4", "d3", "d4", "a2", "c3"),
    ),
    Scene(
        "goofspiel",
        "goofspiel(cards=7)",
        ("3", "5", "6", "2", "4", "4", "1", "7"),
    ),
    Scene("liars_dice", "liars_dice(dice=4)", ("2x3", "3x3", "3x5", "4x5")),
)


def draw() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "web.sqlite3"
        with running(data, "--runs", f"{folder}/runs") as server, started_browser() as browser:
            for scene in SCENES:
                with opened_page(browser, viewport={"width": WIDTH, "height": 900}) as page:
                    shoot(page, server, scene)


def shoot(page: Any, server: ServerProcess, scene: Scene) -> None:
    """Play a scene and take a picture of the board and of the log beside it."""
    asked = {"game": scene.game, "seats": [{}, {}]}
    game = server.post("/api/games", asked)
    play(server, game, scene.actions)
    page.goto(f"{server.address}/game/{game['id']}#seat=0&key={game['keys']['0']}")
    page.get_by_test_id("status").filter(has_text="Your turn").wait_for()
    page.locator(".table-layout").screenshot(path=FOLDER / f"web_{scene.name}.png")


def play(server: ServerProcess, game: dict[str, Any], actions: tuple[str, ...]) -> None:
    """Take the actions one after the other, each for the seat whose turn it is."""
    with server.seat(game, 0) as first, server.seat(game, 1) as second:
        mover, waiting = first, second
        at = turn(mover)
        for action in actions:
            mover.send(json.dumps({"type": "act", "at": at, "action": action}))
            told = json.loads(mover.recv(SECONDS))
            assert told["type"] == "view", told
            if told["turn"]:
                at = told["n"]
            else:
                mover, waiting = waiting, mover
                at = turn(mover)


def turn(socket: Any) -> int:
    """Wait until a seat is to move; returns the number of that event."""
    while True:
        event = json.loads(socket.recv(SECONDS))
        if event.get("turn"):
            return int(event["n"])
