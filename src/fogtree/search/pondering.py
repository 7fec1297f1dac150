"""Searching while the opponent thinks, in a thread that ends with the process."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from typing import Protocol

from fogtree import _core
from fogtree.search.native import NativeSearch
from fogtree.system.termination import before_the_end

_SHORTEST = 0.003  # seconds that a search goes on at least


class Searchable(Protocol):
    """A native search, and the step that gives it its roots."""

    @property
    def native(self) -> NativeSearch: ...
    def prepare(self, seconds: float | None = None, *, pondering: bool = False) -> None: ...


class Pondering:
    """A search without a limit from the positions that are possible now, until it is ended.

    Errors of an evaluator are dropped: the next search meets them again.
    """

    def __init__(self, searchable: Searchable, threads: int) -> None:
        """Start the search with ``threads`` threads, one of which solves."""
        native = searchable.native
        self._stop = native.stop_flag
        self._stop.clear()
        self._began = time.perf_counter()

        def think() -> None:
            """The thread's work: set the roots, then search until the stop flag is set."""
            try:
                with suppress(Exception):
                    searchable.prepare(pondering=True)
                    if not native.stop_flag.is_set:
                        native.decide(_core.SearchBudget(expanders=max(1, threads - 1)))
            finally:
                _RUNNING.discard(self)

        self._thread = threading.Thread(target=think, name="pondering", daemon=True)
        _RUNNING.add(self)
        self._thread.start()

    def end(self) -> None:
        """End the search and wait for its thread. A search that has just begun runs for a moment
        longer, so that the tree grows even if observations follow each other quickly."""
        self._thread.join(max(0.0, self._began + _SHORTEST - time.perf_counter()))
        self._stop.set()
        self._thread.join()

    def leave(self) -> None:
        """End the search without waiting, because its thread may be waiting for the caller."""
        if self._thread.is_alive() and not sys.is_finalizing():  # then _end_all has ended it
            threading.Thread(target=self.end, daemon=True).start()


_RUNNING: set[Pondering] = set()


@before_the_end
def _end_all() -> None:
    """End all searches before the interpreter shuts down, because a native thread would crash
    without it."""
    for pondering in list(_RUNNING):
        pondering.end()
