"""The games of a match as they are finished, one line for each deal.

A match that was stopped continues from its file. Games from the file are replayed first; those that
are impossible, or that began at another position than this match, are refused.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from fogtree.arena.record import GameRecord, ahead_of_others, read_record, replay
from fogtree.errors import FileFormatError, FogtreeError
from fogtree.game import Game
from fogtree.system.jsonl_file import JsonlFile


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one finished game, from the first agent's side."""

    gain: float  # the first agent's return
    ahead: float  # share of the other seats with a smaller return; a tie counts half
    facts: dict[str, float]  # State.facts at the end; empty after a resignation
    record: GameRecord | None


class FinishedGames(Protocol):
    """Keeps the finished games of matches, so that a stopped match can continue."""

    def find(self, first: str, second: str, deal: int, start: Game) -> list[Outcome] | None:
        """The games of a deal that began at ``start``, one for each seat of the first agent; None
        if they have not been played."""

    def add(self, first: str, second: str, deal: int, outcomes: Sequence[Outcome]) -> None:
        """Add the games of a deal, in the order of the first agent's seats."""

    def close(self) -> None:
        """Let other processes use the file."""


class _Game(Struct):
    """One game in a line of the file."""

    gain: float
    facts: dict[str, float]
    record: dict[str, Any]


class _Deal(Struct):
    """A line of the file: the two agents, and the games of one deal by seat of the first agent."""

    match: tuple[str, str]
    deal: int
    games: list[_Game]


class Ledger:
    """:class:`FinishedGames` in a file with their records, all played under one condition."""

    def __init__(self, path: Path, condition: Mapping[str, Any]) -> None:
        """Read the file, if it exists; one of games under another ``condition`` is refused."""
        self._deals: dict[tuple[tuple[str, str], int], list[Outcome]] = {}
        self._file = JsonlFile(path, kind="arena", condition=condition, row=_Deal, keep=self._keep)

    def find(self, first: str, second: str, deal: int, start: Game) -> list[Outcome] | None:
        """The games of a deal, if the file has them, checked against the rules; else None."""
        games = self._deals.get(((first, second), deal))
        for seat, game in enumerate(games or ()):
            try:
                _check(game, seat, start)
            except FogtreeError as error:
                where = f"'{self._file.path}', deal {deal} of {first} - {second}"
                raise FileFormatError(f"{where}: {error}") from error
        return games

    def add(self, first: str, second: str, deal: int, outcomes: Sequence[Outcome]) -> None:
        """Write the games of a deal to the file, unless it has them."""
        key = (first, second), deal
        if key in self._deals:
            return
        self._deals[key] = list(outcomes)
        self._file.add(_Deal((first, second), deal, [_game(outcome) for outcome in outcomes]))

    def close(self) -> None:
        """Let other processes use the file."""
        self._file.close()

    def _keep(self, row: _Deal) -> None:
        """Keep a line of the file in memory; it must have one game for each seat."""
        games = [_outcome(game, seat) for seat, game in enumerate(row.games)]
        if not games or any(len(game.record.agents) != len(games) for game in games if game.record):
            raise FileFormatError("a deal has one game for each seat")
        self._deals[row.match, row.deal] = games


def _game(outcome: Outcome) -> _Game:
    """A finished game in the form in which a line of the file stores it."""
    assert outcome.record is not None
    return _Game(outcome.gain, outcome.facts, json.loads(outcome.record.to_json()))


def _check(game: Outcome, seat: int, start: Game) -> None:
    """Refuse a game of the file that began elsewhere than at ``start``, that the rules do not
    allow, or whose facts are not those at its end; ``seat`` is the first agent's."""
    record = game.record
    assert record is not None
    if record.game != start.record_name:
        raise FileFormatError("it began elsewhere; were the openings changed? choose another file")
    end = deque(replay(record, start), maxlen=1).pop()
    facts = {} if record.resigned is not None else dict(end.facts(seat))
    if game.facts != facts:
        raise FileFormatError("a game has other facts than its record")


def _outcome(game: _Game, seat: int) -> Outcome:
    """The result of a game of the file for the first agent, who had this seat; an error if its gain
    is not the return in its record."""
    record = read_record(json.dumps(game.record))
    if game.gain != record.returns[seat]:
        raise FileFormatError("a game has another gain than its record")
    return Outcome(game.gain, ahead_of_others(record.returns, seat), game.facts, record)
