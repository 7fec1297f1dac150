"""Ctrl-C while the program starts: it ends quietly."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Presses when a module is about to be imported, which is a moment that can be chosen exactly.
PRESSED = """
import os, signal, sys
moment = sys.argv.pop(1)
class Pressed:
    def find_spec(self, name, *rest):
        if name == moment:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Pressed())
from fogtree.__main__ import main
sys.exit(main())
"""

FIRST = """
import sys
known = set(sys.modules)
import fogtree.__main__
print(*sorted(set(sys.modules) - known))
"""

MOMENTS = (
    "fogtree.cli",
    "typer",
    "fogtree.cli.ablate",
    "fogtree.terminal.outcome",
    "fogtree.games.fog_chess.commands.uci",
)
TURNING = ("fogtree.cli", "rich.console", "numpy", "fogtree._core")
"""Moments of every run in which an interruption becomes another error; the rest are slow."""
LATER = ("rich.console", "fogtree.tree", "numpy", "fogtree._core", "fogtree.games.kuhn_poker")


# As above, but what is imported turns the interruption into an error of its own, as native modules
# do.
TURNED = PRESSED.replace(
    "            os.kill(os.getpid(), signal.SIGINT)",
    """            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise ImportError("initialization failed") from None""",
)


def python(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, *words], capture_output=True, check=False)


@pytest.mark.parametrize("moment", [*MOMENTS, *LATER])
def test_ctrl_c_during_the_imports_is_quiet(moment):
    done = python("-c", PRESSED, moment, "info", "kuhn_poker")
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param(moment, marks=[pytest.mark.slow] * (moment not in TURNING))
        for moment in (*MOMENTS, *LATER)
    ],
)
def test_an_interruption_that_a_library_turns_into_another_error_is_quiet(moment):
    assert "initialization failed" in TURNED
    done = python("-c", TURNED, moment, "info", "kuhn_poker")
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_nothing_that_takes_long_is_imported_before_ctrl_c_is_answered():
    first = python("-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{FIRST}")
    assert first.returncode == 0
    names = set(first.stdout.decode().split())
    assert {"fogtree", "fogtree.__main__"} <= names
    assert not names & {"typing", "re", "enum", "typer", "numpy"}
