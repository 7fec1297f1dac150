"""Pages of the web app in the system's Chromium.

Import it after ``pytest.importorskip`` for Playwright.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import expect, sync_playwright

from fogtree.arena.record import GameRecord

CHROMIUM = (
    shutil.which("chromium-headless-shell")  # pages take two thirds of the time in it
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
)
MISSING = "the tests of pages need Chromium (on Debian: apt-get install chromium-headless-shell)"
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MILLISECONDS = 180_000
"""The longest wait for anything on a page, on a machine that is busy."""
expect.set_options(timeout=MILLISECONDS)

FAR_AWAY = "7k/7p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
"""A chess board on which the other side cannot reach White soon."""
QUEEN = GameRecord(
    "fog_chess", ("a", "b"), "", ("f2f3", "e7e5", "a2a3", "d8h4", "a3a4", "h4e1"), (-1.0, 1.0)
)
"""A game in which Black's queen takes the king that White did not protect."""
_CHOICES = "[data-action], button.card-face:not(.picked), .cell.can:not(.picked)"
_NEXT_HAND = "[data-testid=next-hand]"
_MOST_CHOICES = 400
_PICKED = "[data-n] :is([aria-pressed=true], [aria-selected=true])"
_CHANGED = """([event, picked]) => {
    const table = document.querySelector("[data-n]");
    return table.dataset.n !== event
        || table.querySelectorAll("[aria-pressed=true], [aria-selected=true]").length !== picked;
}"""


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


def boxes(page: Any, *selectors: str) -> list[list[dict[str, float]]]:
    """The boxes of the elements that match each selector, all at one moment: between two questions
    a page may move."""
    found: list[list[dict[str, float]]] = page.evaluate(
        """selectors => selectors.map(selector => [...document.querySelectorAll(selector)].map(
            element => element.getBoundingClientRect().toJSON()))""",
        list(selectors),
    )
    return found


def start_chess(page: Any, address: str, fen: str = FAR_AWAY) -> None:
    """Start a game of chess as White against the weakest level."""
    page.goto(f"{address}/chess")
    page.locator("[data-testid=strength]").fill("1")
    page.click("summary")
    page.get_by_label("Start from").fill(fen)
    page.click("[data-testid=start]")
    page.wait_for_selector("[data-testid=typed-move]")


def look_event(
    ply: int, played: str, loss: float, positions: int = 2, **more: Any
) -> dict[str, Any]:
    """What a search found at a decision: the move that was played is worse than another."""
    candidates = [
        {"action": "b1c3", "label": "Nc3", "probability": 1.0, "value": 0.1},
        {"action": played, "label": played, "probability": 0.0, "value": 0.1 - loss, **more},
    ]
    return {
        "type": "look",
        "ply": ply,
        "value": 0.1,
        "positions": positions,
        "candidates": candidates,
    }


def say_of_analyses(page: Any, events: list[dict[str, Any]]) -> None:
    """Answer a page that asks for the analysis of a game with these events; nothing searches."""

    def analysis(route: Any) -> None:
        asked = route.request.method == "GET"
        route.fulfill(json={"seats": []} if asked else {"events": events})

    page.route("**/analysis", analysis)


def choose(page: Any, *wished: str) -> bool:
    """Wait for the own turn, click a choice and wait for what follows: the first of the wished
    actions that is possible, or else the first choice on the table. Returns whether there was one
    before the end of the hand."""
    page.wait_for_selector(f"{_CHOICES}, {_NEXT_HAND}")
    if page.locator(_NEXT_HAND).count():
        return False
    # It is our turn: nothing changes before we choose.
    found = [page.locator(f"[data-action='{action}']") for action in wished]
    chosen = next((one for one in found if one.count()), page.locator(_CHOICES).first)
    before = page.get_attribute("[data-n]", "data-n")
    picked = page.locator(_PICKED).count()
    chosen.click()
    page.wait_for_function(_CHANGED, arg=[before, picked])
    return True


def choose_until(page: Any, action: str, *wished: str) -> None:
    """Choose by :func:`choose` until an action is possible, such as the first draw of a hand that
    another player began."""
    for _ in range(_MOST_CHOICES):
        page.wait_for_selector(f"{_CHOICES}, {_NEXT_HAND}")
        if page.locator(f"[data-action='{action}']").count():
            return
        assert choose(page, *wished)
    raise AssertionError(f"{action} never becomes possible")


def play_hand(page: Any, *wished: str) -> None:
    """Play a hand to its end by :func:`choose`."""
    for _ in range(_MOST_CHOICES):
        if not choose(page, *wished):
            return
    raise AssertionError("the hand does not end")


def next_hand(page: Any, start: Callable[[], None]) -> None:
    """Start the next hand, and wait until the page shows it."""
    before = page.url
    start()
    page.wait_for_function("before => location.href !== before", arg=before)
