"""Worker processes are started whole, whenever Ctrl-C comes."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, cast

import pytest

from fogtree.errors import FogtreeError
from fogtree.system.processes import Processes, processes

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs POSIX")


class SlowPool:
    """A pool that is interrupted while it starts a worker."""

    def __init__(self) -> None:
        self.started = False

    def submit(self, work: Any, task: Any) -> Future[Any]:
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])  # workers inherit it
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(20):
            time.sleep(0.01)
        self.started = True
        return Future()


def test_ctrl_c_that_another_thread_receives_does_not_cut_off_a_start() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)  # does not block the signal
    other.start()
    pool = SlowPool()
    try:
        with pytest.raises(KeyboardInterrupt):
            Processes(cast(Any, pool), 1).submit(str, 1)
    finally:
        signal.signal(signal.SIGINT, before)
        ended.set()
        other.join()
    assert pool.started


def test_cancelled_tasks_of_workers_that_end_are_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if the pool's own thread sees the workers end before it is told to shut down."""
    shut_down, reported = ProcessPoolExecutor.shutdown, list[Any]()
    monkeypatch.setattr(threading, "excepthook", reported.append)

    def late(pool: Any, *arguments: Any, **options: Any) -> None:
        pool._executor_manager_thread.join()
        shut_down(pool, *arguments, **options)

    monkeypatch.setattr(ProcessPoolExecutor, "shutdown", late)
    with processes(1) as pool:
        waiting = [pool.submit(time.sleep, 3600) for _ in range(6)]
        assert waiting[-1].cancel()
    assert reported == []


def test_a_machine_without_semaphores_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a container whose /dev/shm may not be written to."""

    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", refused)
    with pytest.raises(FogtreeError, match=r"Permission denied.*--workers 1"), processes(2):
        raise AssertionError
