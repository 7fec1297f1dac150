"""The games of a match as they are finished, one line for each deal.

A match that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fogtree.arena.record import GameRecord, read_record
from fogtree.errors import FileFormatError, OptionError
from fogtree.files import check_version, whole_file

_KIND = "arena"
_VERSION = 1
_NOT_A_DEAL = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
_LINE = b'{"match": '  # what every line but the first begins with


@dataclass(frozen=True, slots=True)
class Outcome:
    """One finished game from the first agent's side."""

    gain: float
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
        content = self._content()
        if content:
            self._read(content)
        else:
            with whole_file(path) as out:
                out.write(f"{json.dumps(self._head)}\n".encode())

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

    def _content(self) -> bytes:
        try:
            return self.path.read_bytes() if self.path.exists() else b""
        except OSError as error:
            message = f"cannot read '{self.path}': {error.strerror or error}"
            raise FileFormatError(message) from error

    def _read(self, content: bytes) -> None:
        """A last line that was cut off by a kill is dropped, once all the others are ours."""
        whole = content.rfind(b"\n") + 1
        first, *lines = content[:whole].splitlines() or [b""]
        self._check_head(first)
        for number, line in enumerate(lines, start=2):
            self._keep(line, number)
        rest = content[whole:]
        if not rest:
            return
        try:
            self._keep(rest, len(lines) + 2)
        except FileFormatError:
            if not (rest.startswith(_LINE) or _LINE.startswith(rest)):
                raise
            os.truncate(self.path, whole)
        else:  # all of it is there but its end
            with self.path.open("ab") as out:
                out.write(b"\n")

    def _check_head(self, line: bytes) -> None:
        try:
            head = json.loads(line)
        except (ValueError, RecursionError):
            head = None
        if not isinstance(head, dict) or head.get("fogtree") != _KIND:
            raise FileFormatError(f"'{self.path}' is not a file of an arena")
        check_version(self.path, head)
        if head != self._head:
            raise OptionError(f"'{self.path}' was played under other conditions; choose another")

    def _keep(self, line: bytes, number: int) -> None:
        try:
            key, games = _deal(json.loads(line))
        except FileFormatError as error:
            raise FileFormatError(f"'{self.path}', line {number}: {error}") from error
        except _NOT_A_DEAL as error:
            raise FileFormatError(f"'{self.path}' is damaged: see line {number}") from error
        self._deals[key] = games


def _row(outcome: Outcome) -> dict[str, Any]:
    assert outcome.record is not None
    record = json.loads(outcome.record.to_json())
    return {"gain": outcome.gain, "facts": outcome.facts, "record": record}


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
    return Outcome(gain, facts, record)
