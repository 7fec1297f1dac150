"""The worker thread: results, errors, polling, and leaving while it works."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fogtree.errors import OptionError
from fogtree.runs.worker_thread import WorkerThread, run_until
from fogtree.system.path_lock import PathLock


def test_answers_and_errors_come_back_in_order():
    ended = []
    with WorkerThread(lambda: ended.append("last")) as worker:
        threads = [worker.run(threading.get_ident, lambda: None) for _ in range(3)]
        assert len(set(threads)) == 1
        assert threading.get_ident() not in threads
        with pytest.raises(ZeroDivisionError):
            worker.run(lambda: 1 // 0, lambda: None)
        assert worker.run(lambda: 7, lambda: None) == 7
        assert ended == []
    assert ended == ["last"]


def test_who_leaves_in_the_middle_does_not_wait_and_the_folder_stays_locked_until_the_end(tmp_path):
    lock, go, ended = PathLock(tmp_path), threading.Event(), threading.Event()

    def last():
        lock.release()
        ended.set()

    def leave():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), WorkerThread(last) as worker:
        worker.run(lambda: go.wait(60), leave)
    with pytest.raises(OptionError, match="in use"):
        PathLock(tmp_path)
    go.set()
    assert ended.wait(60)
    PathLock(tmp_path).release()
    assert list(tmp_path.iterdir()) == []


def wait_for_stop(stop):
    while not stop.requested:
        threading.Event().wait(0.01)
    return "stopped"


@pytest.fixture
def threads():
    with ThreadPoolExecutor(1) as pool:
        yield pool


def test_work_is_asked_to_stop_when_time_is_up_or_a_signal_arrives(threads):
    assert run_until(threads, lambda stop: stop.requested, lambda: None, None) is False
    assert run_until(threads, wait_for_stop, lambda: None, 0.05) == "stopped"
    assert run_until(threads, wait_for_stop, lambda: "interrupted", None) == "stopped"
    with pytest.raises(ZeroDivisionError):
        run_until(threads, lambda stop: 1 // 0, lambda: None, None)


def test_work_that_is_left_by_an_error_is_asked_to_stop_too(threads):
    ended = threading.Event()

    def work(stop):
        wait_for_stop(stop)
        ended.set()

    def press():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_until(threads, work, press, None)
    assert ended.is_set()
