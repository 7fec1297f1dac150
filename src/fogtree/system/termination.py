"""How a run ends: after so many iterations if nobody says when, or early if it is told to."""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable
from typing import Any, NoReturn

DEFAULT_ITERATIONS = 1000
"""Where no limit is given."""


class Terminated(SystemExit):
    """The process was told to end (SIGTERM); a run that can be saved was ended and saved first.

    Not caught, it ends the process as SIGTERM does; ``run`` is the run as it stands, if there is
    one.
    """

    def __init__(self, run: Any = None) -> None:
        super().__init__(128 + signal.SIGTERM)
        self.run = run


_LAST: list[Callable[[], None]] = []


def before_the_end(work: Callable[[], None]) -> Callable[[], None]:
    """Decorates what is to be done before the process ends, be it by ``exit_at_once``."""
    _LAST.append(work)
    return atexit.register(work)


def exit_at_once(status: int) -> NoReturn:
    """Ends the process, whatever its other threads are in the middle of."""
    try:
        for work in _LAST:
            work()
    finally:
        os._exit(status)
