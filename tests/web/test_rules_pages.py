"""The rules on the pages are those of the game as it was chosen."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

pytestmark = pytest.mark.long


def test_the_rules_follow_the_parameters_of_a_new_game(page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    rules = page.get_by_test_id("rules")
    expect(rules).to_contain_text("puts 1 chip into the pot and gets one of three cards")
    page.select_option("[data-testid=players]", "3")
    expect(rules).to_contain_text("gets one of four cards: jack, queen, king or ace")
    page.click("summary:has-text('Change the rules')")
    page.get_by_label("ante").fill("3")
    page.get_by_label("bet").fill("5")
    expect(rules).to_contain_text("puts 3 chips into the pot")
    expect(rules).to_contain_text("checks or bets 5 chips")
    page.select_option("[data-testid=players]", "2")
    page.get_by_label("ante").fill("1")
    page.get_by_label("bet").fill("1")
    expect(rules).to_contain_text("puts 1 chip into the pot and gets one of three cards")


def test_the_rules_at_a_table_are_those_of_its_game(page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    page.click("summary:has-text('Change the rules')")
    page.get_by_label("ante").fill("3")
    page.click("[data-testid=start]")
    here = page.get_by_test_id("rules-here")
    here.locator("summary").click()
    expect(here).to_contain_text("Each player puts 3 chips into the pot")
    expect(here).to_contain_text("chips each player puts in before the deal: 3")
    expect(here).not_to_contain_text("puts 1 chip")


def test_the_rules_of_cambia_follow_its_house_rules(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    rules = page.get_by_test_id("rules")
    expect(rules).to_contain_text("Everybody has four cards face down")
    page.click("summary:has-text('Change the rules')")
    page.get_by_label("hand", exact=False).first.select_option("6")
    page.get_by_label("jokers").select_option("0")
    expect(rules).to_contain_text("Everybody has six cards face down")
    expect(rules).not_to_contain_text("joker")
    page.click("[data-testid=start]")
    here = page.get_by_test_id("rules-here")
    here.locator("summary").click()
    expect(here).to_contain_text("Everybody has six cards face down")
    expect(here).not_to_contain_text("joker")
