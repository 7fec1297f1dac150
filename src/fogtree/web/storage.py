"""Games on disk: every step is stored before it is shown, so that a killed server loses nothing."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from fogtree import __version__
from fogtree.errors import FileFormatError
from fogtree.system.records import parse_json, read_record
from fogtree.text.validation import names_of

_VERSION = 1
Stored = TypeVar("Stored")
SPECTATOR = -1
"""In place of a seat: somebody who is told of a game when it is over."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    over INTEGER NOT NULL DEFAULT 0, -- when it ended, in seconds since 1970; 0: it runs
    setup TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS steps (
    game TEXT NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL,
    step TEXT NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rematches (
    game TEXT PRIMARY KEY REFERENCES games (id),
    following TEXT NOT NULL REFERENCES games (id)
);
CREATE TABLE IF NOT EXISTS opened (
    game TEXT PRIMARY KEY REFERENCES games (id),
    created REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS looks (
    game TEXT NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    line TEXT NOT NULL, -- a digest of the steps before the decision
    version TEXT NOT NULL, -- of fogtree: others may have other fields in a look
    look BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS looks_of_seats ON looks (game, seat);
CREATE TABLE IF NOT EXISTS analyses (
    game TEXT NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    seconds REAL NOT NULL,
    created REAL NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (game, seat)
);
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    events BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS solutions (
    job TEXT NOT NULL REFERENCES jobs (id),
    algorithm TEXT NOT NULL,
    strategy BLOB NOT NULL,
    PRIMARY KEY (job, algorithm)
);
CREATE INDEX IF NOT EXISTS games_over ON games (over, created);
"""


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """Who plays a seat: a person with a key, or an agent by its spec."""

    agent: str | None = None
    """None: a person."""
    key: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Everything that was fixed before a game began, its secret keys and seed included."""

    id: str
    game: str
    seats: tuple[SeatSetup, ...]
    seed: str
    created: float
    spectator_key: str
    clock: tuple[float, float] | None = None
    """Seconds for the whole game and the increment per move; None: no clock."""
    move_seconds: float = 1.0
    """Seconds per move of agents that search; fewer if a clock leaves less."""
    casual: bool = True
    """Whether moves may be taken back and the own belief be looked at."""
    previous: str | None = None
    """The game of which this is the rematch."""
    timeout_seconds: float | None = None
    """Seconds of a person for each decision that has a ``timeout_action``; None: no limit."""
    date: str | None = None
    """The day on which the game was played, such as ``2026-11-17``; None if nobody knows."""
    waits: bool = False
    """Whether the clocks wait until every person has come once."""

    def seat_of(self, key: str) -> int | None:
        """The seat that a key belongs to, :data:`SPECTATOR` for the key of spectators, or None."""
        given = key.encode(errors="replace")
        found = None
        for seat, setup in enumerate(self.seats):
            if setup.agent is None and secrets.compare_digest(setup.key.encode(), given):
                found = seat
        if secrets.compare_digest(self.spectator_key.encode(), given):
            found = SPECTATOR
        return found


@dataclass(frozen=True, slots=True)
class StoredJob:
    """Long work that was done, with the events that tell its result."""

    id: str
    created: float
    kind: str
    title: str
    events: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a game: an action, a chance outcome, an offer, a person who comes for the first
    time, an agent that fails, or the end by agreement, resignation or time."""

    kind: str
    """action, chance, offer, decline, takeback, arrive, fail, resign, draw or flag."""
    value: str
    seat: int
    at: float
    """Seconds of play since the game began; the time while the server was down does not count."""
    mix: tuple[tuple[str, float], ...] = ()
    """The probabilities from which an agent drew its action, the largest first; nobody is shown
    them before the end of the game."""


class Storage:
    """A SQLite file with write-ahead logging; safe to use from several threads.

    A step is appended to the log, which takes less than a millisecond. Moving the log into the file
    waits for the disk: that is done by :meth:`checkpoint` alone, so that no game waits for it.
    """

    def __init__(self, path: Path | str) -> None:
        """Open the database, or make a new one; a file of another kind is refused."""
        self._lock = threading.Lock()
        try:
            self._db = _connect(path)
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
            self._checkpointer = _connect(path)
            self._check_version()
            self._db.executescript(_SCHEMA)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise FileFormatError(f"'{path}' cannot be used as a database: {error}") from error

    def _check_version(self) -> None:
        """Refuse a file of another format; a new file gets the number of ours."""
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError(f"its format is {version}, this fogtree reads {_VERSION}")
        self._db.execute(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Make all changes of the block together, or none if it raises an error."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def add_game(self, setup: GameSetup, *, rematch_of: str | None = None) -> None:
        """Store a new game; ``rematch_of`` is the game that its people played before."""
        with self._transaction() as db:
            db.execute(
                "INSERT INTO games (id, created, setup) VALUES (?, ?, ?)",
                (setup.id, setup.created, _sealed(setup)),
            )
            if rematch_of is not None:
                db.execute("INSERT INTO rematches VALUES (?, ?)", (rematch_of, setup.id))

    def add_opened(self, setup: GameSetup, steps: list[Step], most: int) -> None:
        """Store a finished game that was read from a file; of all such games the latest ``most``
        are kept."""
        self.add_game(setup)
        self.add_steps(setup.id, 0, steps, over=True)
        with self._transaction() as db:
            db.execute("INSERT INTO opened VALUES (?, ?)", (setup.id, setup.created))
            old = "SELECT game FROM opened ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?"
            _remove_games(db, db.execute(old, (most,)).fetchall())

    def remove_finished(self, most: int, at_once: int = 100) -> None:
        """Of the finished games that were played here, keep the ``most`` that ended last; removes
        ``at_once`` games at most, so that nobody waits long."""
        played = "FROM games WHERE over > 0 AND id NOT IN (SELECT game FROM opened)"
        surplus = self._rows(f"SELECT COUNT(*) {played}")[0] - most
        if surplus > 0:
            old = f"SELECT id {played} ORDER BY over, created LIMIT ?"
            with self._transaction() as db:
                _remove_games(db, db.execute(old, (min(surplus, at_once),)).fetchall())

    def add_look(self, game: str, seat: int, line: str, look: dict[str, Any]) -> None:
        """Store what a seat was shown by a look at a decision; ``line`` is the digest of the steps
        before it."""
        content = _packed([look])
        with self._transaction() as db:
            db.execute(
                "INSERT INTO looks SELECT id, ?, ?, ?, ? FROM games WHERE id = ?",
                (seat, line, __version__, content, game),
            )

    def looks(self, game: str, seat: int) -> dict[str, list[dict[str, Any]]]:
        """The stored looks of a seat by their lines; damaged ones, and those of another version of
        fogtree, are left out."""
        found: dict[str, list[dict[str, Any]]] = {}
        question = "SELECT line, look FROM looks WHERE game = ? AND seat = ? AND version = ?"
        for line, content in self._table(question, game, seat, __version__):
            with suppress(FileFormatError):
                found.setdefault(line, []).extend(_unpacked(content, "a look"))
        return found

    def add_analysis(
        self, game: str, seat: int, seconds: float, events: list[dict[str, Any]], most: int
    ) -> None:
        """Store the analysis of a seat's decisions in place of an earlier one; of the analyses of
        all games the latest ``most`` are kept."""
        content = _packed(events)
        with self._transaction() as db:
            db.execute(
                "INSERT OR REPLACE INTO analyses SELECT id, ?, ?, ?, ? FROM games WHERE id = ?",
                (seat, seconds, time.time(), content, game),
            )
            old = "SELECT rowid FROM analyses ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?"
            db.execute(f"DELETE FROM analyses WHERE rowid IN ({old})", (most,))

    def analysed_seats(self, game: str) -> list[int]:
        """The seats of a game for which an analysis of all decisions is stored."""
        return self._rows("SELECT seat FROM analyses WHERE game = ? ORDER BY seat", game)

    def analysis(self, game: str, seat: int, seconds: float) -> list[dict[str, Any]] | None:
        """The events of the stored analysis of a seat with so many seconds for each decision; None
        if there is none."""
        question = "SELECT events FROM analyses WHERE game = ? AND seat = ? AND seconds = ?"
        rows = self._rows(question, game, seat, seconds)
        if not rows:
            return None
        return _unpacked(rows[0], "an analysis")

    def add_job(
        self, job: StoredJob, most: int, solutions: Mapping[str, bytes] | None = None
    ) -> None:
        """Store a job that was done, with the solutions that it found by their algorithms; of all
        jobs the latest ``most`` are kept."""
        row = (job.id, job.created, job.kind, job.title, _packed(job.events))
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO jobs VALUES (?, ?, ?, ?, ?)", row)
            old = "SELECT id FROM jobs ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?"
            db.execute(f"DELETE FROM jobs WHERE id IN ({old})", (most,))
            db.execute("DELETE FROM solutions WHERE job NOT IN (SELECT id FROM jobs)")
            db.executemany(
                "INSERT INTO solutions VALUES (?, ?, ?)",
                [(job.id, name, content) for name, content in (solutions or {}).items()],
            )

    def jobs(self) -> list[StoredJob]:
        """The stored jobs, the oldest first; a damaged one is left out."""
        question = "SELECT id, created, kind, title, events FROM jobs ORDER BY created, rowid"
        found = []
        for *fields, content in self._table(question):
            with suppress(FileFormatError):
                events = _unpacked(content, "a job")
                row = dict(zip(names_of(StoredJob), [*fields, events], strict=True))
                found.append(read_record(row, StoredJob, "a job"))
        return found

    def solutions(self, job: str) -> dict[str, bytes]:
        """The stored solutions of a job by their algorithms."""
        return dict(self._table("SELECT algorithm, strategy FROM solutions WHERE job = ?", job))

    def rematch_of(self, game: str) -> GameSetup | None:
        """The setup of the rematch that followed a game; None if there was none."""
        return self._setup(
            "SELECT setup FROM games JOIN rematches ON id = following WHERE game = ?", game
        )

    def find_game(self, game: str) -> GameSetup | None:
        """The setup of a game by its identifier; None if there is none."""
        return self._setup("SELECT setup FROM games WHERE id = ?", game)

    def add_steps(self, game: str, first: int, steps: list[Step], *, over: bool = False) -> None:
        """Append steps, numbered from ``first``, in one transaction; ``over`` also marks the game
        as ended now."""
        with self._transaction() as db:
            db.executemany(
                "INSERT INTO steps (game, number, step) VALUES (?, ?, ?)",
                [
                    (game, number, _sealed(step, f"{game} {number}"))
                    for number, step in enumerate(steps, start=first)
                ],
            )
            if over:
                db.execute("UPDATE games SET over = ? WHERE id = ?", (int(time.time()), game))

    def steps(self, game: str) -> list[Step]:
        """All steps of a game in their order."""
        rows = self._rows("SELECT step FROM steps WHERE game = ? ORDER BY number", game)
        return [_read(text, Step, f"{game} {number}") for number, text in enumerate(rows)]

    def _setup(self, question: str, game: str) -> GameSetup | None:
        """The setup of a game that an SQL ``question`` selects; None if there is none."""
        rows = self._rows(question, game)
        return _read(rows[0], GameSetup) if rows else None

    def _rows(self, question: str, *given: Any) -> list[Any]:
        """The first column of all rows that an SQL ``question`` selects; ``given`` are its
        parameters."""
        return [row[0] for row in self._table(question, *given)]

    def _table(self, question: str, *given: Any) -> list[tuple[Any, ...]]:
        """All rows that an SQL ``question`` selects."""
        try:
            with self._lock:
                return self._db.execute(question, given).fetchall()
        except sqlite3.DatabaseError as error:
            raise FileFormatError(f"the database of games cannot be read: {error}") from error

    def is_over(self, game: str) -> bool:
        """Whether a game has ended."""
        return bool(self._rows("SELECT 1 FROM games WHERE id = ? AND over > 0", game))

    def unfinished(self) -> int:
        """The number of games that are not over."""
        return int(self._rows("SELECT COUNT(*) FROM games WHERE over = 0")[0])

    def checkpoint(self) -> None:
        """Move the log into the file; for one thread at a time. Others may write meanwhile."""
        self._checkpointer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._checkpointer.close()
            self._db.close()


def _connect(path: Path | str) -> sqlite3.Connection:
    """Open a database with write-ahead logging."""
    found = sqlite3.connect(str(path), check_same_thread=False, isolation_level=None)
    found.execute("PRAGMA journal_mode = WAL")
    found.execute("PRAGMA synchronous = NORMAL")
    return found


def _packed(events: list[dict[str, Any]]) -> bytes:
    """Events in the form in which they are stored: compressed JSON."""
    return zlib.compress(json.dumps(events).encode())


def _unpacked(content: Any, what: str) -> list[dict[str, Any]]:
    """Stored events; ``what`` is named in the error if they are damaged."""
    try:
        events: list[dict[str, Any]] = json.loads(zlib.decompress(content))
    except (zlib.error, ValueError, TypeError) as error:
        raise FileFormatError(f"{what} in the database is damaged") from error
    return events


def _remove_games(db: sqlite3.Connection, rows: list[tuple[str]]) -> None:
    """Delete games with all that is stored about them."""
    for row in rows:
        for table in ("steps", "looks", "analyses", "opened", "rematches"):
            db.execute(f"DELETE FROM {table} WHERE game = ?", row)
        db.execute("DELETE FROM rematches WHERE following = ?", row)
        db.execute("DELETE FROM games WHERE id = ?", row)


def _sealed(record: GameSetup | Step, place: str = "") -> str:
    """A record in the form in which it is stored: as JSON, with a checksum of its content and of
    its ``place``, such as the game and the number of a step."""
    content = json.dumps(asdict(record))
    return f"{content} {zlib.crc32(f'{place}{content}'.encode()):08x}"


def _read(text: Any, kind: type[Stored], place: str = "") -> Stored:
    """The record of type ``kind`` that :func:`_sealed` wrote; an error in one line if it is damaged
    or was moved from its ``place``."""
    where = "a game in the database"
    content, _, checksum = text.rpartition(" ") if isinstance(text, str) else ("", "", "")
    if isinstance(text, str) and text.endswith("}"):
        content = text  # fogtree 0.1.0 wrote no checksum
    elif checksum != f"{zlib.crc32(f'{place}{content}'.encode()):08x}":
        raise FileFormatError(f"{where} is damaged")
    return read_record(parse_json(content, where), kind, where)
