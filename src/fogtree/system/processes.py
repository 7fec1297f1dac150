"""Worker processes that never outlive the process that started them.

Each worker holds the reading end of a pipe whose other end only its parent process has. When that
end is closed (Ctrl-C, an error, or the death of the parent), the worker ends at once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from fogtree.errors import FogtreeError, OptionError
from fogtree.system.cores import cores
from fogtree.system.termination import exit_at_once, signals_held_back

Task = TypeVar("Task")
Result = TypeVar("Result")


class Processes:
    """A pool of ``count`` worker processes; a worker takes the next task when it is free. Made by
    :func:`processes`."""

    def __init__(self, pool: ProcessPoolExecutor, count: int) -> None:
        self._pool, self.count = pool, count

    def submit(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        """Let a worker compute ``work(task)``; returns the future of its result."""
        # This may start a worker. It must ignore Ctrl-C from the beginning, also during its
        # imports: only the parent process handles the keyboard. And it must be started whole:
        # other threads can get a signal that is blocked in this one.
        with signals_held_back(), _ctrl_c_blocked():
            return self._pool.submit(work, task)


@contextmanager
def processes(count: int | None = None) -> Iterator[Processes]:
    """A pool of ``count`` workers (default: one per core) that ends with the ``with`` block."""
    number = cores() if count is None else count
    if number < 1:
        raise OptionError(f"workers must be at least 1, not {number}")
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    try:
        pool = ProcessPoolExecutor(
            number, mp_context=context, initializer=_end_with, initargs=(theirs,)
        )
    except (OSError, ImportError) as error:  # no semaphores: in some containers /dev/shm is closed
        raise FogtreeError(
            f"worker processes cannot be made here ({error}); is /dev/shm missing or not writable? "
            "--workers 1 does without them"
        ) from error
    try:
        yield Processes(pool, number)
    except BrokenProcessPool as error:
        raise FogtreeError("a worker process was ended from outside") from error
    finally:
        with _cancelled_tasks_ignored():
            ours.close()  # ends the workers without waiting for their tasks
            pool.shutdown(wait=True, cancel_futures=True)
        theirs.close()


@contextmanager
def _cancelled_tasks_ignored() -> Iterator[None]:
    """Do not print an InvalidStateError of a thread in the block, in which workers end: in Python
    3.11 the pool's own thread may fail with one when a task was cancelled already."""
    before = threading.excepthook

    def report(failed: threading.ExceptHookArgs) -> None:
        """Report all other errors of threads as before."""
        if failed.exc_type is not InvalidStateError:
            before(failed)

    threading.excepthook = report
    try:
        yield
    finally:
        threading.excepthook = before


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread, and in processes that it starts, for a moment."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(pipe: Connection) -> None:
    """In a worker process: end the process when the other end of the pipe is closed."""

    def watch() -> None:
        """Wait until the parent's end of the pipe is closed, then end this process."""
        pipe.poll(None)  # nothing is ever written: it returns when the other end is closed
        exit_at_once(0)

    threading.Thread(target=watch, daemon=True).start()
