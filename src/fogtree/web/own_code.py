"""Games from visitors' Python files. Their code runs only if the server allows it, and never in the
server itself: a process of its own, bounded in time and memory, compiles a game to a tree."""

from __future__ import annotations

import json
import re
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fogtree.errors import GameError, OptionError, UnknownNameError
from fogtree.tree import GameTree
from fogtree.web.child_process import ChildProcess
from fogtree.web.limits import Limits
from fogtree.web.own_code_process import ANSWER, ARRAYS, WHERE
from fogtree.web.requests import ForbiddenError, TooLargeError

_NAME = re.compile(r"[\w-]{1,60}\.py")
_TREES = 4  # compiled games that are kept
_GRACE = 30.0  # seconds for a process to start and to write its answer


@dataclass(frozen=True)
class OwnFile:
    """A file with the games that are in it, as the list of games describes them."""

    source: str
    games: tuple[dict[str, Any], ...]


class OwnCode:
    """The Python files that visitors have brought, and their games."""

    def __init__(self, limits: Limits, *, allowed: bool, command: str = "fogtree") -> None:
        """``command`` is how fogtree is called on the server's machine."""
        self.allowed, self._limits, self._command = allowed, limits, command
        self._files: OrderedDict[str, OwnFile] = OrderedDict()
        self._trees: OrderedDict[tuple[str, str, int], GameTree] = OrderedDict()
        self._slots = threading.BoundedSemaphore(limits.own_code_processes)
        self._lock = threading.Lock()

    def add(self, name: object, source: object) -> tuple[dict[str, Any], ...]:
        """Keep a file, in place of an earlier one of the same name; returns its games."""
        self.check_allowed()
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise OptionError("a file of a game is called like  my_game.py  (letters, digits, - _)")
        if not isinstance(source, str):
            raise OptionError("'source' must be the text of the file")
        if len(source.encode(errors="replace")) > self._limits.own_code_bytes:
            most = self._limits.own_code_bytes
            raise TooLargeError(f"a file of a game may have at most {most:,} bytes")
        with self._run(name, source, ("list", name, "0")) as (_, answer):
            games = tuple(answer["games"])
        with self._lock:
            self._files.pop(name, None)
            self._files[name] = OwnFile(source, games)
            while len(self._files) > self._limits.own_code_files:
                self._files.popitem(last=False)
        return games

    @property
    def games(self) -> list[dict[str, Any]]:
        """The games of all files, the latest file last."""
        with self._lock:
            return [game for file in self._files.values() for game in file.games]

    def check(self, spec: str) -> None:
        """Raise an error if the file of a game is not on this server."""
        self.check_allowed()
        self._source(spec)

    def compile(self, spec: str, memory: int, breathe: Callable[[], None]) -> GameTree:
        """Compile a game such as ``my_game.py:MyGame(bet=4)``; ``breathe`` is called often, and an
        error that it raises ends the process."""
        self.check_allowed()
        name, source = self._source(spec)
        key = (source, spec, memory)
        with self._lock:
            known = self._trees.get(key)
        if known is not None:
            return known
        order = ("compile", spec, str(memory))
        with self._run(name, source, order, breathe) as (folder, answer):
            with np.load(folder / ARRAYS, allow_pickle=False) as archive:
                arrays = {field: archive[field] for field in archive.files}
            texts = {key: _tuples(value) for key, value in answer["texts"].items()}
            tree = GameTree(
                game=answer["game"],
                players=answer["players"],
                seconds=answer["seconds"],
                **arrays,
                **texts,
            )
        with self._lock:
            self._trees[key] = tree
            while len(self._trees) > _TREES:
                self._trees.popitem(last=False)
        return tree

    def check_allowed(self) -> None:
        """Refuse if this server does not run code of its visitors."""
        if not self.allowed:
            raise ForbiddenError(
                "this server does not run visitors' Python files; start it with  "
                f"{self._command} serve --own-code"
            )

    def _source(self, spec: str) -> tuple[str, str]:
        """The name and the text of the file that a game's spec names."""
        name = spec.partition(":")[0].strip()
        with self._lock:
            file = self._files.get(name)
            names = list(self._files)
        if file is None:
            raise UnknownNameError("file on this server", name, names)
        return name, file.source

    @contextmanager
    def _run(
        self,
        name: str,
        source: str,
        order: tuple[str, ...],
        breathe: Callable[[], None] = lambda: None,
    ) -> Iterator[tuple[Path, dict[str, Any]]]:
        """Run a visitor's file in a process that carries out the ``order``, as
        :mod:`~fogtree.web.own_code_process` describes it. Yields the folder of the results, which
        exists in the block only, and the answer."""
        if not self._slots.acquire(blocking=False):
            raise OptionError("the server runs other files at the moment; try again soon")
        try:
            with tempfile.TemporaryDirectory(prefix="fogtree-") as place:
                folder = Path(place)
                (folder / name).write_text(source, encoding="utf-8", errors="replace")
                status = self._wait(folder, order, breathe)
                yield folder, self._answer(folder, name, status)
        finally:
            self._slots.release()

    def _wait(
        self, folder: Path, order: tuple[str, ...], breathe: Callable[[], None]
    ) -> int | None:
        """Run the process; returns its exit status, or None if it had to be killed."""
        seconds = self._limits.own_code_seconds
        end = time.monotonic() + seconds + _GRACE
        module, given = "fogtree.web.own_code_process", (*order, str(seconds))
        with ChildProcess(module, given, folder) as process:
            while process.running:
                process.next_line(0.05)
                breathe()
                if time.monotonic() > end:
                    process.kill()
                    return None
            return process.status

    def _answer(self, folder: Path, name: str, status: int | None) -> dict[str, Any]:
        """What the process found; an error in one line if it found a mistake or was stopped."""
        try:
            answer = json.loads((folder / ANSWER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            answer = None
        if isinstance(answer, dict) and status == 0:
            if "error" in answer:
                raise GameError(str(answer["error"]))
            return answer
        running = _text_of(folder / WHERE)
        if status is None or running:
            line = re.search(rf'File "[^"]*{re.escape(name)}", line (\d+)', running)
            at = f" ({name}, line {line[1]})" if line else ""
            raise GameError(
                f"'{name}' was stopped after {self._limits.own_code_seconds:g} seconds{at}; does "
                "it wait for something, or is the game too large?"
            )
        raise GameError(f"'{name}' ended its process (status {status}) without an answer")


def _text_of(file: Path) -> str:
    """The text of a file, which is the traceback of a process whose time was up; empty if there is
    no such file."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _tuples(value: Any) -> Any:
    """Lists of a JSON document, at any depth, as tuples."""
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
