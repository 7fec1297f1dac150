"""The pages on which people play, in a real browser."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="the pages' tests need Playwright")
pytest.importorskip("starlette", reason="needs the web app: pip install 'fogtree[web]'")

_CHROMIUM = Path("/usr/bin/chromium")
_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
pytestmark = pytest.mark.skipif(not _CHROMIUM.exists(), reason="there is no /usr/bin/chromium")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = tmp_path_factory.mktemp("web") / "web.sqlite3"
    command = [sys.executable, "-m", "fogtree", "serve", "--no-browser"]
    server = subprocess.Popen([*command, "--port", str(port), "--data", str(data)])
    found = f"http://127.0.0.1:{port}"
    for _ in range(200):
        try:
            urllib.request.urlopen(f"{found}/api/version")
            break
        except OSError:
            time.sleep(0.1)
    yield found
    server.terminate()
    server.wait(10)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=str(_CHROMIUM), args=_OPTIONS)
        yield found
        found.close()


def _new_page(browser: Any, **options: Any) -> Any:
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(15_000)
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    return page


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    found = _new_page(browser)
    yield found
    assert found.problems == []
    found.context.close()


def _piece(page: Any, square: str, piece: str) -> None:
    page.wait_for_selector(f"[data-square={square}][data-piece={piece}]")


def _own_turn(page: Any, moves: int) -> None:
    """Wait until the other side has answered this many moves."""
    page.wait_for_selector(f"tr:nth-child({moves}) td:nth-child(3):has-text('?')")


def _start(page: Any, address: str) -> None:
    """A game against random moves, by a side that cannot reach ours soon."""
    page.goto(f"{address}/chess")
    page.locator("[data-testid=strength]").fill("1")
    page.click("summary")
    page.get_by_label("Start from").fill("7k/7p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")
    page.click("[data-testid=start]")
    page.wait_for_selector("[data-testid=typed-move]")


def test_chess_by_click_drag_keyboard_and_text(page: Any, address: str) -> None:
    _start(page, address)
    page.click("[data-square=e2]")
    page.click("[data-square=e4]")
    _piece(page, "e4", "P")
    _own_turn(page, 1)
    start, end = (page.locator(f"[data-square={s}]").bounding_box() for s in ("g1", "h3"))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=4)
    page.mouse.up()
    _piece(page, "h3", "N")
    _own_turn(page, 2)
    page.focus("[data-square=a2]")
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    _piece(page, "a3", "P")
    _own_turn(page, 3)
    page.fill("[data-testid=typed-move]", "c3")
    page.keyboard.press("Enter")
    _piece(page, "c3", "P")
    assert page.locator("td:nth-child(2)").all_inner_texts() == ["e4", "Nh3", "a3", "c3"]
    assert page.locator("td:nth-child(3)").all_inner_texts()[:3] == ["?", "?", "?"]


def test_chess_premove_take_back_reload_and_review(page: Any, address: str) -> None:
    _start(page, address)
    for move in ("e2", "e4", "d2", "d3"):  # the second move is set while the other side thinks
        page.click(f"[data-square={move}]")
    _piece(page, "d3", "P")
    _own_turn(page, 2)
    page.click("[data-testid=takeback]")
    _piece(page, "d2", "P")
    page.reload()
    _piece(page, "e4", "P")
    assert "d3" not in page.inner_text(".move-list")
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.wait_for_selector("[data-testid=from-all]")
    assert page.inner_text("[data-testid=status]") == "You lost: white resigned."
    assert page.locator("[data-piece=k]").count() == 1  # the truth is revealed
    page.keyboard.press("Home")
    page.click("[data-testid=from-0]")
    assert page.locator("[data-piece=k]").count() == 0
    page.click("[data-testid=rematch]")
    page.wait_for_selector("[aria-label='Chess board, you play black']")


def test_two_people_promote_and_take_the_king(browser: Any, address: str) -> None:
    first = _new_page(browser)
    second = _new_page(browser, viewport={"width": 390, "height": 844}, color_scheme="dark")
    first.goto(f"{address}/chess")
    first.select_option("[data-testid=against]", "friend")
    first.click("summary")
    first.get_by_label("Start from").fill("4k3/P6p/8/8/8/8/p6P/4K2R w K - 0 1")
    first.click("[data-testid=start]")
    link = first.input_value("[data-testid=invitation]")
    first.click("[data-testid=to-board]")
    second.goto(link)
    _piece(second, "e8", "k")
    assert "#" not in second.url
    first.click("[data-square=a7]")
    first.click("[data-square=a8]")
    first.click("[data-promotion=q]")
    _piece(first, "a8", "Q")
    second.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    second.click("[data-square=h7]")
    second.click("[data-square=h6]")
    _own_turn(first, 1)
    assert "h6" not in first.inner_text(".move-list")
    first.click("[data-square=a8]")
    first.click("[data-square=e8]")
    for page, words in ((first, "You won: king captured."), (second, "You lost: king captured.")):
        page.wait_for_selector("[data-testid=from-all]")
        assert page.inner_text("[data-testid=status]") == words
        assert page.problems == []
    assert second.evaluate("() => document.documentElement.scrollWidth") <= 390


def test_a_whole_game_of_cambia(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("[data-testid=start]")
    for _ in range(400):
        page.wait_for_selector("[data-action], button.card-face, [data-testid=next-hand]")
        if page.locator("[data-testid=next-hand]").count():
            break
        for choice in ("pass", "cambia", "discard", "keep"):
            if page.locator(f"[data-action={choice}]").count():
                chosen = page.locator(f"[data-action={choice}]")
                break
        else:
            chosen = page.locator("[data-action], button.card-face:not(.picked)").last
        try:
            chosen.click(timeout=1000)
        except sync_api.TimeoutError:
            continue  # the table has changed meanwhile
        page.wait_for_timeout(30)
    status = page.inner_text("[data-testid=status]")
    assert "Points: " in status
    assert page.locator(".card-face.down").count() <= 2  # the stock, here and in the review
    assert "calls Cambia!" in page.inner_text(".event-log") or "call Cambia!" in page.inner_text(
        ".event-log"
    )


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "liars_dice", "battleship"])
def test_two_hands_with_a_score(page: Any, address: str, game: str) -> None:
    page.goto(f"{address}/play/{game}")
    page.select_option("[data-testid=agent]", "random")
    page.click("[data-testid=start]")
    for hand in (1, 2):
        for _ in range(60):
            page.wait_for_selector("[data-action], [data-testid=next-hand]")
            if page.locator("[data-testid=next-hand]").count():
                break
            try:
                page.locator("[data-action]").first.click(timeout=1000)
            except sync_api.TimeoutError:
                continue
            page.wait_for_timeout(30)
        word = "hand" if hand == 1 else "hands"
        assert f"in {hand} {word}" in page.inner_text("[data-testid=score]")
        if hand == 1:
            page.keyboard.press("n")
            page.wait_for_selector("[data-testid=next-hand]", state="detached")
