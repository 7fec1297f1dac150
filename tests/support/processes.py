"""The command line as a process of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

FOGTREE = (sys.executable, "-m", "fogtree")
HANGS = 600.0
"""Seconds after which a process counts as hanging. On a busy machine it may get a fiftieth of a
core, and starting takes a second or two of that."""


def start(
    folder: Path, *command: str, python: Sequence[str] = FOGTREE, own_group: bool = False
) -> subprocess.Popen[str]:
    """Start a command in a folder, with its output and errors as pipes."""
    return subprocess.Popen(
        [*python, *command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=own_group,
    )


def wait_for(process: subprocess.Popen[str], condition: Callable[[], object]) -> None:
    """Wait until the condition holds, while the process runs."""
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
