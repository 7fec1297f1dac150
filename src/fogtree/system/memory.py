"""How much memory this process can use."""

from __future__ import annotations

import os
from pathlib import Path


def usual_memory() -> int:
    """The default bound on memory in bytes: four fifths of free memory."""
    return free_memory() * 4 // 5


def free_memory() -> int:
    """Free memory in bytes: the machine's, or less if the control group of this process (a
    container's limit on Linux) allows less."""
    free = _machine_memory()
    try:
        group = Path("/sys/fs/cgroup")
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        free = min(free, limit - used + _number(group / "memory.stat", "inactive_file"))
    except (OSError, ValueError, KeyError):
        pass
    return max(free, 1)


def _machine_memory() -> int:
    """Available memory of the machine in bytes; cached files count as available. Where the system
    does not tell, as macOS and Windows do not, 4 GiB are assumed."""
    try:
        return _number(Path("/proc/meminfo"), "MemAvailable:") << 10
    except (OSError, ValueError, KeyError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 4 << 30


def _number(file: Path, name: str) -> int:
    """The first number in the line of a file whose first word is ``name``."""
    lines = dict(line.split(maxsplit=1) for line in file.read_text().splitlines())
    return int(lines[name].split()[0])
