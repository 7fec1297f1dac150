"""How fogtree is called on this machine, for advice that can be pasted into a terminal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from shutil import which


def command_name() -> str:
    """The command by which this process was started: ``fogtree`` where it is on the path, or else
    the file to call, such as ``.venv/bin/fogtree``."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{_callable(Path(sys.executable))} -m fogtree"
    return _callable(called) if called.name.startswith("fogtree") else "fogtree"


def _callable(program: Path) -> str:
    """A program as it is written in a terminal: its name if that finds it, its path from here if it
    is below this folder, or else its whole path."""
    found, whole = which(program.name), program.absolute()
    if found is not None and Path(found).absolute() == whole:
        return program.name
    here = Path.cwd()
    if whole.parent == here:
        return shlex.quote(f"./{whole.name}")  # a shell looks for a bare name on the path only
    return shlex.quote(str(whole.relative_to(here) if whole.is_relative_to(here) else whole))
