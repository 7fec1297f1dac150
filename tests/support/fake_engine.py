"""Programs that pretend to be chess engines."""

from __future__ import annotations

import stat
import sys
from pathlib import Path


def fake_engine(folder: Path, body: str) -> str:
    """A program of Python with this body."""
    program = folder / "engine"
    program.write_text(f"#!{sys.executable}\n{body}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)
