"""Counts the functions and files of the package that four typical tasks pass through.

Usage: python scripts/count_walks.py

The tasks: a solve, a search of a chess position, one training iteration, a match. Everything runs
in one process, so that nothing is missed; native code is not counted.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from fogtree.cli import main

TRAINING = """
[run]
iterations = 1
[traversal]
traversals = 10
[network]
hidden = [8]
[regret]
steps = 2
[average]
steps = 2
"""

TASKS = {
    "solve": ["solve", "leduc_poker", "--iterations", "100"],
    "search": ["analyse", "fog_chess", "--moves", "e2e4,e7e5", "--steps", "200"],
    "training iteration": ["train", "kuhn_poker", "--config", "training.toml", "--save", "run"],
    "match": [
        "arena",
        "kuhn_poker",
        "--agents",
        "random,search(steps=10)",
        "--games",
        "2",
        "--workers",
        "1",
    ],
}


def passed_by(work: Callable[[], object]) -> set[tuple[str, str]]:
    """The package's functions that ``work`` calls, as pairs of file and qualified name."""
    found: set[tuple[str, str]] = set()

    def notice(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and f"{os.sep}fogtree{os.sep}" in code.co_filename:
            found.add((code.co_filename, code.co_qualname))

    threading.setprofile(notice)
    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    # Modules, lambdas and comprehensions are parts of the functions that they stand in.
    return {(file, name) for file, name in found if not name.endswith(">")}


def count(words: list[str]) -> tuple[int, int]:
    """The numbers of functions and files that one command (``words`` of a command line) passes
    through, in a second run after one that imports everything."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("training.toml").write_text(TRAINING)
            assert main(words) == 0
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("training.toml").write_text(TRAINING)
            found = passed_by(lambda: main(words))
    return len(found), len({file for file, _ in found})


if __name__ == "__main__":
    for task, words in TASKS.items():
        functions, files = count(words)
        print(f"{task}: {functions} functions in {files} files")
