"""Files that grow: a header line, then one JSON record per line.

A kill may cut off the last line, which is then dropped; but a file is changed only after all
of it has been read and recognised. One process at a time has the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import to_builtins

from fogtree.errors import FileFormatError, OptionError
from fogtree.system.archives import check_head
from fogtree.system.file_reader import read_bytes
from fogtree.system.files import append_whole, clear_unfinished, whole_file
from fogtree.system.path_lock import PathLock
from fogtree.system.records import parse_json, read_record

_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)

Row = TypeVar("Row")


class JsonlFile(Generic[Row]):
    """A file to which one process appends records of the type ``row``, such as finished games.

    Its header names its ``kind`` and the ``condition`` (settings by name) under which all records
    were made. Every record in the file is handed to ``keep``, which may raise an error if the
    record makes no sense.
    """

    def __init__(
        self,
        path: Path,
        *,
        kind: str,
        condition: Mapping[str, Any],
        row: type[Row],
        keep: Callable[[Row], None],
    ) -> None:
        """Read the file if it exists; one of another ``kind`` or ``condition`` is refused."""
        self.path = path
        self._head = {"fogtree": kind, "version": 1, **condition}
        self._row = row
        self._begin = (
            f'{{"{next(iter(row.__annotations__))}": '.encode()
        )  # the start of every line but the header
        self._new = not path.exists()
        self._lock: PathLock | None = None
        self._hold()
        try:
            content = b"" if self._new else read_bytes(path)
            self._begun = bool(content)
            if content:
                self._read(content, keep)
        except BaseException:
            self.close()
            raise

    def add(self, row: Row) -> None:
        """Append one record; the first one makes the file with its header."""
        line = f"{json.dumps(to_builtins(row))}\n"
        if self._begun:
            append_whole(self.path, line.encode())
            return
        with whole_file(self.path, new=self._new) as new:
            new.write(f"{json.dumps(self._head)}\n{line}".encode())
        self._begun = True
        self._hold()

    def close(self) -> None:
        """Let other processes use the file."""
        if self._lock is not None:
            self._lock.release()

    def _hold(self) -> None:
        """Lock the file, if it exists, so that no other process appends to it."""
        if self.path.is_file():
            self.close()
            self._lock = PathLock(self.path)
            clear_unfinished(self.path)

    def _read(self, content: bytes, keep: Callable[[Row], None]) -> None:
        """Check the header and hand all records to ``keep``. A last line that was cut off is
        removed from the file, or ended if only its line break is missing."""
        whole = content.rfind(b"\n") + 1
        first, *lines = content[:whole].split(b"\n")[:-1] or [b""]
        self._check_head(first)
        for number, line in enumerate(lines, start=2):
            self._read_line(line, number, keep)
        rest = content[whole:]
        if not rest:
            return
        try:
            self._read_line(rest, len(lines) + 2, keep)
        except FileFormatError:
            if not (rest.startswith(self._begin) or self._begin.startswith(rest)):
                raise
            os.truncate(self.path, whole)
        else:  # only the end of the line is missing
            append_whole(self.path, b"\n")

    def _check_head(self, line: bytes) -> None:
        """Refuse a file of another kind, or one made under other conditions."""
        try:
            head = parse_json(line, "")
        except FileFormatError:
            head = None
        check_head(self.path, head, str(self._head["fogtree"]))
        if head != self._head:
            raise OptionError(
                f"'{self.path}' was made under other conditions ({_difference(head, self._head)}); "
                "choose another"
            )

    def _read_line(self, line: bytes, number: int, keep: Callable[[Row], None]) -> None:
        """Read one record and hand it to ``keep``; an error names the file and the line."""
        where = f"'{self.path}', line {number}"
        row = read_record(parse_json(line, where), self._row, where)
        try:
            keep(row)
        except FileFormatError as error:
            raise FileFormatError(f"{where}: {error}") from error
        except _DAMAGED as error:
            raise FileFormatError(f"{where} is damaged") from error


def _difference(there: dict[str, Any], here: dict[str, Any]) -> str:
    """The first condition in which two headers differ, as text: its value ``there`` in the file,
    and ``here``, as asked for."""
    nothing = object()
    name = next(
        name for name in (*here, *there) if there.get(name, nothing) != here.get(name, nothing)
    )
    shown = (
        json.dumps(given[name])[:40] if name in given else "nothing" for given in (there, here)
    )
    return f"{name}: {', not '.join(shown)}"
