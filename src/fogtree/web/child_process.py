"""Python processes of a server's jobs: they end with the server and can be killed at any time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue


class ChildProcess:
    """A module of fogtree that runs in a process of its own and writes lines to its output.

    Use it in a ``with`` block; a process that still runs at the end of the block is killed.
    """

    def __init__(self, module: str, arguments: Sequence[str], folder: Path) -> None:
        """Start ``python -m module`` in a folder, with this process's import path."""
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path if path)
        # -P: a file in the folder must not stand in for a module of the same name.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._ended = False
        threading.Thread(target=self._read, name=f"output of {module}", daemon=True).start()

    def __enter__(self) -> ChildProcess:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process.poll() is None:
            self.kill()
        self.ask_to_end()
        self._process.wait()

    def _read(self) -> None:
        """The reading thread's work: queue the lines of the process, and None at the end of its
        output."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(None)

    def next_line(self, seconds: float) -> bytes | None:
        """The next line of its output; None if there is none within ``seconds``."""
        if self._ended:
            return None
        with suppress(Empty):
            line = self._lines.get(timeout=seconds)
            self._ended = line is None
            return line
        return None

    @property
    def running(self) -> bool:
        """Whether there may be more output."""
        return not self._ended

    @property
    def status(self) -> int:
        """The exit status; waits until the process has ended."""
        return self._process.wait()

    def ask_to_end(self) -> None:
        """Ask the process to end, by closing the pipe that :func:`watch_parent` watches there."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def kill(self) -> None:
        """End the process, and those that it started, at once."""
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


def watch_parent(gone: Callable[[], None]) -> None:
    """In the child: call ``gone`` when the server asks it to end, or has ended itself. From now on
    there is nothing to read from standard input."""
    pipe = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)

    def wait() -> None:
        """Wait until the server closes the pipe, then call ``gone``."""
        while os.read(pipe, 4096):
            pass
        gone()

    threading.Thread(target=wait, name="parent", daemon=True).start()
