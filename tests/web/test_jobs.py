"""Jobs of a server: what is told of them fits together, and ended ones are not kept for ever."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

from fogtree.errors import FogtreeError
from fogtree.web.jobs import Job, Jobs
from fogtree.web.limits import Limits
from fogtree.web.storage import Storage


def test_a_summary_is_of_the_same_moment_as_its_events() -> None:
    """A job that ends while somebody asks is either running without its last event, or ended."""
    job = Job("match", "", lambda job: None)
    ending, summary = threading.Thread(target=job.run), job.summary

    def slow_summary() -> dict[str, Any]:
        found = summary()
        ending.start()
        ending.join(0.5)  # ends here unless the job waits until the answer is complete
        return found

    job.summary = slow_summary  # type: ignore[method-assign]
    news = job.news(0)
    ending.join()
    assert (news["status"], news["new"]) == ("running", [])
    job.summary = summary  # type: ignore[method-assign]
    assert job.news(0)["status"] == "done"
    assert [event["type"] for event in job.news(0)["new"]] == ["ended"]


def test_a_job_that_was_asked_to_stop_is_stopping_until_it_ends() -> None:
    asked, end = threading.Event(), threading.Event()

    def work(job: Job) -> None:
        asked.set()
        end.wait()
        job.breathe()

    jobs = Jobs(Limits())
    job = jobs.start("training", "", work)
    asked.wait()
    jobs.control(job, "stop")
    assert (job.summary()["status"], job.live) == ("stopping", True)
    end.set()
    while job.live:
        time.sleep(0.001)
    assert job.summary()["status"] == "stopped"


def test_the_latest_ended_jobs_are_kept() -> None:
    jobs = Jobs(Limits(jobs=1, ended_jobs=3))
    made = []
    for number in range(6):
        job = jobs.start("match", str(number), lambda job: None)
        while job.live:
            time.sleep(0.001)
        made.append(job)
    assert [job.title for job in jobs.all()] == ["5", "4", "3", "2"]  # three, and the last one
    assert jobs.find(made[0].id) is None


def test_a_job_that_nobody_watches_gives_way_to_another_one() -> None:
    jobs = Jobs(Limits(jobs=2, unwatched_seconds=1000))

    def until_stopped(job: Job) -> None:
        while True:
            job.breathe()
            time.sleep(0.001)

    left = jobs.start("analysis", "left", until_stopped, gives_way=True)
    watched = jobs.start("analysis", "watched", until_stopped, gives_way=True)
    with pytest.raises(FogtreeError, match="busy with other jobs"):
        jobs.start("lab", "a", until_stopped)
    left.watched -= 2000
    watched.watched -= 2000
    watched.news(0)
    lab = jobs.start("lab", "a", until_stopped)
    while left.live:
        time.sleep(0.001)
    assert (left.status, watched.status) == ("stopped", "running")
    lab.watched -= 2000  # a solve goes on, whoever looks
    with pytest.raises(FogtreeError, match="busy with other jobs"):
        jobs.start("lab", "b", until_stopped)
    jobs.stop_all(60)


def _niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone counts niceness per thread")
def test_only_threads_of_a_server_give_way() -> None:
    found: list[int] = []
    before = _niceness()
    Job("match", "", lambda job: found.append(_niceness())).run()
    assert (found, _niceness()) == ([before], before)
    job = Jobs(Limits()).start("match", "", lambda job: found.append(_niceness()))
    while job.live:
        time.sleep(0.01)
    assert found[1] > before or before == 19
    assert _niceness() == before


def test_a_result_that_cannot_be_kept_says_so_in_one_line(tmp_path: Path) -> None:
    """The job is done all the same, and its thread ends without a traceback."""
    thrown: list[Any] = []
    before, threading.excepthook = threading.excepthook, thrown.append
    storage = Storage(tmp_path / "games.sqlite3")
    try:
        jobs = Jobs(Limits(), storage)

        def broken() -> dict[str, bytes]:
            raise ValueError("shapes of\nmany lines")

        def refused() -> dict[str, bytes]:
            raise FogtreeError("the solution is gone")

        lines = []
        for solutions in (broken, refused, lambda: {"cfr": b"numbers"}):
            job = jobs.start("lab", "", lambda job: None, solutions=solutions)
            while any(one.name == "job lab" for one in threading.enumerate()):
                time.sleep(0.001)
            assert job.status == "done"
            lines.append([event["why"] for event in job.events if event["type"] == "unkept"])
        kept = storage.jobs()
    finally:
        threading.excepthook = before
        storage.close()
    told = "this result is lost when the server ends: "
    assert lines == [[f"{told}ValueError"], [f"{told}the solution is gone"], []]
    assert thrown == []
    assert [one.id for one in kept] == [job.id]
