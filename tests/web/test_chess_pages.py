"""Chess in a real browser: a whole game, a look into the fog, the review with its analysis, and
what a page tells of the fog."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")

from tests.support.fog_chess_twins import Twins, twin_games
from tests.support.web_pages import opened_page
from tests.support.web_server import SECONDS, ServerProcess, running

LISTENING = """
window.heard = [];
window.AudioContext = class {
  currentTime = 0;
  createOscillator() {
    const tone = { frequency: {}, connect: (next) => next, start: (at) => heard.push(
      `${tone.type} ${tone.frequency.value} at ${at}`), stop: (at) => heard.push(`until ${at}`) };
    return tone;
  }
  createGain() {
    const gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
    return { gain, connect: (next) => next };
  }
};
"""
"""Writes the tones that a page plays down, instead of playing them."""
SHOWN = "plies => document.querySelectorAll('.move-list td > span').length === plies"
DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running(tmp_path_factory.mktemp("web") / "web.sqlite3") as found:
        yield found


def click_move(page: Any, move: str) -> None:
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    page.click(f"[data-square={move[:2]}]")
    page.click(f"[data-square={move[2:4]}]")
    page.wait_for_selector("[data-testid=status]:not(:has-text('Your turn'))")


def drag_move(page: Any, move: str) -> None:
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    page.drag_and_drop(f"[data-square={move[:2]}]", f"[data-square={move[2:4]}]")
    page.wait_for_selector("[data-testid=status]:not(:has-text('Your turn'))")


def seat_link(server: ServerProcess, game: dict[str, Any], seat: int) -> str:
    key = game["keys"][str(seat)]
    return f"{server.address}/game/{game['id']}#seat={seat}&key={key}"


def test_a_whole_game_from_the_first_move_to_the_last(
    browser: Any, page: Any, server: ServerProcess
) -> None:
    """Two browsers play until a king is taken, then one steps through the game."""
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page.goto(seat_link(server, game, 0))
    with opened_page(browser, viewport={"width": 390, "height": 844}) as other:
        other.goto(seat_link(server, game, 1))
        for ply, move in enumerate(("e2e4", "f7f6", "d1h5", "a7a6", "h5e8")):
            mover = (page, other)[ply % 2]
            (click_move, drag_move)[ply // 2 % 2](mover, move)
        for one, words in ((page, "You won: king captured."), (other, "You lost: king captured.")):
            one.wait_for_selector("[data-testid=from-all]")
            assert one.inner_text("[data-testid=status]") == words
    step_through(page)


def step_through(page: Any) -> None:
    """Replay: forwards and back, from either side and all-seeing."""
    assert page.inner_text("[data-testid=ply]") == "5 of 5"
    page.click("[data-testid=first]")
    assert page.locator("[data-piece]").count() == 32
    page.click("[data-testid=next]")
    assert page.get_attribute("[data-square=e4]", "data-piece") == "P"
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("[data-square=f6]", "data-piece") == "p"
    page.click("[data-testid=from-0]")
    assert page.get_attribute("[data-square=f6]", "data-piece") is None
    page.keyboard.press("End")
    page.click("[data-testid=back]")
    page.click("[data-testid=from-1]")
    assert page.get_attribute("[data-square=a6]", "data-piece") == "p"
    assert page.get_attribute("[data-square=h5]", "data-piece") is None
    page.click("[data-testid=from-all]")
    assert page.get_attribute("[data-square=h5]", "data-piece") == "Q"


def test_a_look_into_the_fog_and_the_analysis_afterwards(page: Any, server: ServerProcess) -> None:
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {"agent": "random"}]})
    page.goto(seat_link(server, game, 0))
    click_move(page, "a2a3")  # from here no answer of Black's is seen
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    page.check("[data-testid=look]")
    panel = page.locator(".fog-panel")
    panel.locator("tbody tr").first.wait_for()
    assert page.locator("[data-ghost]").count() > 10
    panel.get_by_label("Less likely board").click()
    panel.get_by_text("board 1 of").wait_for()
    panel.get_by_text("all together").click()
    panel.get_by_label("Show").select_option("k")
    page.wait_for_selector("[data-ghost=k]")
    ghosts = page.eval_on_selector_all("[data-ghost]", "all => all.map(e => e.dataset.ghost)")
    assert set(ghosts) == {"k"}
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.click("[data-testid=analyse-1]")
    page.click("[data-testid=back]")
    analysis = page.get_by_label("Analysis", exact=True)
    analysis.get_by_text("Played:").wait_for()
    shares = analysis.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert 95 < sum(float(share.rstrip(" %")) for share in shares) < 105
    assert analysis.locator("canvas, svg").count() > 0


def watched_game(
    page: Any, server: ServerProcess, twins: Twins, line: Sequence[str]
) -> list[tuple[str, str]]:
    """What the page of one seat shows and plays after every ply, while the other one is played by a
    program."""
    seats = [{}, {}]
    game = server.post("/api/games", {"game": "fog_chess", "seats": seats})
    page.goto(seat_link(server, game, twins.player))
    page.wait_for_selector("[data-testid=typed-move]")
    page.wait_for_timeout(500)  # sounds are for what happens while somebody watches
    page.click("h1", force=True)  # a browser plays sounds only after a click
    seen, at = [], 0
    with server.seat(game, 1 - twins.player) as other:
        for ply, move in enumerate(line):
            if ply % 2 == twins.player:
                page.fill("[data-testid=typed-move]", move)
                page.keyboard.press("Enter")
            while at < ply + 2:  # the view before this ply
                at = json.loads(other.recv(SECONDS)).get("n", at)
            if ply % 2 != twins.player:
                other.send(json.dumps({"type": "act", "at": at, "action": move}))
            page.wait_for_function(SHOWN, arg=ply + 1)
            page.evaluate(DRAWN)  # then the sound was played, too
            seen.append((page.inner_html("main"), json.dumps(page.evaluate("heard"))))
    return seen


def test_pages_of_twin_games_look_and_sound_the_same(browser: Any, server: ServerProcess) -> None:
    for number in range(2):
        twins = twin_games(number, 40 + number, 12)
        assert twins.first != twins.second
        games = []
        for line in (twins.first, twins.second):
            with opened_page(browser) as page:
                page.add_init_script(LISTENING)
                games.append(watched_game(page, server, twins, line))
        assert games[0] == games[1]
        assert len(json.loads(games[0][-1][1])) >= 2 * len(twins.first)
