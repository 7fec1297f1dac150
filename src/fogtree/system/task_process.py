"""Processes that answer messages, for work that is divided without the user asking for it.

Unlike the workers of :mod:`fogtree.system.processes` they do not import the program's main module:
a script without ``if __name__ == "__main__"`` would run again in each of them. A process ends when
its standard input is closed, so it never outlives the one that started it; and it has a session of
its own, so that Ctrl-C reaches only the parent.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, NoReturn

FAILED = b""
"""The answer of a process that could not do its work; it ends afterwards."""

_serving: list[None] = []  # one in a process that calls :func:`serve`
_LENGTH = struct.Struct("<Q")

Inbox = SimpleQueue[tuple["TaskProcess", bytes | None]]
"""Answers with the process they come from; None once the process has ended."""


class TaskProcess:
    """A process that calls :func:`serve` and answers each message with one message."""

    def __init__(self, module: str, first: Sequence[bytes], inbox: Inbox) -> None:
        """Start ``module.main()`` in a new process with this process's import path, and send it the
        ``first`` messages, without waiting. Its answers go to the ``inbox``."""
        path = [entry for entry in sys.path if isinstance(entry, str)]
        program = f"import sys; sys.path[:] = {path!r}; from {module} import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._inbox = inbox
        threading.Thread(target=self._read, args=(first,), name=module, daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, message: bytes) -> None:
        """Send a message, once the first ones have been answered. If the process has ended, nothing
        happens here; the inbox tells."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            _write(self._process.stdin, message)

    def end(self) -> None:
        """End the process at once."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def _read(self, first: Sequence[bytes]) -> None:
        """The reading thread's work: send the first messages, then pass all answers on."""
        for message in first:
            self.send(message)
        assert self._process.stdout is not None
        with self._process.stdout as answers:
            while (answer := _read(answers)) is not None:
                self._inbox.put((self, answer))
        self._inbox.put((self, None))


def in_worker() -> bool:
    """Whether this process works for another one, so that it should start none itself."""
    return bool(_serving) or multiprocessing.parent_process() is not None


def serve(prepare: Callable[[bytes], Callable[[bytes], bytes]]) -> NoReturn:
    """In a process: make the function that answers messages from the first message, and answer all
    later ones, until standard input is closed. What the work prints is dropped."""
    _serving.append(None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    messages, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    queue: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        """Queue the messages; end the process with its standard input, also during work."""
        while (message := _read(messages)) is not None:
            queue.put(message)
        os._exit(0)

    threading.Thread(target=read, name="messages", daemon=True).start()
    try:
        work = prepare(queue.get())
        while True:
            _write(answers, work(queue.get()))
    except BaseException:  # also SystemExit of a user's code
        with suppress(OSError):
            _write(answers, FAILED)
        os._exit(1)


def _write(pipe: IO[bytes], message: bytes) -> None:
    """Write a message with its length."""
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def _read(pipe: IO[bytes]) -> bytes | None:
    """The next message; None if the other end was closed."""
    with suppress(OSError, ValueError):
        header = pipe.read(_LENGTH.size)
        if len(header) == _LENGTH.size:
            (length,) = _LENGTH.unpack(header)
            message = pipe.read(length)
            if len(message) == length:
                return message
    return None
