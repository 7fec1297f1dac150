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

POLL_SECONDS = 0.1
"""Seconds between two checks of the clock and of signals while work is going on."""


def run_until(
    threads: ThreadPoolExecutor,
    work: Callable[[_core.Stop], Result],
    asked: StopRequest,
    seconds: float | None,
) -> Result:
    """The result of ``work(stop)``, which runs in one of ``threads``; after ``seconds`` or on a
    signal (``asked``) a stop is requested, and the result is waited for."""
    stop = _core.Stop()
    end = None if seconds is None else perf_counter() + seconds
    future = threads.submit(work, stop)
    try:
        while not future.done() and asked() is None:
            left = POLL_SECONDS if end is None else min(POLL_SECONDS, end - perf_counter())
            if left <= 0:
                break
            wait([future], timeout=left)
    finally:  # also on a second Ctrl-C
        stop.request()
        wait([future])
    return future.result()


class WorkerThread:
    """A thread that does one piece of work at a time, and calls ``on_exit`` as the last thing it
    does.

    Leaving the context during work (a second Ctrl-C) does not wait: the thread ends with that work,
    or with the process.
    """

    def __init__(self, on_exit: Callable[[], None] | None = None) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._on_exit = on_exit
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
        """The thread's main function: does the work that :meth:`run` hands over until the context
        is left."""
        while (given := self._work.get()) is not None:
            future, work = given
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
        if self._on_exit is not None:
            self._on_exit()

    def run(self, work: Callable[[], Result], poll: Callable[[], None]) -> Result:
        """The result of ``work``; ``poll`` is called every POLL_SECONDS until it is there."""
        future: Future[Result] = Future()
        self._busy = True
        self._work.put((future, work))
        while not wait([future], timeout=POLL_SECONDS).done:
            poll()
        self._busy = False
        return future.result()
