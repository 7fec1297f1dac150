"""A thread for long work, so that the main thread can answer signals at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")

LOOK_SECONDS = 0.1


class WorkerThread:
    """Does one piece of work at a time; ``last`` is called in the thread after all of it.

    Leaving the context during work (a second Ctrl-C) does not wait: the thread ends with that
    work, or with the process.
    """

    def __init__(self, last: Callable[[], None]) -> None:
        self._work: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._last = last
        self._busy = False
        self._thread = threading.Thread(target=self._serve, name="training", daemon=True)

    def __enter__(self) -> WorkerThread:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._work.put(None)
        if not self._busy:
            self._thread.join()

    def _serve(self) -> None:
        while (given := self._work.get()) is not None:
            work, future = given
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
        self._last()

    def run(self, work: Callable[[], Result], look: Callable[[], None]) -> Result:
        """The result of ``work``; ``look`` is called every tenth of a second until it is there."""
        future: Future[Result] = Future()
        self._busy = True
        self._work.put((work, future))
        while not wait([future], timeout=LOOK_SECONDS).done:
            look()
        self._busy = False
        return future.result()
