"""Long work of a server: each job runs in a thread, can be paused and stopped, and tells how far it
is by a list of events."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from fogtree.errors import FogtreeError, UnknownNameError
from fogtree.web.limits import Limits
from fogtree.web.priority import give_way

Status = Literal["running", "paused", "stopped", "done", "failed"]
Event = dict[str, Any]


class JobStopped(Exception):  # noqa: N818 - not an error: somebody asked for it
    """Raised inside a job's work when it was asked to stop."""


class Job:
    """One piece of long work. Its work calls :meth:`tell` and, often, :meth:`breathe`."""

    def __init__(self, kind: str, title: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.kind, self.title, self.created = kind, title, time.time()
        self.status: Status = "running"
        self.events: list[Event] = []
        self.result: Any = None
        self._changed = threading.Condition()
        self._stop = self._pause = False

    def tell(self, kind: str, **content: Any) -> None:
        """Add an event."""
        with self._changed:
            self.events.append({"n": len(self.events) + 1, "type": kind, **content})
            self._changed.notify_all()

    def breathe(self) -> None:
        """Wait while the job is paused; raise if it was asked to stop."""
        with self._changed:
            while self._pause and not self._stop:
                self._changed.wait(1.0)
            if self._stop:
                raise JobStopped

    def control(self, order: str) -> None:
        """Pause, resume or stop the job."""
        if order not in ("pause", "resume", "stop"):
            raise UnknownNameError("order to a job", order, ("pause", "resume", "stop"))
        with self._changed:
            if self.status not in ("running", "paused"):
                raise FogtreeError("this job has ended")
            self._stop = self._stop or order == "stop"
            self._pause = order == "pause"
            self.status = "paused" if self._pause else "running"
            self._changed.notify_all()

    def wait_for_events(self, since: int, seconds: float) -> list[Event]:
        """The events after number ``since``; waits for one if there is none yet."""
        with self._changed:
            if len(self.events) <= since and self.status in ("running", "paused"):
                self._changed.wait(seconds)
            return self.events[since:]

    def run(self, work: Callable[[Job], None]) -> None:
        """Do the work, and note how it ended."""
        give_way()
        try:
            work(self)
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
            self.status = ended
        self.tell("ended", status=ended)

    def summary(self) -> dict[str, Any]:
        """What a list of jobs shows."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "status": self.status,
            "events": len(self.events),
        }


class Jobs:
    """The jobs of one server; old ones that have ended are forgotten first."""

    def __init__(self, limits: Limits, *, kept: int = 50) -> None:
        self._limits, self._kept = limits, kept
        self._jobs: dict[str, Job] = {}

    def start(self, kind: str, title: str, work: Callable[[Job], None], result: Any = None) -> Job:
        """Run work in a thread of its own; ``result`` is what can be looked at meanwhile."""
        running = [j for j in self._jobs.values() if j.status in ("running", "paused")]
        if len(running) >= self._limits.jobs:
            raise FogtreeError("the server is busy with other jobs; stop one of them first")
        for job in [j for j in self._jobs.values() if j not in running][: -self._kept or None]:
            if len(self._jobs) >= self._kept:
                del self._jobs[job.id]
        job = Job(kind, title)
        job.result = result
        self._jobs[job.id] = job
        threading.Thread(target=job.run, args=(work,), name=f"job {kind}", daemon=True).start()
        return job

    def find(self, name: str) -> Job | None:
        """A job by its identifier."""
        return self._jobs.get(name)

    def all(self) -> list[Job]:
        """All jobs, the newest first."""
        return sorted(self._jobs.values(), key=lambda job: -job.created)

    def stop_all(self) -> None:
        """Ask all jobs to stop."""
        for job in self._jobs.values():
            if job.status in ("running", "paused"):
                job.control("stop")
