"""A game without a drawing of its own: what it writes for people, and a button for every action."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")

from playwright.sync_api import expect

from tests.support.web_pages import opened_page, play_hand
from tests.support.web_server import running
from tests.web.test_every_page import load_axe, serious_findings

pytestmark = pytest.mark.long

PROGRAM = """
import sys
import fogtree
from fogtree.cli import main

class OwnPoker(type(fogtree.load_game("leduc_poker"))):
    short_name = "own_poker"

fogtree.register_game(fogtree.GameEntry(name="own_poker", game=OwnPoker, rules="As in Leduc."))
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def own_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that offers a game without a view of its own."""
    folder = tmp_path_factory.mktemp("web")
    options = ("--runs", str(folder))
    with running(folder / "web.sqlite3", *options, program=("-c", PROGRAM)) as server:
        yield server.address


def start(page: Any, address: str) -> None:
    page.goto(f"{address}/play/own_poker")
    expect(page.get_by_test_id("rules")).to_have_text("As in Leduc.")
    page.select_option("[data-testid=agent]", "random")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")


def test_a_whole_hand_by_clicks(page: Any, own_address: str) -> None:
    start(page, own_address)
    table = page.get_by_test_id("view").first
    expect(table).to_contain_text("What you know")
    expect(table).to_contain_text("This is your card, then what was done: c check or call")
    play_hand(page)
    expect(page.get_by_test_id("score")).to_contain_text("in 1 game")
    expect(page.get_by_role("region", name="The whole game")).to_contain_text("You saw: ")


def test_the_list_of_moves_says_once_what_chance_did(
    page: Any, browser: Any, own_address: str
) -> None:
    start(page, own_address)
    link = page.input_value("[data-testid=watch-link]")
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.wait_for_selector("[data-testid=next-hand]")
    with opened_page(browser) as watching:
        watching.goto(link)
        moves = watching.get_by_test_id("moves").get_by_role("button")
        expect(moves.first).to_have_text(re.compile("^By chance: "))


def test_a_whole_hand_by_keys(page: Any, own_address: str) -> None:
    start(page, own_address)
    over = page.get_by_test_id("next-hand")
    while True:
        page.wait_for_selector("[data-action], [data-testid=next-hand]")
        if over.count():
            break
        turn = page.get_attribute("[data-n]", "data-n")
        page.keyboard.press("1")
        page.wait_for_function(
            "turn => document.querySelector('[data-n]').dataset.n !== turn", arg=turn
        )
    expect(page.get_by_test_id("score")).to_contain_text("in 1 game")


def test_axe_finds_nothing_serious(page: Any, own_address: str) -> None:
    start(page, own_address)
    load_axe(page)
    assert serious_findings(page) == []
