"""Every page on a phone and on a desk, light and dark: axe-core finds nothing serious, nothing
sticks out, and no request leaves the server."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from fogtree.arena.record import GameRecord
from tests.support.web_pages import (
    QUEEN,
    choose,
    look_event,
    play_hand,
    say_of_analyses,
    start_chess,
)

pytestmark = pytest.mark.long

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
WIDTHS = (390, 1280)
SCHEMES = ("light", "dark")
RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core on whose findings a colour scheme has an influence."""
LARGEST_FIRST_PAGE = 300_000  # bytes
SOON = ("pass", "cambia", "discard")
"""Actions that end a hand of Cambia soon."""


def home(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".games a")


def new_chess(page: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.click("summary")
    page.select_option("[data-testid=against]", "friend")
    page.click("[data-testid=start]")
    page.wait_for_selector("[data-testid=invitation]")


def running_chess(page: Any, address: str) -> None:
    start_chess(page, address)
    page.check("[data-testid=look]")
    page.click("[data-square=e2]")
    page.click("[data-square=d2]", button="right")
    page.wait_for_selector(".fog-panel tbody tr")


def promotion(page: Any, address: str) -> None:
    start_chess(page, address, "7k/P6p/8/8/8/8/8/K7 w - - 0 1")
    page.click("[data-square=a7]")
    page.click("[data-square=a8]")
    page.wait_for_selector("[data-promotion=q]")


def chess_review(page: Any, address: str) -> None:
    start_chess(page, address)
    page.click("[data-square=e2]")
    page.click("[data-square=e4]")
    page.wait_for_selector("[data-square=e4][data-piece=P]")
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.click("[data-testid=analyse-0]")
    page.click("[data-testid=first]")
    page.wait_for_selector("[aria-label=Analysis] tbody tr")


def new_cambia(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("summary")


def running_cambia(page: Any, address: str) -> None:
    page.goto(f"{address}/cambia")
    page.click("[data-testid=start]")
    while True:  # the other player may begin, and then there may be something to snap
        offered = page.wait_for_selector("[data-action=draw], [data-action=pass]")
        action = offered.get_attribute("data-action")
        choose(page, action)
        if action == "draw":
            break
    page.wait_for_selector("button.card-face")  # own cards can be chosen
    page.click("summary:has-text('Card values')")


def cambia_review(page: Any, address: str) -> None:
    running_cambia(page, address)
    play_hand(page, *SOON)
    page.wait_for_selector("[data-testid=ply]")


def table(page: Any, address: str) -> None:
    page.goto(f"{address}/play/leduc_poker")
    page.select_option("[data-testid=agent]", "random")
    page.click("[data-testid=start]")
    page.wait_for_selector("[data-action]")


def drawn_table(page: Any, address: str, game: str, choices: int) -> None:
    """A drawn game after some choices, in the own turn or at its end."""
    page.goto(f"{address}/play/{game}")
    page.select_option("[data-testid=agent]", "random")
    page.click("[data-testid=start]")
    for _ in range(choices):
        choose(page)
    page.wait_for_selector(".cell.can, button.card-face, [data-action], [data-testid=next-hand]")


def phantom_ttt(page: Any, address: str) -> None:
    drawn_table(page, address, "phantom_ttt", 2)


def dark_hex(page: Any, address: str) -> None:
    drawn_table(page, address, "dark_hex", 2)


def dark_hex_review(page: Any, address: str) -> None:
    drawn_table(page, address, "dark_hex", 2)
    play_hand(page)
    page.wait_for_selector(".knew")


def placing_ships(page: Any, address: str) -> None:
    drawn_table(page, address, "battleship", 1)


def battleship(page: Any, address: str) -> None:
    drawn_table(page, address, "battleship", 3)


def goofspiel(page: Any, address: str) -> None:
    drawn_table(page, address, "goofspiel", 2)


def liars_dice(page: Any, address: str) -> None:
    drawn_table(page, address, "liars_dice", 1)


def choice_game(page: Any, address: str) -> None:
    drawn_table(page, address, "rock_paper_scissors", 0)


def choice_game_over(page: Any, address: str) -> None:
    drawn_table(page, address, "matching_pennies", 1)
    page.wait_for_selector("[data-testid=ply]")


def hand_over(page: Any, address: str) -> None:
    table(page, address)
    play_hand(page)
    page.wait_for_selector("[data-testid=ply]")


def lab(page: Any, address: str) -> None:
    page.goto(f"{address}/lab")
    page.get_by_test_id("solve").click()
    page.get_by_test_id("exact").wait_for()
    page.get_by_test_id("status").filter(has_text="finished").wait_for()
    page.locator("[data-outcome=K]").click()
    page.locator("[data-outcome=J]").click()
    page.locator("[data-action=bet]").wait_for()
    for name in ("infosets", "differences"):
        page.get_by_test_id(name).locator("summary").click()


def lab_panels(page: Any, address: str) -> None:
    page.goto(f"{address}/lab")
    page.locator("form select").first.select_option("cambia")
    page.locator(".parameters summary").first.click()
    page.locator(".own-game summary").click()


def training(page: Any, address: str) -> None:
    page.goto(f"{address}/arena")
    form = page.get_by_role("form", name="New training run")
    form.get_by_label("Minutes").fill("0.05")
    form.get_by_label("Walks per iteration").fill("10")
    page.get_by_test_id("start-training").click()
    page.get_by_test_id("go-on").wait_for()


def walk(page: Any, address: str) -> None:
    page.goto(f"{address}/walk")
    page.get_by_test_id("where").filter(has_text="Step 1 of").wait_for()
    page.get_by_test_id("next").click()


def arena(page: Any, address: str) -> None:
    page.goto(f"{address}/arena")
    page.get_by_label("Games per pair").fill("10")
    page.get_by_test_id("start-match").click()
    page.get_by_test_id("ratings").wait_for()


def puzzle(page: Any, address: str) -> None:
    page.goto(f"{address}/puzzles")
    page.wait_for_selector("[data-testid=give-up]")


def puzzle_answer(page: Any, address: str) -> None:
    puzzle(page, address)
    page.click("[data-testid=give-up]")
    page.wait_for_selector("[data-testid=verdict]")


def opened_record(page: Any, address: str) -> None:
    losses = {0: 0.0, 2: 0.2, 4: 0.4}
    looks = [look_event(ply, QUEEN.steps[ply], loss) for ply, loss in losses.items()]
    hidden = {"type": "surprise", "ply": 4, "kind": "hidden", "text": "A queen stood there."}
    lost = {"type": "surprise", "ply": 6, "kind": "loss", "text": "White lost the king on e1."}
    say_of_analyses(page, [*looks, hidden, lost])
    page.goto(f"{address}/open")
    file = {"name": "a.jsonl", "mimeType": "text/plain", "buffer": QUEEN.to_json().encode()}
    page.set_input_files("[data-testid=record-file]", file)
    page.click("[data-testid=analyse-0]")
    page.wait_for_selector("[data-testid=surprises] li")


def list_of_records(page: Any, address: str) -> None:
    record = GameRecord("fog_chess", ("a", "b"), "", ("e2e4",), (-1.0, 1.0), resigned=0)
    text = "\n".join([record.to_json()] * 3)
    page.goto(f"{address}/open")
    file = {"name": "a.jsonl", "mimeType": "text/plain", "buffer": text.encode()}
    page.set_input_files("[data-testid=record-file]", file)
    page.wait_for_selector("[data-game='3']")


def analysed_position(page: Any, address: str) -> None:
    page.goto(f"{address}/analyse?fen=4k3/P6p/8/8/8/8/p6P/4K2R w K - 0 1")
    page.wait_for_selector("text=The search is done")


def compared_hand(page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    page.click("[data-testid=start]")
    play_hand(page)
    page.wait_for_selector("[data-testid=compared]")


def closed_game(page: Any, address: str) -> None:
    page.goto(f"{address}/game/nothing")
    page.get_by_role("alert").wait_for()


PAGES: tuple[Callable[[Any, str], None], ...] = (
    home,
    new_chess,
    running_chess,
    promotion,
    chess_review,
    new_cambia,
    running_cambia,
    cambia_review,
    table,
    phantom_ttt,
    dark_hex,
    dark_hex_review,
    placing_ships,
    battleship,
    goofspiel,
    liars_dice,
    choice_game,
    choice_game_over,
    hand_over,
    puzzle,
    puzzle_answer,
    opened_record,
    list_of_records,
    analysed_position,
    compared_hand,
    lab,
    lab_panels,
    training,
    walk,
    arena,
    closed_game,
)


def serious_findings(page: Any, rules: list[str] | None = None) -> list[str]:
    """What axe-core calls serious or critical on the page as it is now, by all rules or by some."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    run = "options => axe.run(document, options).then((found) => found.violations)"
    found = page.evaluate(run, options)
    return [
        f"{rule['id']} at {node['target']}: {node['failureSummary']}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def load_axe(page: Any) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: run  npm ci  in web/")
    page.evaluate(AXE.read_text())


def shown_as(page: Any, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


@pytest.mark.parametrize("open_page", PAGES, ids=lambda one: one.__name__)
def test_a_page_fits_and_axe_finds_nothing_serious(
    page: Any, address: str, open_page: Callable[[Any, str], None]
) -> None:
    shown_as(page, WIDTHS[0], SCHEMES[0])
    open_page(page, address)
    for width in WIDTHS:
        shown_as(page, width, SCHEMES[0])
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    load_axe(page)
    findings = []
    for width, scheme in product(WIDTHS, SCHEMES):
        shown_as(page, width, scheme)
        rules = None if scheme == SCHEMES[0] else RULES_OF_COLOURS
        findings += [f"{width} {scheme} {one}" for one in serious_findings(page, rules)]
    assert findings == []


def test_axe_notices_a_control_without_a_name(page: Any, address: str) -> None:
    home(page, address)
    load_axe(page)
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    (finding,) = serious_findings(page)
    assert "label" in finding


def test_axe_notices_pale_text(page: Any, address: str) -> None:
    home(page, address)
    load_axe(page)
    shown_as(page, WIDTHS[0], SCHEMES[1])
    page.evaluate("document.querySelector('h1').style = 'color: #333; background: #222'")
    (finding,) = serious_findings(page, RULES_OF_COLOURS)
    assert "color-contrast" in finding


def test_the_first_page_is_small_and_comes_from_the_server_alone(page: Any, address: str) -> None:
    sizes: dict[str, int] = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    asked: dict[str, str] = {}
    session.on(
        "Network.requestWillBeSent", lambda e: asked.update({e["requestId"]: e["request"]["url"]})
    )
    session.on(
        "Network.loadingFinished",
        lambda e: sizes.update({asked[e["requestId"]]: int(e["encodedDataLength"])}),
    )
    home(page, address)
    page.wait_for_load_state("networkidle")
    assert all(url.startswith((f"{address}/", "data:")) for url in asked.values())
    assert {url.partition("?")[0] for url in sizes} >= {
        f"{address}/{name}" for name in ("", "static/app.js", "static/app.css", "api/games")
    }
    assert sum(sizes.values()) < LARGEST_FIRST_PAGE
