"""A real ``fogtree serve`` in a process of its own, on a free port of the loopback address."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import ClientConnection, connect

SECONDS = 180
"""The longest wait for anything, on a machine that is busy."""


class ServerProcess:
    """A server that can be killed and started again on the same database."""

    program: tuple[str, ...] = ("-m", "fogtree")
    """What Python runs; a program that registers games first has others to offer."""

    def __init__(self, data: Path, *options: str) -> None:
        """``options`` are passed on to ``fogtree serve``."""
        self._options = ["--data", str(data), *options]
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    def start(self) -> None:
        """Start the server and wait until it listens."""
        command = [sys.executable, *self.program, "serve", "--no-browser", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, *self._options], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)", line)
        assert found, line
        self.port = int(found[1])

    @property
    def address(self) -> str:
        """The address of the first page, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> subprocess.Popen[str]:
        """The process of the server."""
        assert self._process is not None
        return self._process

    def kill(self) -> None:
        """End the server at once, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def post(self, path: str, content: dict[str, Any]) -> dict[str, Any]:
        """Ask for something; returns the JSON of the answer."""
        request = Request(
            f"{self.address}{path}",
            json.dumps(content).encode(),
            {"Content-Type": "application/json"},
        )
        with urlopen(request, timeout=SECONDS) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    @contextmanager
    def seat(self, game: dict[str, Any], number: int, since: int = 0) -> Iterator[ClientConnection]:
        """Connect to a seat of a game."""
        address = f"ws://127.0.0.1:{self.port}/ws/games/{game['id']}"
        with connect(address, open_timeout=SECONDS, proxy=None) as socket:
            hello = {"type": "hello", "key": game["keys"][str(number)], "since": since}
            socket.send(json.dumps(hello))
            yield socket


@contextmanager
def running(
    data: Path, *options: str, program: tuple[str, ...] = ServerProcess.program
) -> Iterator[ServerProcess]:
    """A running server, ended at the end."""
    server = ServerProcess(data, *options)
    server.program = program
    server.start()
    try:
        yield server
    finally:
        server.kill()
