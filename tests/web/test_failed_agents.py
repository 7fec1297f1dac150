"""Pages of games in which an agent fails and plays at random from there on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")

from playwright.sync_api import expect

from fogtree.web.storage import SPECTATOR
from tests.support.web_pages import opened_page
from tests.support.web_server import ServerProcess, running

pytestmark = pytest.mark.long

PROGRAM = """
import sys
from fogtree.agents import Decision
from fogtree.cli import main
from fogtree.errors import GameError
from fogtree.web.following import FollowingAgent

def act(self, budget):
    if self.agent.name == "greedy" or any(step.seat == self.seat for step in self._steps):
        raise GameError("no position fits")
    return Decision("a1")

FollowingAgent.act = act
sys.exit(main(sys.argv[1:]))
"""
"""A server whose agent ``greedy`` fails at once; others try a1 first and fail at their second
decision."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    data = tmp_path_factory.mktemp("web") / "web.sqlite3"
    with running(data, program=("-c", PROGRAM)) as found:
        yield found


def open_seat(page: Any, server: ServerProcess, game: dict[str, Any], seat: int) -> None:
    key = game["spectator_key"] if seat == SPECTATOR else game["keys"][str(seat)]
    page.goto(f"{server.address}/game/{game['id']}#seat={seat}&key={key}")


def resign(page: Any) -> None:
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")


def test_a_finished_game_of_chess_says_from_where_on_an_agent_played_at_random(
    page: Any, browser: Any, server: ServerProcess
) -> None:
    seats = [{}, {"agent": "greedy"}]
    game = server.post("/api/games", {"game": "fog_chess", "seats": seats})
    open_seat(page, server, game, 0)
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    page.click("[data-square=e2]")
    page.click("[data-square=e4]")
    failure = page.get_by_test_id("failure")
    expect(failure).to_have_text("Greedy failed and plays at random from here on.")
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    resign(page)
    expect(failure).to_have_text("Greedy failed and played at random from step 2 of 2 on.")
    with opened_page(browser) as watching:
        open_seat(watching, server, game, SPECTATOR)
        expect(watching.get_by_test_id("ply")).to_have_text("2 of 2")
        expect(watching.get_by_test_id("failure")).to_have_count(1)


def test_the_log_of_a_finished_game_has_the_failure_where_it_was(
    page: Any, browser: Any, server: ServerProcess
) -> None:
    """Its log has the attempts of the other player too, one of them before the failure."""
    seats = [{}, {"agent": "random"}]
    game = server.post("/api/games", {"game": "phantom_ttt", "seats": seats})
    open_seat(page, server, game, 0)
    page.click("[data-square=a1]")
    lines = page.get_by_role("log").locator("p")
    failed = "Random failed and plays at random from here on."
    unseen = "Random has marked a square; you cannot see which."
    expect(lines).to_have_text(["You mark a1.", failed, unseen])
    resign(page)
    tried, marked = "Random tries a1, which is taken.", re.compile(r"^Random marks \w\d\.$")
    expect(lines).to_have_text(["You mark a1.", tried, failed, marked])
    with opened_page(browser) as watching:
        open_seat(watching, server, game, SPECTATOR)
        told = "Random failed and played at random from step 3 of 3 on."
        expect(watching.get_by_test_id("failure")).to_have_text(told)
