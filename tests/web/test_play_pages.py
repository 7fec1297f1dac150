"""The pages on which people play, in a real browser."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import TimeoutError as PageTimeoutError

from tests.support.web_pages import opened_page


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


def test_two_people_promote_and_take_the_king(page: Any, browser: Any, address: str) -> None:
    phone = {"width": 390, "height": 844}
    with opened_page(browser, viewport=phone, color_scheme="dark") as other:
        _promote_and_take_the_king(page, other, address)


def _promote_and_take_the_king(first: Any, second: Any, address: str) -> None:
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
        except PageTimeoutError:
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
            except PageTimeoutError:
                continue
            page.wait_for_timeout(30)
        word = "hand" if hand == 1 else "hands"
        assert f"in {hand} {word}" in page.inner_text("[data-testid=score]")
        if hand == 1:
            page.keyboard.press("n")
            page.wait_for_selector("[data-testid=next-hand]", state="detached")
