"""Folders of training data: ``manifest.json``, and games one after the other in shards.

A shard is the file ``games-N.fogdata``: one record per game with a header (magic, the game's
number, rows, bytes, CRC-32) and the rows, compressed. A game is appended as soon as it is
over, in any order. A kill can cut off only the last record of the last shard, which is dropped
when the folder is next written to.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, to_builtins

from fogtree.errors import FileFormatError, OptionError
from fogtree.games.fog_chess.training.rows import ROW, UNKNOWN, Kind, Rows
from fogtree.games.fog_chess.training.self_play import SelfPlay
from fogtree.system.archives import check_head
from fogtree.system.cores import cores
from fogtree.system.file_reader import read_bytes
from fogtree.system.files import append_whole, write_text
from fogtree.system.path_lock import lock_folder
from fogtree.system.records import parse_json, read_record

KIND = "chess-data"
FORMAT = 2
"""Of the rows and the options."""
MANIFEST = "manifest.json"
MANIFEST_BYTES = 1 << 20
SHARD_BYTES = 12 << 20
"""A shard of at least this size is followed by another one."""
MOST_SHARD = 1 << 30
_HEADER = struct.Struct("<8sIIII")
_MAGIC = b"FOGGAME1"
_MOST_ROWS = 1 << 24


class DataManifest(Struct, tag_field="fogtree", tag=KIND, kw_only=True):
    """The manifest of a data folder: how its games are played."""

    version: int = FORMAT
    options: SelfPlay


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game in a shard: its number, the number of its rows, and these rows, compressed."""

    number: int
    count: int
    payload: bytes

    def rows(self) -> Rows:
        """The rows, unpacked."""
        size = self.count * ROW.itemsize
        try:
            content = zlib.decompressobj().decompress(self.payload, size + 1)
        except zlib.error as error:
            raise FileFormatError(f"the rows of game {self.number} are damaged: {error}") from error
        if len(content) != size:
            raise FileFormatError(f"game {self.number} does not have the {self.count} rows it says")
        return np.frombuffer(content, ROW)


class DataWriter:
    """Appends games to a folder; one process at a time."""

    def __init__(self, folder: Path, options: SelfPlay) -> None:
        """Lock the folder, write its manifest or check that it is the same, and drop a last game
        that was cut off."""
        self._lock = lock_folder(folder)
        try:
            self._folder = folder
            if (folder / MANIFEST).exists():
                check_options(folder, read_manifest(folder).options, options)
            else:
                manifest = to_builtins(DataManifest(options=options))
                write_text(folder / MANIFEST, json.dumps(manifest, indent=2))
            shards = shard_paths(folder)
            if shards:
                _drop_cut_off(shards[-1])
            self._shard = max(len(shards) - 1, 0)
            self.numbers = {game.number for game in stored_games(folder)}
        except BaseException:
            self._lock.release()
            raise

    def add(self, number: int, rows: Rows) -> None:
        """Write the rows of a game, unless the folder has that game."""
        if number in self.numbers:
            return
        path = _shard_path(self._folder, self._shard)
        if path.exists() and path.stat().st_size >= SHARD_BYTES:
            self._shard += 1
            path = _shard_path(self._folder, self._shard)
        path.touch()
        payload = zlib.compress(rows.tobytes(), 1)
        header = _HEADER.pack(_MAGIC, number, len(rows), len(payload), zlib.crc32(payload))
        append_whole(path, header + payload)
        self.numbers.add(number)

    def close(self) -> None:
        """Let other processes write into the folder."""
        self._lock.release()


def read_manifest(folder: Path) -> DataManifest:
    """The manifest of a data folder, checked."""
    path = folder / MANIFEST
    if not path.is_file():
        raise FileFormatError(f"'{folder}' has no training data: make some by  fogtree chess data")
    content = parse_json(read_bytes(path, MANIFEST_BYTES), f"'{path}'")
    check_head(path, content, KIND, newest=FORMAT)
    if content["version"] != FORMAT:
        raise FileFormatError(
            f"'{folder}' has training data of format {content['version']}; this version reads "
            f"{FORMAT}: make new data"
        )
    return read_record(content, DataManifest, f"'{path}'")


def check_options(folder: Path, before: object, now: object) -> None:
    """Refuse to continue in a folder that was begun with other options."""
    there = to_builtins(before)
    for name, value in to_builtins(now).items():
        if there[name] != value:
            raise OptionError(
                f"'{folder}' was made with other options ({name}: {there[name]!r:.40}, not "
                f"{value!r:.40}); choose another folder"
            )


