"""What a first visitor stumbles over: forms, names, focus, phones, links in another browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

from tests.support.web_pages import next_hand, opened_page, play_hand

pytestmark = pytest.mark.long


def test_the_list_of_puzzles_has_no_empty_rows(page: Any, address: str) -> None:
    easy = [{"id": "a", "level": 1}, {"id": "b", "level": 1}, {"id": "c", "level": 2}]
    page.route("**/api/puzzles/fog_chess", lambda route: route.fulfill(json={"puzzles": easy}))
    page.route(
        "**/api/puzzles/fog_chess/*",
        lambda route: route.fulfill(status=400, json={"error": "there is no such puzzle"}),
    )
    page.goto(f"{address}/puzzles")
    expect(page.locator(".puzzle-level")).to_have_text(["easy", "medium"])


def test_puzzles_come_from_games_between_engines(page: Any, address: str) -> None:
    for path in ("/", "/chess"):
        page.goto(f"{address}{path}")
        expect(page.get_by_text("between engines").first).to_be_visible()
        expect(page.get_by_text("real game")).to_have_count(0)


def test_a_bad_position_is_reported_until_another_one_is_typed(page: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.click("summary")
    field = page.get_by_label("Start from")
    field.fill("8/8/8 w")
    preview = page.get_by_test_id("preview")
    expect(preview).to_contain_text("not a whole position yet; this is the usual first one")
    page.get_by_test_id("start").click()
    expect(page.get_by_role("alert")).to_be_visible()
    field.fill("7k/7p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(preview).not_to_contain_text("not a whole position")
    expect(page.locator("[data-square=h8]")).to_have_attribute("data-piece", "k")


def test_the_opponent_has_its_title_at_the_table_and_in_the_list(page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    heading = page.get_by_role("heading", name="Kuhn poker you are")
    expect(heading).to_have_text("Kuhn poker you are the first player, against Equilibrium")
    page.get_by_role("link", name="fogtree").click()
    row = page.get_by_test_id("recent").get_by_role("listitem")
    expect(row).to_contain_text("First player against Equilibrium.")


def test_the_form_of_a_game_leads_back_to_the_unfinished_one(page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    expect(page.get_by_test_id("start")).to_be_visible()
    expect(page.get_by_test_id("go-on")).to_have_count(0)
    page.click("[data-testid=start]")
    expect(page.get_by_test_id("resign")).to_be_visible()
    game = page.url
    page.goto(f"{address}/chess")
    expect(page.get_by_test_id("start")).to_be_visible()
    expect(page.get_by_test_id("go-on")).to_have_count(0)  # that is another game
    page.goto(f"{address}/play/kuhn_poker")
    page.get_by_test_id("go-on").get_by_role("link").click()
    expect(page).to_have_url(game)
    page.get_by_test_id("resign").click()
    page.get_by_test_id("confirm-resign").click()
    expect(page.get_by_test_id("next-hand")).to_be_visible()
    page.goto(f"{address}/play/kuhn_poker")
    expect(page.get_by_test_id("start")).to_be_visible()
    expect(page.get_by_test_id("go-on")).to_have_count(0)


def test_the_keyboard_goes_on_after_the_first_move(page: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.get_by_test_id("strength").fill("1")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowUp")  # leads to the board
    expect(page.locator("[data-square=e2]")).to_be_focused()
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("typed-move")).to_be_visible()
    expect(page.locator("[data-square=e4]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-square=d4]")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-square=d4]")).to_be_focused()


def test_a_phone_shows_the_present_page_in_the_bar(browser: Any, address: str) -> None:
    with opened_page(browser, viewport={"width": 390, "height": 844}) as page:
        for path in ("open", "arena", "chess", "play/leduc_poker"):
            page.goto(f"{address}/{path}")
            link = page.locator("nav a[aria-current]")
            expect(link).to_be_in_viewport(ratio=1)
        page.goto(f"{address}/walk")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            expect(link).to_be_in_viewport(ratio=1)
        page.locator("nav a", has_text="Open a record").click()
        expect(link).to_have_text("Open a record")
        expect(link).to_be_in_viewport(ratio=1)


def test_advice_names_the_command_of_this_server(page: Any, address: str) -> None:
    command = page.request.get(f"{address}/api/version").json()["command"]
    assert command.endswith(" -m fogtree")  # as the tests start it
    page.goto(f"{address}/lab")
    own = page.get_by_test_id("own-game")
    own.locator("summary").click()
    expect(own.locator("code")).to_have_text(f"{command} serve --own-code")
    page.goto(f"{address}/chess")
    page.get_by_test_id("against").select_option("friend")
    page.get_by_test_id("start").click()
    note = page.get_by_test_id("link-note")
    start, port = f"{command} serve --host 0.0.0.0 --token SECRET", address.rpartition(":")[2]
    expect(note.locator("code")).to_have_text([start, f"http://ADDRESS:{port}/#token=SECRET"])
    expect(note).to_contain_text("SECRET is a password of your choice")
    expect(note).to_contain_text("Its link contains the password")
    expect(note).to_contain_text("This game is kept when the server starts again")


def test_the_link_of_a_solve_sets_the_fields_in_another_browser(
    page: Any, browser: Any, address: str
) -> None:
    asked = {"game": "leduc_poker(ranks=2)", "algorithms": ["cfr+"], "iterations": 30, "until": 0.5}
    job = page.request.post(f"{address}/api/lab", data=asked).json()["id"]
    with opened_page(browser) as other:
        other.goto(f"{address}/lab?job={job}")
        expect(other.locator("fieldset input:checked")).to_have_count(1)
        expect(other.get_by_label("cfr+", exact=True)).to_be_checked()
        expect(other.get_by_role("spinbutton", name="Iterations")).to_have_value("30")
        expect(other.get_by_label("or until exploitability")).to_have_value("0.5")
        expect(other.locator("label:has-text('Game') > select").first).to_have_value("leduc_poker")
        plot = other.get_by_role("img", name=re.compile("^Exploitability over iterations"))
        name = plot.get_attribute("aria-label")
        assert name.startswith("Exploitability over iterations. cfr+: ")


def test_a_reload_goes_on_looking_into_the_fog(page: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.get_by_test_id("strength").fill("1")
    page.click("[data-testid=start]")
    expect(page.get_by_test_id("look")).not_to_be_checked()
    page.get_by_test_id("look").check()
    page.reload()
    expect(page.get_by_test_id("look")).to_be_checked()
    page.get_by_test_id("look").uncheck()
    page.reload()
    expect(page.get_by_test_id("look")).not_to_be_checked()


def decision(
    ply: int, seat: int, played: str, actions: dict[str, tuple[float, float | None]]
) -> Any:
    """A decision of a hand as the server describes it."""
    known = [value for _, value in actions.values() if value is not None]
    value = actions[played][1]
    return {
        "ply": ply,
        "seat": seat,
        "infoset": "Q",
        "played": played,
        "given_up": None if value is None else max(known) - value,
        "reached": value is not None,
        "actions": [
            {"action": action, "label": action.title(), "probability": share, "value": value}
            for action, (share, value) in actions.items()
        ],
    }


@pytest.mark.parametrize(("bet", "others"), [(-0.5, ""), (-0.25, "; other equilibria may")])
def test_a_hand_that_the_solved_strategy_does_not_play(
    page: Any, address: str, bet: float, others: str
) -> None:
    """The first player bets where the solved strategy never does."""
    decisions = [
        decision(2, 0, "bet", {"check": (1.0, -0.25), "bet": (0.0, bet)}),
        decision(3, 1, "fold", {"fold": (1.0, None), "call": (0.0, None)}),
    ]
    found = {"values": [-0.06, 0.06], "decisions": decisions}
    page.route("**/api/games/*/equilibrium", lambda route: route.fulfill(body=json.dumps(found)))
    page.goto(f"{address}/play/kuhn_poker")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    page.click("[data-action=bet]")
    ours, theirs = (page.locator(".equilibrium-decision").nth(number) for number in (0, 1))
    expect(ours).to_contain_text("The solved strategy never plays Bet here. With the best further")
    expect(ours).to_contain_text(f"play it brings {bet:.2f} on average.")
    expect(ours).to_contain_text(re.compile(r"Bet \(gives up (nothing|0\.25 on average)\)"))
    expect(theirs).to_contain_text("Fold (not judged)")
    expect(theirs).to_contain_text(
        f"You played Bet before this, which the solved strategy never does{others}. "
        "So this decision is not judged, and there is no mix to compare with."
    )


def test_what_an_equilibrium_player_expects_names_the_seats(page: Any, address: str) -> None:
    """One seat in the first hand, both in two hands."""
    page.goto(f"{address}/play/kuhn_poker")
    page.click("[data-testid=start]")
    compared = page.get_by_test_id("compared")
    for hand, words in enumerate(("player in this seat can expect", "in these seats can expect")):
        play_hand(page, "check", "call", "fold")
        expect(compared).to_contain_text(words)
        expect(compared).to_contain_text(
            "-0.06 per hand." if hand == 0 else "0.00 per hand on average."
        )
        if hand == 0:
            next_hand(page, page.get_by_test_id("next-hand").click)
