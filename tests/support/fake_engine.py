"""Programs that pretend to be chess engines."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

READY = """
for line in sys.stdin:
    if line == "uci\\n":
        print("option name MultiPV type spin default 1 min 1 max 500\\nuciok", flush=True)
    if line == "isready\\n":
        print("readyok", flush=True)
"""
"""The loop of an engine that answers to ``uci`` and ``isready``; a body goes on inside it."""


def fake_engine(folder: Path, body: str) -> str:
    """A program of Python with this body."""
    program = folder / "engine"
    program.write_text(f"#!{sys.executable}\n{body}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)
