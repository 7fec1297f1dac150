"""Signals that are held back come through later."""

from __future__ import annotations

import signal
import threading

import pytest

from fogtree.system.termination import (
    Terminated,
    interruptions,
    signals_held_back,
    sigterm_raises,
    stop_requests,
)

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


def test_an_interruption_is_noted_whatever_becomes_of_it():
    with interruptions() as interrupted:
        assert not interrupted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert interrupted()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with interruptions() as interrupted:
        assert not interrupted()


@pytest.mark.parametrize("block", [stop_requests, signals_held_back])
def test_a_request_is_no_interruption_but_a_second_one_is(block):
    noted = []

    def work() -> None:
        with block():
            signal.raise_signal(signal.SIGINT)
            noted.append(interrupted())
            signal.raise_signal(signal.SIGINT)

    with interruptions() as interrupted:
        with pytest.raises(KeyboardInterrupt):
            work()
        assert (noted, interrupted()) == ([False], True)


def test_ctrl_c_that_is_ignored_stays_ignored():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interruptions() as interrupted:
        signal.raise_signal(signal.SIGINT)
        assert not interrupted()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
