"""Pages of the web app in the system's Chromium.

Import it after ``pytest.importorskip`` for Playwright.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = "the tests of pages need Chromium (on Debian: apt-get install chromium)"
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MILLISECONDS = 60_000
"""The longest wait for anything on a page, on a machine that is busy."""


@contextmanager
def started_browser() -> Iterator[Any]:
    """A browser, closed at the end."""
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@contextmanager
def opened_page(browser: Any, **options: Any) -> Iterator[Any]:
    """A page of a visitor of its own; a mistake of its scripts fails the test."""
    context = browser.new_context(**options)
    page, problems = context.new_page(), list[str]()
    page.set_default_timeout(MILLISECONDS)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    refused = "Failed to load resource: the server responded with a status of 400"
    assert [problem for problem in problems if not problem.startswith(refused)] == []
