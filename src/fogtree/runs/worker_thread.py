"""Long work in a thread, so that the main thread can answer signals at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from time import perf_counter
from typing import Any, TypeVar

from fogtree import _core
from fogtree.system.termination import StopRequest

Result = TypeVar("Result")

LOOK_SECONDS = 0.1
"""Seconds between two looks at the clock and the signals while work is going on."""


def run_until(
    threads: ThreadPoolExecutor,
    work: Callable[[_core.Stop], Result],
    asked: StopRequest,
    seconds: float | None,
) -> Result:
    """The result of ``work`` in a thread, asked to stop after ``seconds`` or on a signal."""
    stop = _core.Stop()
    end = None if seconds is None else perf_counter() + seconds
    future = threads.submit(work, stop)
    try:
        while not future.done() and asked() is None:
            left = LOOK_SECONDS if end is None else min(LOOK_SECONDS, end - perf_counter())
            if left <= 0:
                break
            wait([future], timeout=left)
    finally:  # also on a second Ctrl-C
        stop.request()
        wait([future])
    return future.result()


class WorkerThread:
    """A thread that does one piece of work at a time and calls ``last`` after all of it.

    Leaving the context during work (a second Ctrl-C) does not wait: the thread ends with that work,
    or with the process.
    """

    def __init__(self, last: Callable[[], None] | None = None) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._last = last
        self._busy = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> WorkerThread:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._work.put(None)
        if not self._busy:
            self._thread.join()

    def _serve(self) -> None:
        while (given := self._work.get()) is not None:
            future, work = given
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
        if self._last is not None:
            self._last()

    def run(self, work: Callable[[], Result], look: Callable[[], None]) -> Result:
        """The result of ``work``; ``look`` is called every LOOK_SECONDS until it is there."""
        future: Future[Result] = Future()
        self._busy = True
        self._work.put((future, work))
        while not wait([future], timeout=LOOK_SECONDS).done:
            look()
        self._busy = False
        return future.result()
