"""Files that grow: a first line that says what they are, then one line of JSON after the other.

A kill may cut the last line off, and then it is dropped; but nothing of a file is changed before
all of it is known to be ours.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError, OptionError
from fogtree.system.files import check_version, whole_file

_VERSION = 1
_DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


class LineFile:
    """A file of one kind, made under one condition. What it holds is handed to ``keep`` line by
    line, which raises what it likes at a line that is not as it should be."""

    def __init__(
        self,
        path: Path,
        *,
        kind: str,
        condition: Mapping[str, Any],
        first_key: str,
        keep: Callable[[Any], None],
    ) -> None:
        self.path = path
        self._head = {"fogtree": kind, "version": _VERSION, **condition}
        self._begin = f'{{"{first_key}": '.encode()  # of every line but the first
        self._keep = keep
        content = self._content()
        self._begun = bool(content)
        if content:
            self._read(content)

    def add(self, content: Mapping[str, Any]) -> None:
        """One line more; its first key is always the same. The first one makes the file."""
        line = f"{json.dumps(content)}\n"
        if self._begun:
            with self.path.open("a", encoding="utf-8") as out:
                out.write(line)
            return
        with whole_file(self.path) as new:
            new.write(f"{json.dumps(self._head)}\n{line}".encode())
        self._begun = True

    def _content(self) -> bytes:
        try:
            return self.path.read_bytes() if self.path.exists() else b""
        except OSError as error:
            message = f"cannot read '{self.path}': {error.strerror or error}"
            raise FileFormatError(message) from error

    def _read(self, content: bytes) -> None:
        whole = content.rfind(b"\n") + 1
        first, *lines = content[:whole].split(b"\n")[:-1] or [b""]
        self._check_head(first)
        for number, line in enumerate(lines, start=2):
            self._read_line(line, number)
        rest = content[whole:]
        if not rest:
            return
        try:
            self._read_line(rest, len(lines) + 2)
        except FileFormatError:
            if not (rest.startswith(self._begin) or self._begin.startswith(rest)):
                raise
            os.truncate(self.path, whole)
        else:  # nothing of it is missing but its end
            with self.path.open("ab") as out:
                out.write(b"\n")

    def _check_head(self, line: bytes) -> None:
        try:
            head = json.loads(line)
        except (ValueError, RecursionError):
            head = None
        kind = self._head["fogtree"]
        if not isinstance(head, dict) or head.get("fogtree") != kind:
            raise FileFormatError(f"'{self.path}' is not a fogtree {kind} file")
        check_version(self.path, head)
        if head != self._head:
            raise OptionError(
                f"'{self.path}' was made under other conditions ({_difference(head, self._head)}); "
                "choose another"
            )

    def _read_line(self, line: bytes, number: int) -> None:
        try:
            self._keep(json.loads(line))
        except FileFormatError as error:
            raise FileFormatError(f"'{self.path}', line {number}: {error}") from error
        except _DAMAGED as error:
            raise FileFormatError(f"'{self.path}' is damaged: see line {number}") from error


def _difference(there: dict[str, Any], here: dict[str, Any]) -> str:
    """The first thing that differs, as a file has it and as it is asked for."""
    name = next(key for key in (*here, *there) if there.get(key) != here.get(key))
    return f"{name}: {str(there.get(name))[:40]}, not {str(here.get(name))[:40]}"
