"""Threads that compute give way to the one that answers browsers."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

_NICE = 10  # more than the process


def give_way() -> None:
    """Lower the priority of this thread and of native threads that it starts. Linux counts niceness
    per thread; elsewhere nothing changes."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            now = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, now + _NICE)
