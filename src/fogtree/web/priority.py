"""Threads that compute give way to the one that answers browsers."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

_NICE = 10


def give_way() -> None:
    """Lower the priority of this thread and of native threads that it starts. Linux counts niceness
    per thread; elsewhere nothing changes."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
