"""How a process ends early: stop requests by signals, exit at once, and clean-up before it."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, NoReturn

StopRequest = Callable[[], Literal["interrupted", "terminated"] | None]
"""Returns the signal that requested a stop, or None."""


class Terminated(SystemExit):
    """Raised after SIGTERM, once the run has been saved.

    Not caught, it ends the process with SIGTERM's status. ``run`` is the saved run, or None.
    """

    def __init__(self, run: Any = None) -> None:
        super().__init__(128 + signal.SIGTERM)
        self.run = run


@contextmanager
def stop_requests() -> Iterator[StopRequest]:
    """Turn Ctrl-C and SIGTERM into a stop request that can be polled; a second one ends the
    process at once."""
    asked: list[Literal["interrupted", "terminated"]] = []

    def on_signal(number: int, frame: Any) -> None:
        """Record the first signal; the second one ends the process."""
        if asked and number == signal.SIGINT:
            _interrupt()
        if asked:
            raise SystemExit(128 + number)
        asked.append("interrupted" if number == signal.SIGINT else "terminated")

    numbers = [signal.SIGINT]
    if (
        signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    ):  # otherwise the program has its own handler
        numbers.append(signal.SIGTERM)
    with _handled(numbers, on_signal):
        yield lambda: asked[0] if asked else None


@contextmanager
def sigterm_raises() -> Iterator[None]:
    """SIGTERM raises :class:`Terminated` in the block, as Ctrl-C raises KeyboardInterrupt."""

    def end(number: int, frame: Any) -> None:
        """The handler of SIGTERM."""
        raise Terminated

    with _handled([signal.SIGTERM], end):
        yield


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Hold Ctrl-C and SIGTERM back until the end of the block, so that the block is not
    interrupted; a second signal is not held back."""
    came: list[int] = []

    def hold(number: int, frame: Any) -> None:
        """Record the first signal for later; the second one takes effect at once."""
        if came and number == signal.SIGINT:
            _interrupt()
        if came:
            raise Terminated
        came.append(number)

    with _handled([signal.SIGINT, signal.SIGTERM], hold):
        yield
    if came:
        signal.raise_signal(came[0])


Interrupted = Callable[[], bool]
"""Returns whether Ctrl-C has raised KeyboardInterrupt."""

_interruptions: list[None] = []  # one for every KeyboardInterrupt that was raised


def _interrupt() -> NoReturn:
    """Raise KeyboardInterrupt, and note it for :func:`interruptions`."""
    _interruptions.append(None)
    raise KeyboardInterrupt


@contextmanager
def interruptions() -> Iterator[Interrupted]:
    """Yields a function that says whether Ctrl-C was pressed in the block. It is needed because a
    library that is interrupted may raise another error than KeyboardInterrupt, for example a native
    module during its import."""
    before = len(_interruptions)

    def handle(number: int, frame: Any) -> None:
        """The handler of Ctrl-C."""
        _interrupt()

    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with _handled([signal.SIGINT] if usual else [], handle):
        yield lambda: len(_interruptions) > before


@contextmanager
def _handled(numbers: list[signal.Signals], handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Let ``handler`` handle the signals ``numbers`` in the block; in a thread other than the main
    one, where Python does not allow that, nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


_LAST: list[Callable[[], None]] = []
"""The functions that :func:`before_the_end` registered."""


def before_the_end(work: Callable[[], None]) -> Callable[[], None]:
    """Decorator: call a function before the process ends, also by :func:`exit_at_once`."""
    _LAST.append(work)
    return atexit.register(work)


def exit_at_once(status: int) -> NoReturn:
    """End the process now with an exit status, without waiting for other threads; only what
    :func:`before_the_end` registered is still called."""
    try:
        for work in _LAST:
            work()
    finally:
        os._exit(status)
