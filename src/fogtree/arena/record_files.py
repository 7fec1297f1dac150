"""Files of game records: a JSON line per game, or a game's own format by the file's ending."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fogtree.arena.record import GameRecord, read_records, replay, with_views, write_records
from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.game import Game, State
from fogtree.registry import all_entries, entry_of, resolve


@dataclass(frozen=True, slots=True)
class PlayedClock:
    """The clock of a game that was played with one."""

    seconds: float
    """What every player had for the whole game."""
    increment: float
    """What every move added."""
    left: Sequence[float]
    """After each step of the game, the seconds on the clock of the player who took it."""


class RecordFormat(Protocol):
    """Reads and writes game records in a game's own file format, such as PGN."""

    def read(self, path: Path) -> Iterator[GameRecord]:
        """The games of a file, one after the other."""

    def write(
        self,
        path: Path,
        records: Iterable[GameRecord],
        *,
        views: bool,
        signs: Sequence[str],
        clock: PlayedClock | None,
    ) -> None:
        """Write games to a file; ``views``, ``signs`` and ``clock`` are as in
        :func:`write_games`."""


def check_record_format(game: Game, path: Path | None) -> None:
    """Refuse a file whose ending is the format of another game."""
    if path is None:
        return
    ending = path.suffix.lower()
    foreign = [entry.name for entry in all_entries() if ending in entry.record_formats]
    if foreign and ending not in entry_of(game).record_formats:
        raise OptionError(f"'{path}': {ending} files are for {', '.join(foreign)}, not for {game}")


def write_games(
    path: Path,
    records: Iterable[GameRecord],
    game: Game,
    *,
    views: bool = True,
    signs: Sequence[str] = (),
    clock: PlayedClock | None = None,
) -> None:
    """Write finished games, in the format that the file's ending names; without ``views`` those
    formats leave out what the players saw. ``signs`` are verdicts on the steps, such as ``??``,
    and ``clock`` are their times, which a game's own format may have room for."""
    own: RecordFormat | None = resolve(entry_of(game).record_formats.get(path.suffix.lower()))
    if own is not None:
        own.write(path, records, views=views, signs=signs, clock=clock)
        return
    if game.record_views and views:
        # A game that began at an opening is the one that its record names.
        starts = None if entry_of(game).openings else game
        records = (with_views(record, starts) for record in records)
    write_records(path, records)


def read_games(path: Path) -> Iterator[GameRecord]:
    """The games of a file in any format, one after the other."""
    for entry in all_entries():
        if path.suffix.lower() in entry.record_formats:
            own: RecordFormat = resolve(entry.record_formats[path.suffix.lower()])
            return own.read(path)
    return read_records(path)


def replay_file(path: Path, number: int) -> tuple[GameRecord, list[State]]:
    """One of the games of a file with all its states; every step is checked against the rules."""
    record = read_game(path, number)
    try:
        return record, list(replay(record))
    except FogtreeError as error:
        raise FileFormatError(f"'{path}', game {number}: {error}") from error


def read_game(path: Path, number: int) -> GameRecord:
    """One of the games of a file, counted from 1."""
    count = 0
    for count, record in enumerate(read_games(path), start=1):
        if count == number:
            return record
    raise FileFormatError(f"'{path}' has {count} games; there is no game {number}")
