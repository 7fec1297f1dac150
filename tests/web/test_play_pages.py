"""The pages on which people play, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

from fogtree.registry import game_names
from tests.support.web_pages import next_hand, opened_page, play_hand, start_chess
from tests.support.web_server import running

pytestmark = pytest.mark.long


def _piece(page: Any, square: str, piece: str) -> None:
    page.wait_for_selector(f"[data-square={square}][data-piece={piece}]")


def _own_turn(page: Any, moves: int) -> None:
    """Wait until the other side has answered this many moves."""
    page.wait_for_selector(f"tr:nth-child({moves}) td:nth-child(3) span")


def test_chess_by_click_drag_keyboard_and_text(page: Any, address: str) -> None:
    start_chess(page, address)
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
    _own_turn(page, 4)
    expect(page.locator("td:nth-child(2)")).to_have_text(["e4", "Nh3", "a3", "c3"])
    known = re.compile(r"^(\?|\S*[a-h][1-8]\S*)$")  # a move to a square that white sees is told
    expect(page.locator("td:nth-child(3)")).to_have_text([known] * 4)


def test_chess_premove_take_back_reload_and_review(page: Any, address: str) -> None:
    start_chess(page, address)
    expect(page.get_by_test_id("takeback")).to_be_disabled()  # there is nothing to take back
    for move in ("e2", "e4", "d2", "d3"):  # the second move is set while the other side thinks
        page.click(f"[data-square={move}]")
    _piece(page, "d3", "P")
    _own_turn(page, 2)
    page.click("[data-testid=takeback]")
    _piece(page, "d2", "P")
    page.reload()
    moves = page.locator(".move-list")
    expect(moves).to_contain_text("e4")
    expect(moves).not_to_contain_text("d3")
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.wait_for_selector("[data-testid=from-all]")
    expect(page.get_by_test_id("status")).to_have_text("You lost: you resigned.")
    expect(page.locator("[data-piece=k]")).to_have_count(1)  # the truth is revealed
    page.keyboard.press("Home")
    expect(page.get_by_test_id("ply")).to_have_text("0 of 2")
    page.click("[data-testid=from-0]")
    expect(page.locator("[data-testid=from-0][aria-pressed=true]")).to_be_visible()
    expect(page.locator("[data-piece=k]")).to_have_count(0)
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
    expect(first.get_by_test_id("preview")).to_contain_text("then click the board")
    expect(first.get_by_test_id("start")).to_have_count(0)
    first.click(".preview [data-square=e1]")  # a click on the preview is enough
    second.goto(link)
    _piece(second, "e8", "k")
    for page in (first, second):
        expect(page.get_by_test_id("help-rule")).to_contain_text("nobody looks into the fog")
        expect(page.get_by_test_id("presence")).to_have_text("is here")
        expect(page.get_by_test_id("look")).to_have_count(0)
        expect(page.get_by_test_id("takeback")).to_have_count(0)
    assert "#" not in second.url  # it is taken away before the game is loaded
    first.click("[data-square=a7]")
    first.click("[data-square=a8]")
    first.click("[data-promotion=q]")
    _piece(first, "a8", "Q")
    second.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    second.click("[data-square=h7]")
    second.click("[data-square=h6]")
    _own_turn(first, 1)
    expect(first.locator(".move-list")).not_to_contain_text("h6")
    first.click("[data-square=a8]")
    first.click("[data-square=e8]")
    for page, words in ((first, "You won: king captured."), (second, "You lost: king captured.")):
        page.wait_for_selector("[data-testid=from-all]")
        expect(page.get_by_test_id("status")).to_have_text(words)
        expect(page.get_by_role("link", name="Play from here")).to_have_count(0)  # it is over
    first.click("[data-testid=first]")
    expect(first.get_by_role("link", name="Play from here")).to_have_count(1)
    assert second.evaluate("() => document.documentElement.scrollWidth") <= 390
    first.click("[data-testid=rematch]")
    offer = second.get_by_text("Your friend asks for a rematch.")
    expect(offer).to_be_in_viewport()  # above the board, also on a phone
    second.click("[data-testid=rematch]")
    for page, status in ((first, "The other side is thinking"), (second, "Your turn")):
        expect(page.get_by_test_id("status")).to_contain_text(status)  # the sides are swapped


def test_clocks_wait_for_the_friend(page: Any, browser: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.select_option("[data-testid=against]", "friend")
    page.get_by_label("Clock").select_option("3 minutes + 2 s")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=invitation]")
    page.click("[data-testid=to-board]")
    status, waiting = page.get_by_test_id("status"), "Waiting for your friend to open the link"
    expect(status).to_have_text(f"Your turn. {waiting}: the clocks start then.")
    page.click("[data-square=e2]")
    page.click("[data-square=e4]")
    expect(status).to_have_text(re.compile(f"{waiting}: .*set a move in advance"))
    expect(page.locator(".clock")).to_have_text(["3:00", "3:00"])
    expect(page.locator(".clock.running")).to_have_count(0)
    with opened_page(browser) as friend:
        friend.goto(link)
        for one in (page, friend):
            expect(one.locator(".clock.running")).to_have_count(1)
            expect(one.get_by_test_id("status")).not_to_contain_text("Waiting for")
    expect(status).to_contain_text("The other side is thinking.")


def test_captures_by_pawns_are_written_as_far_as_they_were_seen(
    page: Any, browser: Any, address: str
) -> None:
    """White saw the pawn on g5 go; the one that takes the knight comes from the fog, from e5 or
    c5."""
    page.goto(f"{address}/chess")
    page.select_option("[data-testid=against]", "friend")
    page.click("summary")
    page.get_by_label("Start from").fill("4k3/8/8/4p1p1/3N3P/8/8/3RK2R b - - 0 1")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=invitation]")
    page.click("[data-testid=to-board]")
    with opened_page(browser) as friend:
        friend.goto(link)
        moves = ((friend, "g5", "h4"), (page, "e1", "f1"), (friend, "e5", "d4"))
        for one, start, end in moves:
            one.wait_for_selector("[data-testid=status]:has-text('Your turn')")
            one.click(f"[data-square={start}]")
            one.click(f"[data-square={end}]")
        expect(page.locator("td:nth-child(3)")).to_have_text(["gxh4", "?xd4"])
        expect(friend.locator("td:nth-child(3)")).to_have_text(["gxh4", "exd4"])
    expect(page.locator("details:has-text('?xe4: a capture')")).to_have_count(1)


def test_a_link_carries_the_token_of_a_server_that_has_one(browser: Any, tmp_path: Path) -> None:
    with (
        running(tmp_path / "web.sqlite3", "--token", "a secret & more") as server,
        opened_page(browser) as page,  # ends before its server does
    ):
        page.goto(f"{server.address}/chess#token=a%20secret%20%26%20more")
        assert "#" not in page.url
        page.select_option("[data-testid=against]", "friend")
        page.click("[data-testid=start]")
        expect(page.get_by_test_id("link-note")).to_contain_text("contain the access token")
        link = page.input_value("[data-testid=invitation]")
        for seat in ("invitation", "spectator-link"):
            with opened_page(browser) as other:
                other.goto(page.input_value(f"[data-testid={seat}]"))
                shown = "[data-square]" if seat == "invitation" else "[data-testid=spectator]"
                other.wait_for_selector(shown)
                assert "#" not in other.url  # key and token are taken away
                other.reload()
                other.wait_for_selector(shown)
        with opened_page(browser) as other:
            other.goto(link.split("&token=")[0])
            expect(other.get_by_test_id("shut")).to_contain_text("access token")


def test_help_between_two_people_is_a_choice_that_both_are_told(page: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.select_option("[data-testid=against]", "friend")
    expect(page.get_by_test_id("casual")).not_to_be_checked()
    page.check("[data-testid=casual]")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=invitation]")
    for follow in (lambda: page.click("[data-testid=to-board]"), lambda: page.goto(link)):
        follow()
        expect(page.get_by_test_id("look")).to_be_visible()
        expect(page.get_by_test_id("takeback")).to_be_visible()
        expect(page.get_by_test_id("help-rule")).to_contain_text("both of you may look")
    expect(page).to_have_title("Fog-of-War chess · fogtree")
    expect(page.locator("nav [aria-current=page]")).to_have_text("Chess")
    page.click(".bar .name")
    expect(page).to_have_title("fogtree")
    expect(page.locator("nav [aria-current=page]")).to_have_count(0)


def test_a_whole_game_of_cambia(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("[data-testid=start]")
    play_hand(page, "pass", "cambia", "discard")
    expect(page.get_by_test_id("status")).to_contain_text("Points: ")
    expect(page.locator(".event-log")).to_contain_text(re.compile("calls? Cambia!"))
    expect(page.get_by_test_id("ply")).to_be_visible()
    expect(page.locator(".card-face.down")).to_have_count(2)  # the stock, here and in the review


@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "liars_dice", "battleship"])
def test_two_hands_with_a_score(page: Any, address: str, game: str) -> None:
    page.goto(f"{address}/play/{game}")
    if game == "battleship":  # its smallest sea
        sizes = page.get_by_test_id("size")
        sizes.locator("option").first.wait_for(state="attached")  # they come all at once
        sizes.select_option(index=sizes.locator("option").count() - 1)
    page.select_option("[data-testid=agent]", "random")
    page.click("[data-testid=start]")
    score = page.get_by_test_id("score")
    play_hand(page)
    expect(score).to_contain_text(re.compile("in 1 (hand|game)"))
    next_hand(page, lambda: page.keyboard.press("n"))
    play_hand(page)
    expect(score).to_contain_text(re.compile("in 2 (hands|games)"))


def test_a_hand_counts_also_if_the_next_one_is_begun_at_once(page: Any, address: str) -> None:
    """The key is pressed in the moment in which the end of the hand is shown."""
    page.goto(f"{address}/play/kuhn_poker")
    page.select_option("[data-testid=agent]", "random")
    page.click("[data-testid=start]")
    page.wait_for_selector("[data-action]")
    page.evaluate(
        """() => new MutationObserver((_, observer) => {
            if (!document.querySelector("[data-testid=next-hand]")) return;
            observer.disconnect();
            document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "n", bubbles: true}));
        }).observe(document.body, {childList: true, subtree: true})"""
    )
    page.click("[data-testid=resign]")
    next_hand(page, lambda: page.click("[data-testid=confirm-resign]"))
    page.wait_for_selector("[data-action], [data-testid=next-hand]")
    expect(page.get_by_test_id("score")).to_contain_text("in 1 hand")


@pytest.mark.parametrize("game", game_names())
def test_every_game_starts_with_its_defaults(page: Any, address: str, game: str) -> None:
    page.goto(f"{address}/play/{game}")
    page.click("[data-testid=start]")
    page.wait_for_url("**/game/*")
    page.wait_for_selector("[data-n], [data-testid=typed-move]")


def test_an_unknown_address_leads_home(browser: Any, address: str) -> None:
    page = browser.new_page()
    assert page.goto(f"{address}/nonsense/further").status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    page.click("text=Go to the first page")
    expect(page).to_have_url(f"{address}/")
    expect(page.get_by_role("heading", name="There is no such page")).to_have_count(0)
    page.close()


def test_the_page_says_at_once_that_an_agent_failed(page: Any, address: str) -> None:
    """The server's word of it is put between its events."""

    def between(socket: Any) -> None:
        server = socket.connect_to_server()
        told: list[str] = []

        def pass_on(message: str) -> None:
            socket.send(message)
            event = json.loads(message)
            if event["type"] == "view" and not told:
                told.append(message)
                by = 1 if event["turn"] else 0
                socket.send(json.dumps({"type": "fail", "by": by}))

        server.on_message(pass_on)

    page.route_web_socket("**/ws/games/*", between)
    page.goto(f"{address}/play/phantom_ttt")
    page.get_by_test_id("start").click()
    log = page.get_by_role("log")
    expect(log).to_contain_text("failed and plays at random from here on.")
