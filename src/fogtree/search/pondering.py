"""Searching while the other side thinks, in a thread that anybody may leave behind."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import suppress

from fogtree import _core
from fogtree.system.termination import before_the_end


class Pondering:
    """A search from what is possible now, without a limit, until it is ended.

    An evaluator's trouble is not told here: whoever searches next will have it again.
    """

    def __init__(
        self,
        search: _core.FogChessSearch | _core.CambiaSearch,
        know: Callable[[], None],
        threads: int,
    ) -> None:
        """``know`` turns the search to what is known now; of the ``threads`` one solves."""
        self._search = search

        def think() -> None:
            try:
                with suppress(Exception):
                    know()
                    search.decide(_core.SearchBudget(expanders=max(1, threads - 1)))
            finally:
                _GOING_ON.discard(self)

        self._thread = threading.Thread(target=think, name="pondering", daemon=True)
        _GOING_ON.add(self)
        self._thread.start()

    def end(self) -> None:
        """End it and wait until it has ended."""
        while self._thread.is_alive():
            self._search.stop()  # one that has not begun yet does not hear it
            self._thread.join(0.002)

    def leave(self) -> None:
        """The same without waiting, for those who might be waited for themselves."""
        if self._thread.is_alive() and not sys.is_finalizing():  # then it has been ended
            threading.Thread(target=self.end, daemon=True).start()


_GOING_ON: set[Pondering] = set()


@before_the_end
def _end_all() -> None:
    """A native thread that meets an interpreter which is gone takes the process down with it."""
    for pondering in list(_GOING_ON):
        pondering.end()
