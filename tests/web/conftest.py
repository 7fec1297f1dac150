"""A client of a server, and the runs that it shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Events = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def runs_folder(tmp_path: Path) -> Path:
    """The folder whose saved runs the server of ``study_client`` shows."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture
def study_client(tmp_path: Path, runs_folder: Path) -> Iterator[Any]:
    """A client of a server that shows the runs of ``runs_folder``."""
    pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
    pytest.importorskip("httpx", reason="the test client needs httpx")
    from starlette.testclient import TestClient

    from fogtree.web.app import make_app
    from fogtree.web.security import Access
    from fogtree.web.storage import Storage

    storage = Storage(tmp_path / "games.sqlite3")
    app = make_app(storage, access=Access(("testserver",)), runs=runs_folder)
    with TestClient(app) as found:
        yield found
    storage.close()


@pytest.fixture
def events_of(study_client: Any) -> Events:
    """All events of a job, once it has ended."""

    def wait(job: str) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        for _ in range(600):
            events += study_client.get(f"/api/jobs/{job}?since={len(events)}").json()["new"]
            if events and events[-1]["type"] == "ended":
                return events
            time.sleep(0.02)
        raise AssertionError("the job does not end")

    return wait
