"""What somebody reads who plays Cambia for the first time."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

from tests.support.web_pages import boxes, choose, choose_until, play_hand

pytestmark = pytest.mark.long

CODES = re.compile(r"\b([A2-9TJQK][CDHS]|X[RB])\b|[Pp]layer \d|card 0")


def test_the_rules_are_complete_and_options_for_tests_are_apart(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    rules = page.get_by_test_id("rules")
    expect(page.get_by_test_id("start")).to_be_visible()
    expect(page.get_by_test_id("seat")).to_have_count(0)  # who starts is drawn by lot
    expect(rules).to_contain_text("the top card of the discard")
    expect(rules).to_contain_text("costs two more cards from the stock")
    expect(rules).to_contain_text("asked about a snap only when some card that you may snap")
    page.click("summary:has-text('Change the rules')")
    page.get_by_label("snap window").select_option("always")
    expect(rules).to_contain_text("asked about a snap after every discard")
    expect(page.get_by_text("cards drawn for a wrong snap")).to_be_visible()
    for hidden in ("which engine plays", "repeat two mistakes"):
        expect(page.get_by_text(hidden)).to_be_hidden()
    page.click("summary:has-text('Advanced')")
    expect(page.get_by_text("For tests and experiments.")).to_be_visible()
    expect(page.get_by_text("which engine plays")).to_be_visible()


def test_a_game_is_told_in_words(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.select_option("[data-testid=agent]", "random_late_cambia")
    page.click("[data-testid=start]")
    hand = page.get_by_role("region", name="Your cards").first
    expect(hand.locator(".card-face").first).to_have_attribute(
        "aria-label", re.compile("^Your card 1, ")
    )
    expect(page.get_by_role("region", name="Random with late Cambia's cards")).to_be_visible()
    log = page.locator(".event-log")
    expect(log).to_contain_text(re.compile("You look at your card 1: "))
    for _ in range(6):
        if not choose(page, "draw", "discard and use", "discard", "pass"):
            break
        labels = page.locator("[data-n] [aria-label]").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label')).join('; ')"
        )
        assert not CODES.search(page.locator("main").inner_text() + labels)
    play_hand(page, "pass", "cambia", "discard")
    page.get_by_test_id("ply").wait_for()
    for _ in range(8):
        page.click("[data-testid=back]")
        whole = page.get_by_role("region", name="The whole game")
        assert not CODES.search(whole.inner_text())


def test_the_legend_says_who_has_seen_a_card(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("[data-testid=start]")
    legend = page.locator(".board-legend")
    expect(legend).to_contain_text("On a card of the other player: its owner has seen it.")
    page.goto(f"{address}/cambia")
    page.select_option("[data-testid=players]", "3")
    page.click("[data-testid=start]")
    expect(legend).to_contain_text("a player other than you has seen the card")


def test_the_price_of_a_wrong_snap_is_told_where_one_may_snap(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("summary:has-text('Change the rules')")
    page.get_by_label("snap window").select_option("always")
    page.get_by_label("penalty").select_option("1")
    page.click("[data-testid=start]")
    choose_until(page, "pass", "draw", "discard")
    expect(page.get_by_test_id("status")).to_contain_text("costs you 1 more card.")


def test_nothing_answers_a_question_to_snap_at_once(page: Any, address: str) -> None:
    """The second click of a double click snaps no card, and a key meant for the next turn does not
    decline."""
    page.clock.install()
    page.goto(f"{address}/cambia")
    page.click("summary:has-text('Change the rules')")
    page.get_by_label("snap window").select_option("always")
    page.click("[data-testid=start]")
    choose_until(page, "discard", "draw", "pass")
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    hand = page.get_by_role("region", name="Your cards").first
    hand.locator(".card-face").first.click()
    page.wait_for_selector("[data-action=pass]")
    cards = hand.locator("button.card-face")
    assert cards.count() == 0  # the second click of a double click meets no button
    decline, hint = page.locator("[data-action=pass]"), page.get_by_text("Click a card of the same")
    expect(decline).to_be_disabled()
    expect(hint).to_be_hidden()  # no card can be clicked yet
    asked = page.get_attribute("[data-n]", "data-n")
    boxes_before = boxes(page, "[data-action=pass]")
    page.keyboard.press("1")
    page.clock.run_for(5000)
    expect(cards).not_to_have_count(0)
    expect(hint).to_be_visible()
    assert boxes(page, "[data-action=pass]") == boxes_before
    expect(page.get_by_test_id("status")).to_contain_text("Snap?")
    expect(decline).to_have_text(re.compile(r"^\s*1"))  # its key is shown
    assert page.get_attribute("[data-n]", "data-n") == asked  # the early key did nothing
    page.keyboard.press("1")
    page.wait_for_function(
        "asked => document.querySelector('[data-n]').dataset.n !== asked", arg=asked
    )


def test_what_was_taken_back_leaves_the_log(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("[data-testid=start]")
    choose_until(page, "draw", "pass")
    log = page.locator(".event-log")
    before = log.inner_text()
    page.click("[data-action=draw]")
    expect(log).to_contain_text("You draw from the stock")
    held = page.get_by_role("img", name=re.compile("^the card you drew"))
    drawn = held.get_attribute("data-card")
    page.get_by_test_id("takeback").click()
    expect(log).to_have_text(before.replace("\n", ""), use_inner_text=False)
    page.click("[data-action=draw]")
    expect(held).to_have_attribute("data-card", drawn)
