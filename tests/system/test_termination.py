"""Signals that are held back come through later."""

from __future__ import annotations

import signal
import threading

import pytest

from fogtree.system.termination import Terminated, signals_held_back, sigterm_raises

ENDS = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Terminated}


@pytest.fixture(autouse=True)
def ctrl_c():
    """Ctrl-C as usual, even if the tests were started by a shell that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("number", ENDS)
def test_what_is_begun_is_done_before_the_signal_comes(number):
    done = []

    def work() -> None:
        with signals_held_back():
            signal.raise_signal(number)
            done.append("whole")
        done.append("too much")

    with sigterm_raises():
        with pytest.raises(ENDS[number]):
            work()
        assert done == ["whole"]
        with pytest.raises(ENDS[number]):  # the usual handler is back
            signal.raise_signal(number)


@pytest.mark.parametrize("number", ENDS)
def test_a_second_signal_does_not_wait(number):
    done = []

    def work() -> None:
        with signals_held_back():
            signal.raise_signal(number)
            done.append("first")
            signal.raise_signal(number)
            done.append("second")

    with sigterm_raises(), pytest.raises(ENDS[number]):
        work()
    assert done == ["first"]


def test_without_a_signal_nothing_happens():
    handlers = [signal.getsignal(number) for number in ENDS]
    with signals_held_back():
        pass
    assert [signal.getsignal(number) for number in ENDS] == handlers


def test_other_threads_get_no_signals():
    failed = []

    def work() -> None:
        try:
            with signals_held_back():
                pass
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert not failed
