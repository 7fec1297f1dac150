"""How much memory there is to work with."""

from __future__ import annotations

import os
from pathlib import Path


def usual_memory() -> int:
    """What may be used where nobody says how much: four fifths of what is free."""
    return free_memory() * 4 // 5


def free_memory() -> int:
    """Bytes that this process can still have: of the machine, and of its control group."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        free = 4 << 30
    try:
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        free = min(free, limit - int((group / "memory.current").read_text()))
    except (OSError, ValueError):
        pass
    return max(free, 1)
