"""Resident memory of this process, in bytes.

Linux carries ``ru_maxrss`` over from the process that started this one, so the
kernel's own high-water mark is read where there is one, and it can be reset.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


def resident_bytes() -> int:
    """Memory held now (where the system does not tell: the most ever held)."""
    return _status("VmRSS:") or _most_ever_held()


def peak_bytes() -> int:
    """The most memory held since the process began or :func:`reset_peak` was called."""
    return _status("VmHWM:") or _most_ever_held()


def private_bytes(resident: int) -> int:
    """The part of so much resident memory that is no mapped file.

    Which pages of a library's code happen to be resident says nothing about a solver.
    """
    return resident - (_status("RssFile:") or 0) - (_status("RssShmem:") or 0)


def reset_peak() -> None:
    """Let the high-water mark begin again from the memory held now, where possible."""
    try:
        _CLEAR.write_text("5")
    except OSError:
        return


def _status(field: str) -> int | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return None


def _most_ever_held() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
