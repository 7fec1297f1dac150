"""A chess engine that speaks UCI, as a subprocess that may die."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
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


class UciEngine:
    """One engine process; every question is a position and gets its lines as the answer."""

    def __init__(self, program: str, *, lines: int = 256, seconds: float = 20.0) -> None:
        self.program = program
        self.seconds = seconds
        self.starts = 0
        self.multi_pv = False
        self._lines = lines
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._start()

    def search(self, fen: str) -> list[SearchLine]:
        """Ask for depth 1; an engine that dies is started once more and asked again."""
        try:
            return self._search(fen)
        except EngineError:
            self._stop()
            self._start()
            return self._search(fen)

    def close(self) -> None:
        """End the process."""
        self._stop()

    def _search(self, fen: str) -> list[SearchLine]:
        self._send(f"position fen {fen}")
        self._send("go depth 1")
        found: dict[int, SearchLine] = {}
        while True:
            words = self._receive().split()
            if words[:1] == ["bestmove"]:
                return list(found.values())
            if words[:1] == ["info"] and "pv" in words and "score" in words:
                number, line = _read_info(words)
                found[number] = line

    def _start(self) -> None:
        self._answers = queue.SimpleQueue()
        try:
            self._process = subprocess.Popen(
                [self.program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except OSError as error:
            raise EngineError(f"cannot start the engine {self.program}: {error}") from None
        self.starts += 1
        threading.Thread(target=_pump, args=(self._process, self._answers), daemon=True).start()
        self._send("uci")
        while (line := self._receive().strip()) != "uciok":
            if line.startswith("option name MultiPV "):
                self.multi_pv = True
        if self.multi_pv:
            self._send(f"setoption name MultiPV value {self._lines}")
        self._send("isready")
        while self._receive().strip() != "readyok":
            pass

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _send(self, line: str) -> None:
        if self._process is None or self._process.stdin is None:
            raise EngineError(f"the engine {self.program} is closed")
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineError(f"the engine {self.program} died") from None

    def _receive(self) -> str:
        try:
            line = self._answers.get(timeout=self.seconds)
        except queue.Empty:
            message = f"the engine {self.program} gave no answer for {self.seconds:g} s"
            raise EngineError(message) from None
        if line is None:
            raise EngineError(f"the engine {self.program} died")
        return line


def _pump(process: subprocess.Popen[str], answers: queue.SimpleQueue[str | None]) -> None:
    """Hand on what the engine says until it says no more."""
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError):
        for line in process.stdout:
            answers.put(line)
    answers.put(None)


def _read_info(words: list[str]) -> tuple[int, SearchLine]:
    """The line's number and content; `info … multipv 2 score cp 31 … pv e2e4 …`."""
    try:
        number = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
        at = words.index("score")
        kind, amount = words[at + 1], int(words[at + 2])
        move = words[words.index("pv") + 1]
    except (ValueError, IndexError):
        raise EngineError(f"cannot read the engine's line: {' '.join(words)[:80]}") from None
    if kind == "mate":
        amount = MATE - abs(amount) if amount > 0 else abs(amount) - MATE
    return number, SearchLine(move, amount)
