"""Pictures of the web app's pages, taken in Chromium from a server that is started for them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from fogtree.arena.record import GameRecord
from pictures import FOLDER
from tests.support.web_pages import opened_page, started_browser
from tests.support.web_server import ServerProcess, running

WIDTH = 1180
MOVES = ("e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "h7h6", "d2d3", "d7d6", "c1g5", "b8c6")
LOSS = ("f2f3", "e7e5", "a2a3", "d8h4", "a3a4", "h4e1")
LOST = GameRecord("fog_chess", ("you", "person"), "", LOSS, (-1.0, 1.0))
"""A game in which White does not see the queen that takes the king."""


def draw() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "web.sqlite3"
        with running(data, "--runs", f"{folder}/runs") as server, started_browser() as browser:
            for scene in (chess, puzzle, review, lab, walk, training):
                with opened_page(browser, viewport={"width": WIDTH, "height": 900}) as page:
                    scene(page, server, Path(folder))


def shoot(page: Any, name: str, *, top: float = 0, height: float = 860) -> None:
    """Take a picture of a part of the page as wide as the window."""
    page.evaluate("window.scrollTo(0, 0)")
    area = {"x": 0, "y": top, "width": WIDTH, "height": height}
    page.screenshot(path=FOLDER / f"web_{name}.png", clip=area, full_page=True)


def above(page: Any, selector: str) -> float:
    """Where a part of the page begins, with a little room above it."""
    page.evaluate("window.scrollTo(0, 0)")
    return float(page.locator(selector).first.bounding_box()["y"]) - 12


def chess(page: Any, server: ServerProcess, folder: Path) -> None:
    """A game in its middle, with a look into the fog."""
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    links = [
        f"{server.address}/game/{game['id']}#seat={seat}&key={game['keys'][str(seat)]}"
        for seat in (0, 1)
    ]
    page.goto(links[0])
    other = page.context.new_page()
    other.goto(links[1])
    for ply, move in enumerate(MOVES):
        mover = (page, other)[ply % 2]
        mover.wait_for_selector("[data-testid=status]:has-text('Your turn')")
        mover.click(f"[data-square={move[:2]}]")
        mover.click(f"[data-square={move[2:4]}]")
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    page.check("[data-testid=look]")
    page.wait_for_selector(".arrow, [data-arrow], svg .arrows *")
    page.wait_for_timeout(4000)  # the search goes on for a while
    shoot(page, "chess")


def puzzle(page: Any, server: ServerProcess, folder: Path) -> None:
    page.goto(f"{server.address}/puzzles")
    page.wait_for_selector("[data-testid=status]")
    page.wait_for_selector("[data-piece]")
    shoot(page, "puzzle", height=800)


def review(page: Any, server: ServerProcess, folder: Path) -> None:
    """A game that was lost, analysed, at the move before the last."""
    file = folder / "game.jsonl"
    file.write_text(LOST.to_json(), encoding="utf-8")
    page.goto(f"{server.address}/open")
    page.set_input_files("[data-testid=record-file]", file)
    page.click("[data-testid=analyse-0]")
    page.wait_for_selector("[data-testid=verdicts]")
    page.wait_for_selector("text=decisions searched", state="detached")
    page.click("[data-testid=back]")
    page.wait_for_timeout(500)
    shoot(page, "review", height=980)


def lab(page: Any, server: ServerProcess, folder: Path) -> None:
    """Curves of Kuhn poker, and what is played with a king against a bet."""
    page.goto(f"{server.address}/lab")
    page.get_by_test_id("solve").click()
    page.get_by_test_id("exact").wait_for()
    page.get_by_test_id("status").filter(has_text="finished").wait_for()
    for outcome in ("J", "Q"):
        page.locator(f"[data-outcome={outcome}]").click()
    page.get_by_test_id("place").filter(has_text="decides at J").wait_for()
    page.wait_for_timeout(500)
    shoot(page, "lab", top=above(page, "[data-testid=status]"), height=1100)


def walk(page: Any, server: ServerProcess, folder: Path) -> None:
    """The last step of the second iteration, with the average strategy."""
    page.goto(f"{server.address}/walk?game=kuhn_poker&algorithm=cfr%2B&deals=JQ,QK")
    page.get_by_label("Step", exact=True).fill("7")
    page.get_by_test_id("standing").filter(has_text="end of iteration 2").wait_for()
    page.wait_for_timeout(500)
    whole = float(page.evaluate("document.documentElement.scrollHeight"))
    top = above(page, "[data-testid=previous]")
    shoot(page, "walk", top=top, height=whole - top)


def training(page: Any, server: ServerProcess, folder: Path) -> None:
    """Deep CFR on Leduc poker after forty iterations."""
    page.goto(f"{server.address}/arena")
    form = page.get_by_role("form", name="New training run")
    form.get_by_label("Game").select_option("leduc_poker")
    form.get_by_test_id("start-training").click()
    page.get_by_test_id("training").filter(has_text="iteration 40").wait_for()
    page.locator("[data-testid=runs-folder] code").evaluate("part => part.textContent = 'runs'")
    shoot(page, "training", top=above(page, "[aria-label='Training and saved runs']"), height=720)
