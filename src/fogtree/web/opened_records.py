"""Records of games from a visitor's file: read within bounds, and turned into a game's steps."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from fogtree.arena.record import GameRecord, replay
from fogtree.arena.record_files import read_games
from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.game import CHANCE, Game
from fogtree.web.storage import Step

MOST_GAMES = 1000
"""Games of one file; of a longer one the first."""
MOST_STEPS = 5000
"""Steps of a game that can be opened."""
_ENDINGS = (".pgn", ".jsonl", ".json")


def read_upload(name: object, text: object) -> list[GameRecord]:
    """The games of a file that a visitor sent, not replayed yet."""
    if not isinstance(name, str) or not isinstance(text, str):
        raise OptionError("a record is opened by the 'name' and the 'text' of its file")
    ending = Path(name).suffix.lower()
    if ending not in _ENDINGS:
        raise FileFormatError(f"records are files that end in {', '.join(_ENDINGS)}")
    plain = re.sub(r"[^\w.-]+", "_", Path(name).name)[-60:]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / plain
        file.write_text(text, encoding="utf-8", errors="replace")
        try:
            found = list(islice(read_games(file), MOST_GAMES))
        except FogtreeError as error:
            raise FileFormatError(str(error).replace(f"{folder}/", "")) from None
    if not found:
        raise FileFormatError(f"'{plain}' has no games")
    return found


def numbered_record(records: Sequence[GameRecord], number: object) -> GameRecord | None:
    """The game with this number, counted from 1. Without a number it is the only game of the file,
    or None if there are several."""
    if number is None:
        return records[0] if len(records) == 1 else None
    if type(number) is not int or not 1 <= number <= len(records):
        raise OptionError(f"'game' is a number from 1 to {len(records)}")
    return records[number - 1]


def list_document(records: Sequence[GameRecord]) -> list[dict[str, Any]]:
    """The list of the games in a file as JSON, numbered from 1."""
    return [
        {
            "number": number,
            "game": record.game[:80],
            "agents": [name[:40] for name in record.agents],
            "steps": len(record.steps),
            "returns": list(record.returns),
        }
        for number, record in enumerate(records, start=1)
    ]


def steps_of(record: GameRecord, game: Game) -> list[Step]:
    """The steps of a recorded game, replayed and checked against the rules."""
    if len(record.steps) > MOST_STEPS:
        raise FileFormatError(
            f"this game has {len(record.steps):,} steps; at most {MOST_STEPS:,} can be opened here"
        )
    for _ in replay(record, game):
        pass
    steps = recorded_steps(game, record.steps)
    if record.ended == "agreement":
        steps.append(Step("draw", "", 0, 0.0))
    elif record.resigned is not None:
        kind = "flag" if record.ended == "time" else "resign"
        steps.append(Step(kind, "", record.resigned, 0.0))
    return steps


def recorded_steps(game: Game, texts: Sequence[str]) -> list[Step]:
    """The steps of a game from the texts of its actions and chance outcomes, which must be legal;
    all at time 0."""
    state, steps = game.root(), []
    for text in texts:
        chance = state.player == CHANCE
        known = [a for a, _ in state.chance()] if chance else state.actions()
        action = next(a for a in known if str(a) == text)
        steps.append(Step("chance" if chance else "action", text, state.player, 0.0))
        state = state.child(action)
    return steps
