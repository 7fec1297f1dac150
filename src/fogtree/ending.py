"""How work ends that was told to end early."""

from __future__ import annotations

import signal
from typing import Any


class Terminated(SystemExit):
    """The process was told to end (SIGTERM); a run that can be saved was ended and saved first.

    Not caught, it ends the process as SIGTERM does; ``run`` is the run as it stands, if there is
    one.
    """

    def __init__(self, run: Any = None) -> None:
        super().__init__(128 + signal.SIGTERM)
        self.run = run
