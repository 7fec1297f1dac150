"""A chess engine that speaks UCI, as a subprocess that may die."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import subprocess
import time
from dataclasses import dataclass

from fogtree.errors import FogtreeError

MATE = 100_000
"""Hundredths of a pawn that stand for a mate; less one for each move until then."""


class EngineError(FogtreeError):
    """A chess engine does not start, answers nonsense, or died twice."""


@dataclass(frozen=True)
class SearchLine:
    """One line of an engine's answer: its first move and its score for the side to move."""

    move: str
    centipawns: int


ALL_LINES = 256
_LINE = re.compile(
    rb"^info\b(?:.*? multipv (\d+))?.*? score (cp|mate) (-?\d+)\b.*? pv (\w+)", re.MULTILINE
)


class UciEngine:
    """One engine process; every question is a position and gets its lines as the answer."""

    def __init__(self, program: str, *, seconds: float = 20.0) -> None:
        self.program = program
        self.seconds = seconds
        self.starts = 0
        self.multi_pv = False
        self._lines = 1
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = b""
        self._start()

    def search(self, fen: str, *, lines: int = ALL_LINES) -> list[SearchLine]:
        """Ask for depth 1; an engine that dies is started once more and asked again."""
        try:
            return self._search(fen, lines)
        except EngineError:
            self._stop()
            self._start()
            return self._search(fen, lines)

    def close(self) -> None:
        """End the process."""
        self._stop()

    def _search(self, fen: str, lines: int) -> list[SearchLine]:
        if self.multi_pv and lines != self._lines:
            self._send(f"setoption name MultiPV value {lines}")
            self._lines = lines
        self._send(f"position fen {fen}\ngo depth 1")
        answer = self._until(b"bestmove")
        # Later lines are better ones.
        return list(
            {int(found[0] or 1): _read_line(found) for found in _LINE.findall(answer)}.values()
        )

    def _start(self) -> None:
        self._heard = b""
        self._lines = 1
        try:
            self._process = subprocess.Popen(
                [self.program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
        except OSError as error:
            raise EngineError(f"cannot start the engine {self.program}: {error}") from None
        self.starts += 1
        self._send("uci")
        self.multi_pv = b"option name MultiPV " in self._until(b"uciok")
        self._send("isready")
        self._until(b"readyok")

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _send(self, text: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise EngineError(f"the engine {self.program} is closed")
        try:
            self._process.stdin.write(f"{text}\n".encode())
        except (OSError, ValueError):
            raise EngineError(f"the engine {self.program} died") from None

    def _until(self, word: bytes) -> bytes:
        """All that the engine says up to the line that begins with a word."""
        late = time.monotonic() + self.seconds
        last = re.compile(rb"^" + word + rb"\b.*\n", re.MULTILINE)
        while not (end := last.search(self._heard)):
            self._heard += self._hear(late - time.monotonic())
        answer, self._heard = self._heard[: end.end()], self._heard[end.end() :]
        return answer

    def _hear(self, seconds: float) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(max(seconds, 0)):
                message = f"the engine {self.program} gave no answer for {self.seconds:g} s"
                raise EngineError(message)
        heard = os.read(self._process.stdout.fileno(), 1 << 16)
        if not heard:
            raise EngineError(f"the engine {self.program} died")
        return heard


def _read_line(found: tuple[bytes, bytes, bytes, bytes]) -> SearchLine:
    _, kind, number, move = found
    amount = int(number)
    if kind == b"mate":
        amount = MATE - abs(amount) if amount > 0 else abs(amount) - MATE
    return SearchLine(move.decode(), amount)
