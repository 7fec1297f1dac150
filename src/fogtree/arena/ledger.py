"""The games of a match as they are finished, one line for each deal.

A match that was stopped goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogtree.arena.record import GameRecord, ahead_of_others, read_record
from fogtree.errors import FileFormatError, OptionError

_KIND = "arena"
_VERSION = 1


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
        self.path = path
        self._head = {"fogtree": _KIND, "version": _VERSION, **condition}
        self._deals: dict[Key, list[Outcome]] = {}
        if path.exists():
            self._read()
        if not path.exists() or path.stat().st_size == 0:
            path.write_text(json.dumps(self._head) + "\n", encoding="utf-8")

    def find(self, first: str, second: str, deal: int) -> list[Outcome] | None:
        """The games of a deal, one for each seat of the first agent."""
        return self._deals.get((first, second, deal))

    def add(self, first: str, second: str, deal: int, outcomes: Sequence[Outcome]) -> None:
        """The games of a deal, in the order of the first agent's seats."""
        if (first, second, deal) in self._deals:
            return
        self._deals[first, second, deal] = list(outcomes)
        line = {"match": [first, second], "deal": deal, "games": [_row(o) for o in outcomes]}
        with self.path.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")

    def _read(self) -> None:
        """A line that was cut off by a kill is dropped."""
        text = self.path.read_text(encoding="utf-8")
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self.path.write_text(whole, encoding="utf-8")
        lines = whole.splitlines()
        if not lines:
            return
        try:
            head = dict(json.loads(lines[0]))
            self._deals.update(_deal(json.loads(line)) for line in lines[1:])
        except (ValueError, KeyError, TypeError, IndexError, FileFormatError) as error:
            raise FileFormatError(f"'{self.path}' is not a file of an arena") from error
        if head.get("fogtree") != _KIND:
            raise FileFormatError(f"'{self.path}' is not a file of an arena")
        if head != self._head:
            raise OptionError(f"'{self.path}' was played under other conditions; choose another")


def _row(outcome: Outcome) -> dict[str, Any]:
    assert outcome.record is not None
    record = json.loads(outcome.record.to_json())
    return {"gain": outcome.gain, "facts": outcome.facts, "record": record}


def _deal(content: dict[str, Any]) -> tuple[Key, list[Outcome]]:
    first, second = content["match"]
    games = []
    for seat, game in enumerate(content["games"]):
        record = read_record(json.dumps(game["record"]))
        facts = {str(name): float(value) for name, value in game["facts"].items()}
        ahead = ahead_of_others(record.returns, seat)
        games.append(Outcome(float(game["gain"]), ahead, facts, record))
    return (str(first), str(second), int(content["deal"])), games
