"""Long work of a server: each job runs in a thread, can be paused, stopped and resumed, and tells
how far it is by a list of events."""

from __future__ import annotations

import logging
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Literal

from fogtree.errors import FileFormatError, FogtreeError, UnknownNameError
from fogtree.web.limits import Limits
from fogtree.web.priority import give_way
from fogtree.web.storage import Storage, StoredJob

_LOG = logging.getLogger("fogtree.web")
Status = Literal["running", "paused", "stopping", "stopped", "done", "failed"]
Event = dict[str, Any]
Solutions = Callable[[], Mapping[str, bytes]]
"""Returns the compressed strategies that a job has found, by the names of its algorithms."""
ORDERS = ("pause", "resume", "stop")


class JobStopped(Exception):  # noqa: N818 - not an error: somebody asked for it
    """Raised inside a job's work when it was asked to stop."""


class Job:
    """One piece of long work. Its work calls :meth:`tell` and, often, :meth:`breathe`.

    ``resumable``: after a stop the work can be called again and goes on where it was.
    ``gives_way``: it may be stopped for another job when nobody watches it any more.
    ``private``: only whoever knows its identifier is told what it is about and what it found.
    """

    def __init__(
        self,
        kind: str,
        title: str,
        work: Callable[[Job], None],
        *,
        pausable: bool = True,
        resumable: bool = False,
        gives_way: bool = False,
        private: bool = False,
    ) -> None:
        self.id = secrets.token_urlsafe(9)
        self.private = private
        self.tag = secrets.token_urlsafe(9) if private else self.id  # its name for everybody
        self.kind, self.title, self.created = kind, title, time.time()
        self.status: Status = "running"
        self.events: list[Event] = []
        self.note = ""  # what it does at this moment
        self.result: Any = None
        self.pausable, self.resumable, self.gives_way = pausable, resumable, gives_way
        self.solutions: Solutions | None = None  # if given, it is stored with them when it is done
        self.packed: Mapping[str, bytes] | None = None  # what they were when it was done
        self.watched = time.monotonic()  # when somebody last asked for its events
        self._work = work
        self._interrupt: Callable[[], None] | None = None  # ends what it does at this moment
        self._changed = threading.Condition()
        self._stop = self._pause = False

    @classmethod
    def restored(cls, stored: StoredJob) -> Job:
        """A job that was done before the server was started again: its events and nothing else."""
        job = cls(stored.kind, stored.title, lambda _: None)
        job.id, job.created, job.status = stored.id, stored.created, "done"
        job.events = list(stored.events)
        return job

    def tell(self, kind: str, /, **content: Any) -> None:
        """Add an event of this kind to the list that visitors are sent."""
        with self._changed:
            self.events.append({"n": len(self.events) + 1, "type": kind, **content})
            self._changed.notify_all()

    @property
    def stop_asked(self) -> bool:
        """Whether somebody asked the job to stop."""
        return self._stop

    @property
    def live(self) -> bool:
        """Whether the job has not ended."""
        return self.status in ("running", "paused", "stopping")

    def breathe(self) -> None:
        """Called often by the job's work: wait while the job is paused, and raise
        :class:`JobStopped` if it was asked to stop."""
        with self._changed:
            while self._pause and not self._stop:
                self._changed.wait(1.0)
            if self._stop:
                raise JobStopped

    def control(self, order: str) -> None:
        """Pause the job, let it go on after a pause, or stop it."""
        if order not in ORDERS:
            raise UnknownNameError("order to a job", order, ORDERS)
        with self._changed:
            if not self.live:
                raise FogtreeError("this job has ended")
            if order == "pause" and not self.pausable:
                raise FogtreeError("this job cannot be paused: stop it, and resume it later")
            self._stop = self._stop or order == "stop"
            self._pause = order == "pause"
            self.status = "stopping" if self._stop else "paused" if self._pause else "running"
            self._changed.notify_all()
            if self._stop and self._interrupt is not None:
                self._interrupt()

    @contextmanager
    def interrupted_by(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """In the block a stop of the job calls ``interrupt``, in another thread."""
        with self._changed:
            self._interrupt = interrupt
        try:
            yield
        finally:
            with self._changed:
                self._interrupt = None

    def reopen(self) -> None:
        """Make a stopped job ready to run again."""
        with self._changed:
            if not (self.status == "stopped" and self.resumable):
                raise FogtreeError("this job cannot be resumed")
            self.status, self._stop, self._pause = "running", False, False
            self.tell("resumed")

    def run(self) -> None:
        """Do the work, and note how it ended."""
        try:
            self._work(self)
            self._pack()
            ended: Status = "done"
        except JobStopped:
            ended = "stopped"
        except FogtreeError as error:
            self.tell("failed", why=str(error))
            ended = "failed"
        except Exception as error:  # whatever it is, the server goes on
            self.tell("failed", why=f"{type(error).__name__}: {error}")
            ended = "failed"
        with self._changed:
            self.status, self.note = ended, ""
            self.tell("ended", status=ended)

    def _pack(self) -> None:
        """Take the solutions of work that is done; an error there leaves the job done, with a line
        that says why it will not outlive the server."""
        if self.solutions is None:
            return
        try:
            self.packed = self.solutions()
        except Exception as error:
            why = str(error) if isinstance(error, FogtreeError) else type(error).__name__
            self.tell("unkept", why=f"this result is lost when the server ends: {why}")

    def news(self, since: int) -> dict[str, Any]:
        """The job's summary and its events after number ``since``, taken at the same moment, so
        that they agree."""
        self.watched = time.monotonic()
        with self._changed:
            return {**self.summary(), "new": self.events[since:]}

    def summary(self) -> dict[str, Any]:
        """The job as JSON for a list of jobs: what it is and how far it got, without its events."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "status": self.status,
            "note": self.note,
            "created": self.created,
            "pausable": self.pausable,
            "resumable": self.resumable,
            "events": len(self.events),
        }

    def outline(self) -> dict[str, Any]:
        """The summary for everybody: of a private job its kind, its status and when it was started,
        with its tag in place of the identifier."""
        hidden = {"id": self.tag, "title": "", "note": "", "events": 0} if self.private else {}
        return {**self.summary(), **hidden}


class Jobs:
    """The jobs of one server; of those that have ended, the latest are kept. With a ``storage``
    the results of jobs that were started with ``solutions`` outlive the server."""

    def __init__(self, limits: Limits, storage: Storage | None = None) -> None:
        """Begin with the jobs that an earlier server stored."""
        self._limits, self._storage = limits, storage
        self._jobs: dict[str, Job] = {}
        self._threads: list[threading.Thread] = []
        try:
            for stored in storage.jobs() if storage is not None else []:
                self._jobs[stored.id] = Job.restored(stored)
        except FileFormatError as error:
            _LOG.warning("results of earlier jobs are not shown: %s", error)

    def start(
        self,
        kind: str,
        title: str,
        work: Callable[[Job], None],
        result: Any = None,
        *,
        pausable: bool = True,
        resumable: bool = False,
        gives_way: bool = False,
        private: bool = False,
        solutions: Solutions | None = None,
    ) -> Job:
        """Run work in a thread of its own; ``result`` is what can be looked at meanwhile. If
        ``solutions`` is given, the events are stored when it is done, with what it returns."""
        self._check_room()
        ended = [job.id for job in self._jobs.values() if not job.live]
        for old in ended[: max(0, len(ended) - self._limits.ended_jobs)]:
            del self._jobs[old]
        job = Job(
            kind,
            title,
            work,
            pausable=pausable,
            resumable=resumable,
            gives_way=gives_way,
            private=private,
        )
        job.result, job.solutions = result, solutions
        self._jobs[job.id] = job
        self._run(job)
        return job

    def control(self, job: Job, order: str) -> None:
        """Pause, resume or stop a job; a stopped one goes on where it was."""
        if order == "resume" and job.status == "stopped":
            self._check_room()
            job.reopen()
            self._run(job)
        else:
            job.control(order)

    def _check_room(self) -> None:
        """Make room for another job. If too many are running, stop the one with ``gives_way`` that
        has been unwatched for longest; if none has been for long enough, raise an error."""
        live = [job for job in self._jobs.values() if job.live and not job.stop_asked]
        if len(live) < self._limits.jobs:
            return
        since = time.monotonic() - self._limits.unwatched_seconds
        left = [job for job in live if job.gives_way and job.watched < since]
        if not left:
            raise FogtreeError("the server is busy with other jobs; stop one of them first")
        min(left, key=lambda job: job.watched).control("stop")

    def _run(self, job: Job) -> None:
        """Run a job in a thread of low priority."""

        def work() -> None:
            """Lower the priority of this thread, run the job and store it."""
            give_way()
            job.run()
            self._store(job)

        thread = threading.Thread(target=work, name=f"job {job.kind}", daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def _store(self, job: Job) -> None:
        """Store a job that is done, if it is to be kept and its solutions are not too large."""
        solutions, job.packed = job.packed, None
        if self._storage is None or solutions is None or job.status != "done":
            return
        if sum(map(len, solutions.values())) > self._limits.solution_bytes:
            return
        # Storing fails if memory or the disk is full, or if the server ends now: then the job is
        # lost with this server.
        with suppress(sqlite3.Error, OSError, MemoryError):
            found = StoredJob(job.id, job.created, job.kind, job.title, job.events)
            self._storage.add_job(found, self._limits.ended_jobs, solutions)

    def find(self, name: str) -> Job | None:
        """A job by its identifier; None if there is none."""
        return self._jobs.get(name)

    def find_by_tag(self, tag: str) -> Job | None:
        """A job by the name that everybody's list shows; None if there is none."""
        return next((job for job in self._jobs.values() if job.tag == tag), None)

    def all(self) -> list[Job]:
        """All jobs, the newest first."""
        return sorted(self._jobs.values(), key=lambda job: -job.created)

    def stop_all(self, seconds: float) -> None:
        """Ask all jobs to stop, and wait until they have, but no longer than some seconds."""
        end = time.monotonic() + seconds
        for job in self._jobs.values():
            if job.live:
                with suppress(FogtreeError):  # it has ended meanwhile
                    job.control("stop")
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
