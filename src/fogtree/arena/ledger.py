"""The games of a match as they are finished, one line for each deal.

A match that was stopped goes on where it was. What is taken from the file is replayed first: games
that cannot be, or that began elsewhere than the match says, are refused.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogtree.arena.record import GameRecord, ahead_of_others, read_record, replay
from fogtree.errors import FileFormatError, FogtreeError
from fogtree.game import Game
from fogtree.system.jsonl_file import LineFile


@dataclass(frozen=True, slots=True)
class Outcome:
    """One finished game from the first agent's side."""

    gain: float
    ahead: float  # the share of the others that did worse; a tie is half of one
    facts: dict[str, float]
    record: GameRecord | None


Key = tuple[str, str, int]
"""The two agents and the number of the deal."""


class Ledger:
    """A file of finished games, played under one condition."""

    def __init__(self, path: Path, condition: Mapping[str, Any]) -> None:
        self._deals: dict[Key, list[Outcome]] = {}
        self._file = LineFile(
            path, kind="arena", condition=condition, first_key="match", keep=self._keep
        )

    def find(self, first: str, second: str, deal: int, start: Game) -> list[Outcome] | None:
        """The games of a deal, one for each seat of the first agent, which began at ``start``."""
        games = self._deals.get((first, second, deal))
        for seat, game in enumerate(games or ()):
            try:
                _check(game, seat, start)
            except FogtreeError as error:
                where = f"'{self._file.path}', deal {deal} of {first} - {second}"
                raise FileFormatError(f"{where}: {error}") from error
        return games

    def add(self, first: str, second: str, deal: int, outcomes: Sequence[Outcome]) -> None:
        """The games of a deal, in the order of the first agent's seats."""
        if (first, second, deal) in self._deals:
            return
        self._deals[first, second, deal] = list(outcomes)
        rows = [_row(outcome) for outcome in outcomes]
        self._file.add({"match": [first, second], "deal": deal, "games": rows})

    def _keep(self, content: Any) -> None:
        key, games = _deal(content)
        self._deals[key] = games


def _row(outcome: Outcome) -> dict[str, Any]:
    assert outcome.record is not None
    record = json.loads(outcome.record.to_json())
    return {"gain": outcome.gain, "facts": outcome.facts, "record": record}


def _check(game: Outcome, seat: int, start: Game) -> None:
    """Refuses a game that its own steps do not lead to."""
    record = game.record
    assert record is not None
    if record.game != start.record_name:
        raise FileFormatError("it began elsewhere; were the openings changed? choose another file")
    end = deque(replay(record, start), maxlen=1).pop()
    facts = {} if record.resigned is not None else dict(end.facts(seat))
    if game.facts != facts:
        raise FileFormatError("a game has other facts than its record")


def _deal(content: dict[str, Any]) -> tuple[Key, list[Outcome]]:
    first, second = content["match"]
    games = [_outcome(game, seat) for seat, game in enumerate(content["games"])]
    if not games or any(len(game.record.agents) != len(games) for game in games if game.record):
        raise FileFormatError("a deal has one game for each seat")
    return (str(first), str(second), int(content["deal"])), games


def _outcome(game: dict[str, Any], seat: int) -> Outcome:
    record = read_record(json.dumps(game["record"]))
    gain = float(game["gain"])
    if gain != record.returns[seat]:
        raise FileFormatError("a game has another gain than its record")
    facts = {str(name): float(value) for name, value in game["facts"].items()}
    return Outcome(gain, ahead_of_others(record.returns, seat), facts, record)
