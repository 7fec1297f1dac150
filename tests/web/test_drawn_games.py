"""Games with a drawn board, from the first choice to the end, by clicks and by keys."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

from tests.support.web_pages import opened_page, play_hand

pytestmark = pytest.mark.long

OVER = "[data-testid=next-hand]"
_WAITING = """turn => document.querySelector("[data-testid=next-hand]")
    || document.querySelector("[data-n]").dataset.n !== turn"""


def start(page: Any, address: str, game: str, seat: str = "0") -> None:
    """Start a game against random play, in its small version where it has one."""
    page.goto(f"{address}/play/{game}")
    page.wait_for_selector("[data-testid=start]")
    sizes = page.get_by_test_id("size").locator("option").count()
    if sizes:
        page.get_by_test_id("size").select_option(index=sizes - 1)
    page.select_option("[data-testid=agent]", "random")
    page.select_option("[data-testid=seat]", seat)
    page.click("[data-testid=start]")
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")


def is_over(page: Any, choices: str) -> bool:
    """Wait for the own turn or the end."""
    page.wait_for_selector(f"{choices}, {OVER}")
    return bool(page.locator(OVER).count())


def press(page: Any, *keys: str) -> None:
    """Press keys of which the last one chooses, and wait for what follows."""
    turn = page.get_attribute("[data-n]", "data-n")
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_function(_WAITING, arg=turn)


def chosen_by_arrows(page: Any) -> None:
    """Go to the first square that can be chosen, with the arrow keys alone, and press Enter."""
    columns = page.locator("[role=grid]:has(.can) [role=row]").first.locator(".cell").count()
    grid = page.locator("[role=grid]:has(.can)")
    cells = grid.locator(".cell")
    target = next(n for n in range(cells.count()) if "can" in _classes(cells.nth(n)))
    if not grid.locator(".cell:focus").count():
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowDown")  # leads to the board
    expect(grid.locator(".cell:focus")).to_have_count(1)
    at = grid.locator(".cell:focus").evaluate(
        "cell => [...cell.closest('[role=grid]').querySelectorAll('.cell')].indexOf(cell)"
    )
    down, across = target // columns - at // columns, target % columns - at % columns
    moves = ["ArrowDown" if down > 0 else "ArrowUp"] * abs(down)
    moves += ["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across)
    for key in moves:
        page.keyboard.press(key)
    expect(cells.nth(target)).to_be_focused()
    page.keyboard.press("Enter")


def _classes(cell: Any) -> list[str]:
    return str(cell.get_attribute("class")).split()


def to_end_by_arrows(page: Any) -> None:
    while not is_over(page, ".cell.can"):
        turn = page.get_attribute("[data-n]", "data-n")
        chosen_by_arrows(page)
        page.wait_for_function(_WAITING, arg=turn)


def check_end(page: Any) -> None:
    expect(page.get_by_test_id("status")).to_contain_text(re.compile("You won|You lost|A draw"))
    expect(page.get_by_test_id("ply")).to_be_visible()
    expect(page.get_by_test_id("score")).to_contain_text(re.compile("in 1 (hand|game)"))


def test_phantom_tic_tac_toe_by_clicks(page: Any, address: str) -> None:
    start(page, address, "phantom_ttt")
    expect(page.locator(".cell.fog")).to_have_count(8)
    page.click("[data-square=b1]")
    expect(page.locator("[data-square=b1]")).to_have_attribute("data-piece", "X")
    expect(page.locator(".cell.fog")).to_have_count(7)  # nothing of the other's mark
    expect(page.locator(".event-log")).to_contain_text("You mark b1.")
    play_hand(page)
    check_end(page)
    board = page.get_by_test_id("view").first
    expect(board.locator("[data-piece=O]")).not_to_have_count(0)  # all is revealed


def test_people_are_offered_a_board_of_the_usual_size(page: Any, address: str) -> None:
    page.goto(f"{address}/play/phantom_ttt")
    expect(page.get_by_test_id("size")).to_have_value("3 × 3")
    page.select_option("[data-testid=agent]", "random")
    page.click("[data-testid=start]")
    expect(page.locator(".cell")).to_have_count(9)
    page.goto(f"{address}/play/battleship")
    page.click("[data-testid=start]")
    expect(page.get_by_role("grid", name="Your sea").locator(".cell")).to_have_count(16)


def test_phantom_tic_tac_toe_by_keys(page: Any, address: str) -> None:
    start(page, address, "phantom_ttt")
    to_end_by_arrows(page)
    check_end(page)


def test_a_refused_square_is_marked_and_one_tries_again(
    page: Any, browser: Any, address: str
) -> None:
    page.goto(f"{address}/play/phantom_ttt")
    page.select_option("[data-testid=agent]", "a friend, by link")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=invitation-0]")
    page.click("text=Go to the table")
    page.click("[data-square=a1]")
    with opened_page(browser) as other:
        other.goto(link)
        other.click("[data-square=a1]")
        refused = other.locator("[data-square=a1]")
        expect(refused).to_have_attribute("data-piece", "X")
        expect(refused).to_have_class(re.compile("refused"))
        expect(other.locator(".event-log")).to_contain_text("You try a1: the other has it")
        expect(other.get_by_test_id("status")).to_contain_text("Your turn")
        other.click("[data-square=c2]")
        expect(other.get_by_test_id("status")).to_contain_text("Waiting for the other player")
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")
    expect(page.locator("[data-piece]")).to_have_count(1)
    expect(page.locator(".event-log p")).to_have_text(
        ["You mark a1.", "The other player has marked a square; you cannot see which."]
    )


def test_dark_hex_by_clicks(page: Any, address: str) -> None:
    start(page, address, "dark_hex")
    board = page.get_by_role("grid", name="The board")
    expect(board.locator("polygon")).to_have_count(6)
    expect(board.locator(".cell.fog")).to_have_count(6)
    expect(board.locator(".edge-name").first).to_have_text("You")
    board.locator("[data-square=b1]").click()
    expect(board.locator("[data-square=b1]")).to_have_attribute("data-piece", "first")
    expect(board.locator(".cell.fog")).to_have_count(5)  # nothing of the other's stone
    expect(page.locator(".event-log")).to_contain_text("You take b1.")
    play_hand(page)
    check_end(page)
    board = page.get_by_test_id("view").first
    expect(board.locator("[data-piece=second]")).not_to_have_count(0)  # all is revealed
    expect(board.locator(".cell.won")).not_to_have_count(0)  # somebody always wins
    expect(page.locator(".knew [role=grid]")).to_have_count(2)
    expect(page.locator(".event-log p")).to_contain_text(["You take b1."])


def test_dark_hex_by_keys(page: Any, address: str) -> None:
    start(page, address, "dark_hex", "1")
    to_end_by_arrows(page)
    check_end(page)


def test_the_hexagons_that_touch_are_those_of_the_rules(page: Any, address: str) -> None:
    start(page, address, "dark_hex")
    centres = {
        name: page.locator(f"[data-square={name}] .tile").bounding_box()
        for name in ("b1", "a1", "c1", "a2", "b2", "c2")
    }
    middle = {n: (b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for n, b in centres.items()}
    size = centres["b1"]["height"] / 2

    def distance(one: str, other: str) -> float:
        (x, y), (u, v) = middle[one], middle[other]
        return float(((x - u) ** 2 + (y - v) ** 2) ** 0.5 / size)

    touching = {name for name in middle if name != "b1" and distance("b1", name) < 2}
    assert touching == {"a1", "c1", "a2", "b2"}
    rules = page.get_by_test_id("rules-here")
    expect(rules).to_contain_text("share a side: b1 touches a1, c1, a2 and b2.")


def test_a_stone_that_one_runs_into_is_marked(page: Any, browser: Any, address: str) -> None:
    page.goto(f"{address}/play/dark_hex")
    page.select_option("[data-testid=agent]", "a friend, by link")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=invitation-0]")
    page.click("text=Go to the table")
    page.click("[data-square=a1]")
    with opened_page(browser) as other:
        other.goto(link)
        other.click("[data-square=a1]")
        refused = other.locator("[data-square=a1]")
        expect(refused).to_have_attribute("data-piece", "first")
        expect(refused).to_have_class(re.compile("refused"))
        expect(refused).to_have_attribute("aria-label", "a1, a stone of the other")
        other.click("[data-square=c2]")
        expect(other.get_by_test_id("status")).to_contain_text("Waiting for the other player")
    unseen = "The other player has taken a square; you cannot see which."
    expect(page.locator(".event-log p")).to_have_text(["You take a1.", unseen])
    page.click("[data-square=b1]")
    expect(page.get_by_test_id("status")).to_contain_text("Waiting")
    expect(page.locator(".event-log p")).to_have_text(["You take a1.", unseen, "You take b1."])


def test_battleship_by_clicks(page: Any, address: str) -> None:
    start(page, address, "battleship")
    own = page.get_by_role("grid", name="Your sea")
    own.locator("[data-square=a1]").click()
    expect(own.locator("[data-square=a1]")).to_have_attribute("aria-selected", "true")
    expect(own.locator(".cell.can:not(.picked)")).to_have_count(2)  # a2 and b1
    own.locator("[data-square=b1]").click()
    expect(own.locator("[data-piece=ship]")).to_have_count(2)
    other = page.get_by_role("grid", name="Random's sea")
    expect(other.locator(".cell.can")).to_have_count(6)
    expect(other.locator("[data-piece]")).to_have_count(0)
    other.locator("[data-square=c2]").click()
    expect(other.locator("[data-square=c2]")).to_have_attribute(
        "data-piece", re.compile("water|hit")
    )
    play_hand(page)
    check_end(page)
    board = page.get_by_test_id("view").first
    expect(board.locator(".hull")).to_have_count(4)  # both fleets


def test_battleship_by_keys(page: Any, address: str) -> None:
    start(page, address, "battleship")
    chosen_by_arrows(page)
    expect(page.locator(".cell.picked")).to_have_count(1)
    own = page.get_by_role("grid", name="Your sea")
    page.keyboard.press("ArrowDown")  # from a2 to a1
    page.keyboard.press("Enter")
    expect(own.locator("[data-piece=ship]")).to_have_count(2)
    to_end_by_arrows(page)
    check_end(page)


def test_goofspiel_by_clicks(page: Any, address: str) -> None:
    start(page, address, "goofspiel")
    mine = page.get_by_role("region", name="Your hand").first
    expect(mine.locator("button.card-face")).to_have_count(4)
    mine.locator("[data-card='2']").click()
    expect(page.locator(".tricks tbody tr")).to_have_count(1)
    expect(mine.locator("[data-card='2']")).to_have_count(0)
    play_hand(page)
    check_end(page)
    table = page.locator(".tricks").first
    expect(table.locator("tbody tr")).to_have_count(4)
    expect(table).not_to_contain_text("?")  # after the end all bids are shown


def test_goofspiel_by_keys(page: Any, address: str) -> None:
    start(page, address, "goofspiel")
    for card in ("3", "1", "4"):  # a key is the number of a card; the last card is played by itself
        is_over(page, "button.card-face")
        press(page, card)
    is_over(page, OVER)
    check_end(page)
    bids = page.locator(".tricks").first.locator("tbody td:nth-child(2)")
    expect(bids).to_have_text(["3", "1", "4", "2"])


def test_the_rules_at_a_table_have_the_numbers_of_this_game(page: Any, address: str) -> None:
    page.goto(f"{address}/play/phantom_ttt")
    page.click("[data-testid=start]")  # the usual version, on 3 × 3 squares
    page.get_by_test_id("rules-here").locator("summary").click()
    chosen = page.get_by_test_id("chosen")
    expect(chosen).to_contain_text("marks in a row that win: 3")
    expect(chosen).to_contain_text("marks after which the game is a draw: 9")
    expect(chosen).to_contain_text("whether trying an occupied square ends the turn: no")


def test_a_bid_that_waits_is_shown_after_a_reload(page: Any, address: str) -> None:
    page.goto(f"{address}/play/goofspiel")
    page.select_option("[data-testid=agent]", "a friend, by link")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    page.click("text=Go to the table")
    mine = page.get_by_role("region", name="Your hand").first
    mine.locator("[data-card='2']").click()
    for _ in range(2):
        expect(page.get_by_test_id("status")).to_contain_text("Waiting for the other player")
        expect(mine.locator("[data-card='2']")).to_have_class(re.compile("picked"))
        expect(mine.locator("button")).to_have_count(0)
        page.reload()


def test_liars_dice_by_clicks(page: Any, address: str) -> None:
    start(page, address, "liars_dice")
    expect(page.locator(".ladder .can")).to_have_count(12)
    page.click("[data-square='1x3']")
    expect(page.locator("[data-square='1x3']").first).to_have_attribute(
        "data-piece", re.compile("last|bid")
    )
    if not is_over(page, "[data-action=liar]"):
        page.click("[data-action=liar]")
    is_over(page, OVER)
    check_end(page)
    expect(page.get_by_test_id("view").first.locator(".die[data-piece]")).to_have_count(2)
    expect(page.locator(".event-log")).to_contain_text(re.compile("the bid was (true|a lie)"))


def test_liars_dice_by_keys(page: Any, address: str) -> None:
    start(page, address, "liars_dice")
    turn = page.get_attribute("[data-n]", "data-n")
    chosen_by_arrows(page)
    page.wait_for_function(_WAITING, arg=turn)
    if not is_over(page, "[data-action=liar]"):
        press(page, "1")  # the only button: to call it a lie
    is_over(page, OVER)
    check_end(page)


@pytest.mark.parametrize("game", ["matching_pennies", "rock_paper_scissors"])
@pytest.mark.parametrize("by", ["clicks", "keys"])
def test_a_choice(page: Any, address: str, game: str, by: str) -> None:
    start(page, address, game)
    second = page.locator("[data-action]").nth(1)
    name = second.get_attribute("data-action")
    if by == "clicks":
        second.click()
    else:
        press(page, "2")
    is_over(page, OVER)
    check_end(page)
    expect(page.locator("figure.pick").first).to_have_attribute("data-piece", str(name))
