"""How a run ends: after so many iterations if nobody says when, or early if it is told to."""

from __future__ import annotations

import signal
from typing import Any

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