def shard_paths(folder: Path) -> list[Path]:
    """The shards of a folder in order."""
    found: list[Path] = []
    with suppress(OSError):
        while (path := _shard_path(folder, len(found))).is_file():
            found.append(path)
    return found


def stored_games(folder: Path) -> Iterator[StoredGame]:
    """All games of a folder as they lie there; a last one that is cut off is left out."""
    shards = shard_paths(folder)
    seen: set[int] = set()
    for path in shards:
        content = read_bytes(path, MOST_SHARD)
        games = _records(path, content, may_be_cut=path == shards[-1])
        for _, game in games:
            if game.number in seen:
                raise FileFormatError(f"'{path}' is damaged: game {game.number} is there twice")
            seen.add(game.number)
            yield game


def read_rows(folder: Path) -> tuple[Rows, np.ndarray[Any, np.dtype[np.int64]]]:
    """All rows of a folder in the order of games, and for every row the number of its game."""
    read_manifest(folder)
    games = sorted(stored_games(folder), key=lambda game: game.number)
    if not games:
        raise FileFormatError(f"'{folder}' has no finished game yet")
    counts = [game.count for game in games]
    rows = np.empty(sum(counts), ROW)
    starts = np.cumsum([0, *counts])

    def unpack(at: int) -> None:
        """Write the rows of one game to their place."""
        rows[starts[at] : starts[at + 1]] = games[at].rows()

    with ThreadPoolExecutor(cores()) as threads:  # zlib lets other threads run
        for _ in threads.map(unpack, range(len(games))):
            pass  # raises what a thread has raised
    return rows, np.repeat([game.number for game in games], counts)


def statistics(folder: Path) -> dict[str, Any]:
    """Counts and means of a data folder; ``search_to_teacher`` is the mean absolute difference
    between the values of search and evaluator at the positions that were played. Results and
    lengths are those of games of searches; those of quick games are not known."""
    games = rows = size = 0
    kinds = dict.fromkeys((kind.name for kind in Kind), 0)
    results = {"won": 0, "drawn": 0}
    lengths: list[int] = []
    gaps: list[float] = []
    for game in stored_games(folder):
        found = game.rows()
        games, rows, size = games + 1, rows + len(found), size + len(game.payload)
        for kind in Kind:
            kinds[kind.name] += int((found["kind"] == kind).sum())
        played = found[found["kind"] == Kind.played]
        if len(played):
            if played["result"][-1] != UNKNOWN:
                results["drawn" if played["result"][-1] == 0 else "won"] += 1
                lengths.append(int(played["ply"][-1]) + 1)
            searched = played[~np.isnan(played["search"])]
            if len(searched):
                gap = searched["search"].astype(np.float64) - searched["teacher"]
                gaps.append(float(np.mean(np.abs(gap))))
    return {
        "games": games,
        "rows": rows,
        "bytes": size,
        **kinds,
        **results,
        "plies_per_game": round(float(np.mean(lengths)), 1) if lengths else None,
        "longest_game": max(lengths, default=None),
        "search_to_teacher": round(float(np.mean(gaps)), 4) if gaps else None,
    }


def _shard_path(folder: Path, number: int) -> Path:
    """The path of the shard with this number."""
    return folder / f"games-{number}.fogdata"


def _records(path: Path, content: bytes, *, may_be_cut: bool) -> Iterator[tuple[int, StoredGame]]:
    """The games of a shard, each with the byte at which its record ends. An incomplete record is an
    error, but for the last one if ``may_be_cut`` is set: that is left out."""
    at = 0
    while at < len(content):
        rest = len(content) - at
        whole = rest >= _HEADER.size
        if whole:
            magic, number, count, length, crc = _HEADER.unpack_from(content, at)
            if magic != _MAGIC or count > _MOST_ROWS:
                raise FileFormatError(f"'{path}' is damaged at byte {at}")
            whole = rest >= _HEADER.size + length
        if not whole:
            if may_be_cut and content.find(_MAGIC, at + 1) < 0:
                return
            raise FileFormatError(f"'{path}' is damaged: a game in it is cut off")
        payload = content[at + _HEADER.size : at + _HEADER.size + length]
        if zlib.crc32(payload) != crc:
            raise FileFormatError(f"'{path}' is damaged: the checksum of game {number} is wrong")
        at += _HEADER.size + length
        yield at, StoredGame(number, count, payload)


def _drop_cut_off(path: Path) -> None:
    """Cut off what follows the last whole game of a shard: a record that a kill left incomplete."""
    content = read_bytes(path, MOST_SHARD)
    end = 0
    for end, _ in _records(path, content, may_be_cut=True):  # noqa: B007
        pass
    if end < len(content):
        os.truncate(path, end)
