"""A database of the web app with a few games, and how it is read."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

from fogtree.errors import FogtreeError
from fogtree.game import CHANCE, TERMINAL
from fogtree.registry import load_game
from fogtree.web.game_log import GameLog
from fogtree.web.storage import GameSetup, SeatSetup, Step, Storage

GAMES = {"one": "kuhn_poker", "two": "fog_chess", "three": "cambia"}
STEPS = 8


def make_database(path: Path) -> None:
    """Games of two people, some steps each."""
    storage = Storage(path)
    for name, spec in GAMES.items():
        game = load_game(spec)
        seats = tuple(SeatSetup(key=f"{name}/{seat}") for seat in range(game.players))
        setup = GameSetup(name, str(game), seats, "seed", 0.0, "watch", clock=(300.0, 2.0))
        storage.add_game(setup)
        state = game.root()
        for number in range(STEPS):
            if state.player == TERMINAL:
                break
            chance = state.player == CHANCE
            action = state.chance()[number % 2][0] if chance else state.actions()[number % 2]
            kind = "chance" if chance else "action"
            storage.add_steps(name, number, [Step(kind, str(action), state.player, 1.0 + number)])
            state = state.child(action)
    storage.close()


def read_database(path: Path) -> int:
    """Print what all seats of all games are shown; status 2 and one line if it cannot be read."""
    try:
        storage = Storage(path)
        try:
            for name in GAMES:
                setup = storage.find_game(name)
                if setup is None:
                    print(f"no game {name}")
                    continue
                log = GameLog(setup, load_game(setup.game))
                for step in storage.steps(name):
                    log.apply(step)
                print(json.dumps(log.logs))
        finally:
            storage.close()
    except (FogtreeError, sqlite3.DatabaseError) as error:
        print(f"fogtree: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0
