"""A thread for long work, so that the main thread can answer signals at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from queue import SimpleQueue
from time import perf_counter
from typing import Any, TypeVar

from fogtree import _core
from fogtree.system.termination import StopRequest

Result = TypeVar("Result")

LOOK_SECONDS = 0.1
"""Seconds between two looks at the clock and the signals while work is going on."""


class WorkerThread:
    """Does one piece of work at a time; started with the first.

    ``last`` is called after the last piece, in the same thread. Leaving the block in the middle of
    some work (a second Ctrl-C) does not wait for it: the thread ends with it or with the process.
    """

    def __init__(self, last: Callable[[], None] | None = None) -> None:
        self._work: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._last = last or (lambda: None)
        self._current: Future[Any] | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> WorkerThread:
        return self

    def __exit__(self, *error: object) -> None:
        if self._thread is None:
            self._last()
            return
        self._work.put(None)
        if self._current is None or self._current.done():
            self._thread.join()

    def run(self, work: Callable[[], Result], look: Callable[[], None]) -> Result:
        """The result of ``work``; ``look`` is called every LOOK_SECONDS until it is there."""
        future = self._submit(work)
        while not wait([future], timeout=LOOK_SECONDS).done:
            look()
        return future.result()

    def run_until(
        self, work: Callable[[_core.Stop], Result], asked: StopRequest, seconds: float | None
    ) -> Result:
        """The result of ``work``, which is asked to stop after ``seconds`` or on a signal."""
        stop = _core.Stop()
        end = None if seconds is None else perf_counter() + seconds
        future = self._submit(partial(work, stop))
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

    def _submit(self, work: Callable[[], Result]) -> Future[Result]:
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="run", daemon=True)
            self._thread.start()
        future: Future[Result] = Future()
        self._current = future
        self._work.put((work, future))
        return future

    def _serve(self) -> None:
        while (given := self._work.get()) is not None:
            work, future = given
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
        self._last()
