"""Jobs of a server that runs inside the test: starting them and waiting for their events.

Import it after ``pytest.importorskip`` for the packages of the web app.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from fogtree.web.app import make_app
from fogtree.web.limits import Limits
from fogtree.web.security import Access
from fogtree.web.storage import Storage

SECONDS = 180.0
"""The longest wait for anything, on a machine that is busy."""

Event = dict[str, Any]


@contextmanager
def study_server(
    folder: Path, *, own_code: bool = False, limits: Limits | None = None, **given: Any
) -> Iterator[TestClient]:
    """A server with its database and its runs in a folder; ``given`` are other arguments of
    ``make_app``."""
    storage = Storage(folder / "games.sqlite3")
    access = Access(("testserver",))
    given = {"runs": folder / "runs", **given}
    app = make_app(storage, access=access, own_code=own_code, limits=limits, **given)
    with TestClient(app) as client:
        yield client
    storage.close()


def wait_for(client: TestClient, job: str, found: Callable[[list[Event]], bool]) -> list[Event]:
    """The events of a job, once there are those that are looked for."""
    events: list[Event] = []
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        events += client.get(f"/api/jobs/{job}?since={len(events)}").json()["new"]
        if found(events):
            return events
        time.sleep(0.02)
    raise AssertionError(f"the job has only told {events}")


def events_until_end(client: TestClient, job: str) -> list[Event]:
    """All events of a job that has ended."""
    return wait_for(client, job, lambda events: bool(events) and events[-1]["type"] == "ended")


def started(client: TestClient, path: str, content: dict[str, Any]) -> str:
    """Start a job; returns its identifier."""
    answer = client.post(path, json=content)
    assert answer.status_code == 201, answer.text
    found: str = answer.json()["id"]
    return found


def refused(client: TestClient, path: str, content: dict[str, Any], status: int = 400) -> str:
    """Ask for something that is refused; returns the one line that says why."""
    answer = client.post(path, json=content)
    assert answer.status_code == status, answer.text
    line: str = answer.json()["error"]
    assert "\n" not in line
    return line
