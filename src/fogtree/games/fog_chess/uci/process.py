"""A UCI chess engine as a subprocess, restarted once if it dies."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.errors import FogtreeError
from fogtree.system.termination import before_the_end

MATE = 100_000
"""Hundredths of a pawn that stand for a mate; less one for each move until then."""


class EngineError(FogtreeError):
    """A chess engine does not start, answers nonsense, is silent, or died twice."""


class _SilentEngineError(EngineError):
    """The engine does not answer in time; it is not asked again."""


@dataclass(frozen=True)
class SearchLine:
    """One line of an engine's answer: its first move and its score for the side to move."""

    move: str
    centipawns: int


ALL_LINES = 256
"""Lines to ask for where all moves are wanted: no position of chess has as many moves."""
STARTING = 20.0
"""Seconds that an engine may take to be ready."""
ANSWERING = 5.0
"""Seconds that an answer may take; with depth 1 it takes a thousandth of one."""
_MOST_STARTS = 2
_LONGEST = 1 << 21  # bytes of one answer
_LINE = re.compile(
    rb"^info\b(?:.*? multipv (\d+))?.*? score (cp|mate) (-?\d{1,9})\b.*? pv (\w+)", re.MULTILINE
)
_NO_MOVE = re.compile(rb"\nbestmove[ \t]*(\(none\)|0000|NULL|\r?$)")


class UciEngine:
    """One engine process, which searches positions and returns its lines.

    Ctrl-C does not reach it: it ends when it is closed, or with this process.
    """

    # Here, because __del__ comes even if __init__ was interrupted.
    _process: subprocess.Popen[bytes] | None = None

    def __init__(
        self, program: str, *, seconds: float = ANSWERING, starting: float = STARTING
    ) -> None:
        """Start the engine; it must answer within ``seconds``, and when it starts within
        ``starting`` seconds."""
        self.program = program
        self.seconds = seconds
        self.starting = starting
        self.starts = 0
        self.multi_pv = False
        self._lines = 1
        self._owner = os.getpid()
        self._closed = False
        self._unread = b"\n"
        _ENGINES.add(self)
        self._start()

    def search(self, fen: str, *, lines: int = ALL_LINES) -> list[SearchLine]:
        """Have the engine search a position to depth 1, and return its best ``lines`` moves. An
        engine that dies is started once more and asked again; if it dies a second time, however
        much later, that is an error."""
        return self.search_all([fen], lines=lines)[0]

    def search_all(self, fens: Sequence[str], *, lines: int = ALL_LINES) -> list[list[SearchLine]]:
        """Search many positions; the engine works on the next one while an answer is read."""
        try:
            return self._search_all(fens, lines)
        except BaseException:  # an answer that is still to come would be taken for another's
            self._stop()
            raise

    def _search_all(self, fens: Sequence[str], lines: int) -> list[list[SearchLine]]:
        """Search positions, one request ahead of the answers; restart a dead engine once."""
        answers: list[list[SearchLine]] = []
        asked = 0
        while len(answers) < len(fens):
            try:
                if asked == len(answers):
                    self._ask(fens[asked], lines)
                    asked += 1
                answer = self._until(b"bestmove", self.seconds)
                if asked < len(fens):
                    self._ask(fens[asked], lines)
                    asked += 1
            except EngineError as error:
                if self.starts >= _MOST_STARTS or isinstance(error, _SilentEngineError):
                    raise
                asked = len(answers)
                self._stop()
                self._start()
            else:
                answers.append(self._read_lines(answer))
        return answers

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._stop()

    def __del__(self) -> None:
        self._stop()

    def _ask(self, fen: str, lines: int) -> None:
        """Send a position and have the engine search it for its best ``lines`` moves."""
        many = ""
        if self.multi_pv and lines != self._lines:
            many = f"setoption name MultiPV value {lines}\n"
            self._lines = lines
        self._send(f"{many}position fen {fen}\ngo depth 1")

    def _start(self) -> None:
        """Start the process and wait until it is ready."""
        if not hasattr(select, "poll"):
            raise EngineError("engines as evaluators need Linux or macOS: take the evaluator 'net'")
        self._unread = b"\n"
        self._lines = 1
        try:
            self._process = subprocess.Popen(
                [self.program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                process_group=0,
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start the engine {self.program}: {error}") from None
        self.starts += 1
        assert self._process.stdout is not None
        self._output = self._process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._output, select.POLLIN)
        try:
            self._send("uci")
            self.multi_pv = b"option name MultiPV " in self._until(b"uciok", self.starting)
            self._send("isready")
            self._until(b"readyok", self.starting)
        except BaseException:
            self._stop()
            raise

    def _stop(self) -> None:
        """Kill the engine process and close its pipes; in a forked child, which does not own it,
        only forget it."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():  # else it is our parent's
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _send(self, text: str) -> None:
        """Write one line to the engine; an error if the engine was closed or has died."""
        if self._process is None or self._process.stdin is None:
            raise EngineError(
                f"the engine {self.program} {'is closed' if self._closed else 'died'}"
            )
        try:
            self._process.stdin.write(f"{text}\n".encode())
        except (OSError, ValueError):
            raise EngineError(f"the engine {self.program} died") from None

    def _until(self, word: bytes, seconds: float) -> bytes:
        """Read the engine's output up to and including the line that begins with ``word``, which
        must come within ``seconds``."""
        late = time.monotonic() + seconds
        begin = b"\n" + word
        while (at := self._unread.find(begin)) < 0 or (end := self._unread.find(b"\n", at + 1)) < 0:
            if len(self._unread) > _LONGEST:
                raise EngineError(f"the engine {self.program} never ends its answer")
            self._unread += self._read_output(late - time.monotonic(), seconds)
        answer, self._unread = self._unread[:end], self._unread[end:]
        return answer

    def _read_output(self, left: float, seconds: float) -> bytes:
        """Wait for output of the engine and return it. ``left`` is how many of the ``seconds``
        allowed for the whole answer remain. It is an error if the engine writes nothing by then, or
        has died."""
        if not self._poll.poll(max(left, 0) * 1000):
            message = f"the engine {self.program} gave no answer for {seconds:g} s"
            raise _SilentEngineError(message)
        heard = os.read(self._output, 1 << 16)
        if not heard:
            raise EngineError(f"the engine {self.program} died")
        return heard

    def _read_lines(self, answer: bytes) -> list[SearchLine]:
        """The engine's final evaluation of each of its best moves, from the text of its answer."""
        lines = {}
        for number, kind, amount, move in _LINE.findall(answer):
            lines[number] = SearchLine(move.decode(), _centipawns(kind, int(amount)))
        if not lines and not _NO_MOVE.search(answer):
            raise EngineError(f"the engine {self.program} names a move but no score")
        return list(lines.values())


def _centipawns(kind: bytes, amount: int) -> int:
    """A score in hundredths of a pawn; a ``mate`` score becomes a very large one, larger the nearer
    the mate is."""
    if kind == b"cp":
        return amount
    far = min(abs(amount), MATE)
    return MATE - far if amount > 0 else far - MATE


_ENGINES: weakref.WeakSet[UciEngine] = weakref.WeakSet()


@before_the_end
def _end_all() -> None:
    """End all engine processes before this process ends."""
    for engine in list(_ENGINES):
        engine.close()
