"""How a process ends early: SIGTERM as an exception, and work to do before the exit."""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable
from typing import Any, NoReturn

DEFAULT_ITERATIONS = 1000
"""Where no limit is given."""


class Terminated(SystemExit):
    """Raised after SIGTERM, once the run has been saved.

    Not caught, it ends the process with SIGTERM's status. ``run`` is the saved run, or None.
    """

    def __init__(self, run: Any = None) -> None:
        super().__init__(128 + signal.SIGTERM)
        self.run = run


_LAST: list[Callable[[], None]] = []


def before_the_end(work: Callable[[], None]) -> Callable[[], None]:
    """Decorator: call a function before the process ends, also by :func:`exit_at_once`."""
    _LAST.append(work)
    return atexit.register(work)


def exit_at_once(status: int) -> NoReturn:
    """End the process now, without waiting for other threads."""
    try:
        for work in _LAST:
            work()
    finally:
        os._exit(status)
