"""A client of a server, the runs that it shows, and a browser with a server of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

Events = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Any]:
    """A client of a new server without games."""
    pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
    pytest.importorskip("httpx", reason="the test client needs httpx")
    from tests.support.web_games import server

    with server(tmp_path / "games.sqlite3") as found:
        yield found


@pytest.fixture
def runs_folder(tmp_path: Path) -> Path:
    """The folder whose saved runs the server of ``study_client`` shows."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture
def study_client(runs_folder: Path) -> Iterator[Any]:
    """A client of a server that shows the runs of ``runs_folder``."""
    pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")
    pytest.importorskip("httpx", reason="the test client needs httpx")
    from tests.support.web_jobs import study_server

    with study_server(runs_folder.parent) as found:
        yield found


@pytest.fixture
def events_of(study_client: Any) -> Events:
    """All events of a job, once it has ended."""
    from tests.support.web_jobs import events_until_end

    return partial(events_until_end, study_client)


@pytest.fixture(scope="module")
def page_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder whose saved runs the server of ``address`` shows."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, page_runs: Path) -> Iterator[str]:
    """The address of a running server."""
    pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")
    from tests.support.web_server import running

    data = tmp_path_factory.mktemp("web") / "web.sqlite3"
    with running(data, "--runs", str(page_runs)) as server:
        yield server.address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    pytest.importorskip("playwright", reason="the tests of pages need Playwright")
    from tests.support.web_pages import CHROMIUM, MISSING, started_browser

    if CHROMIUM is None:
        pytest.skip(MISSING)
    with started_browser() as found:
        yield found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page of a visitor of its own; a mistake of its scripts fails the test."""
    from tests.support.web_pages import opened_page

    with opened_page(browser, viewport={"width": 1280, "height": 900}) as found:
        yield found
