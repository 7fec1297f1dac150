"""What a new visitor reads on the pages: reasons, rules, verdicts, and where own games are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")

from playwright.sync_api import expect

from fogtree.games.fog_chess.levels import LEVELS
from tests.support.web_pages import opened_page
from tests.support.web_server import SECONDS, ServerProcess, running

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("web")
    with running(folder / "web.sqlite3", "--runs", str(folder / "runs")) as found:
        yield found


def game_of_two(page: Any, server: ServerProcess) -> dict[str, Any]:
    """A game of chess whose white side is opened on the page."""
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page.goto(f"{server.address}/game/{game['id']}#seat=0&key={game['keys']['0']}")
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")
    return game


def play_black(server: ServerProcess, game: dict[str, Any], move: str) -> None:
    """A move of the other side, made by a program when it is its turn."""
    with server.seat(game, 1) as black:
        event: dict[str, Any] = {}
        while not event.get("turn"):
            event = json.loads(black.recv(SECONDS))
        black.send(json.dumps({"type": "act", "at": event["n"], "action": move}))
        while event.get("turn") is not False:
            event = json.loads(black.recv(SECONDS))


def game_choice(page: Any) -> Any:
    return page.locator("label:has-text('Game') > select").first


def resign(page: Any) -> None:
    page.get_by_test_id("resign").click()
    page.get_by_test_id("confirm-resign").click()


def test_a_game_that_does_not_exist_or_is_not_ours(page: Any, server: ServerProcess) -> None:
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    said = []
    for name in (game["id"], "AAAAAAAAAAAA"):
        page.goto(f"{server.address}/game/{name}#seat=0&key=wrong")
        expect(page.get_by_test_id("shut")).to_contain_text("check that it is complete")
        expect(page.get_by_role("heading")).to_have_text("There is no such game for you")
        said.append(page.locator("main").inner_text())
    assert said[0] == said[1]
    page.get_by_role("link", name="first page").click()
    expect(page.get_by_role("heading", name="All games")).to_be_visible()


def test_a_click_that_does_nothing_says_why(page: Any, server: ServerProcess) -> None:
    game_of_two(page, server)
    status = page.get_by_test_id("status")
    page.locator("[data-square=g1]").click()
    page.locator("[data-square=g3]").click()
    expect(status).to_contain_text("The knight on g1 cannot go to g3.")
    page.locator("[data-square=a1]").click()
    expect(status).to_contain_text("The rook on a1 has no move now.")
    page.locator("[data-square=e8]").click()  # in the fog, whatever stands there
    expect(status).to_contain_text("The rook on a1 cannot go to e8.")
    page.locator("[data-square=e8]").click()
    expect(status).to_contain_text("Choose one of your own pieces first.")
    page.locator("[data-square=e2]").click()
    expect(status).to_have_text("Your turn. Waiting for your friend to come to the board.")


def test_the_first_move_can_be_made_before_the_game_is_there(
    page: Any, server: ServerProcess
) -> None:
    page.goto(f"{server.address}/chess")
    preview = page.get_by_test_id("preview")
    expect(preview).to_contain_text("make your first move here")
    page.locator("[data-square=e2]").click()
    page.locator("[data-square=e5]").click()
    expect(preview).to_have_text("The pawn on e2 cannot go to e5.")
    page.get_by_test_id("side").select_option("black")
    expect(preview).to_contain_text("This is a preview")
    page.locator("[data-square=e7]").click()
    expect(page.locator(".picked")).to_have_count(0)
    page.get_by_test_id("side").select_option("white")
    page.get_by_test_id("strength").fill("1")
    page.locator("[data-square=g1]").click()
    page.locator("[data-square=f3]").click()
    expect(page.locator("[data-square=f3][data-piece=N]")).to_be_visible()
    expect(page.get_by_test_id("status")).to_contain_text(
        re.compile(r"Your turn\. (You saw|Now you see|The other side has moved)")
    )
    assert "/game/" in page.url
    expect(page.locator(".player-bar", has_text="fogtree level 1")).to_be_visible()


def test_the_strengths_are_those_of_the_server_and_the_choice_is_kept(
    page: Any, address: str
) -> None:
    page.goto(address)
    page.evaluate("localStorage.setItem('fogtree.strength', '6')")  # of an earlier version
    page.evaluate("localStorage.setItem('fogtree.level', 'eleven')")
    page.goto(f"{address}/chess")
    strength = page.get_by_test_id("strength")
    expect(strength).to_have_value("4")
    expect(strength).to_have_attribute("max", str(len(LEVELS)))
    for number, level in enumerate(LEVELS, 1):
        strength.fill(str(number))
        text = f"{number}, {level.name} (Elo {level.elo})"
        expect(page.get_by_text(f"Strength: {text}")).to_be_visible()
        expect(strength).to_have_attribute("aria-valuetext", text)
        expect(page.get_by_test_id("start")).to_have_text(f"Play against level {number}")
    strength.fill("2")
    page.get_by_test_id("start").click()
    expect(page.locator(".player-bar", has_text="fogtree level 2")).to_be_visible()
    page.goto(f"{address}/chess")
    expect(strength).to_have_value("2")


def test_the_page_for_analyses_shows_the_position_before_it_is_searched(
    page: Any, server: ServerProcess
) -> None:
    page.goto(f"{server.address}/analyse")
    expect(page.locator("[data-piece]")).to_have_count(32)
    shown = page.get_by_test_id("shown-position")
    expect(shown).to_contain_text("The usual first position")
    expect(page.get_by_test_id("rules").locator("option")).to_have_text(
        [
            re.compile(
                rf"^{name}: (without a legal move (you (lose|win)|it is a draw)|as OpenSpiel)"
            )
            for name in (
                r"chess\.com \(usual\)",
                "Stalemate wins",
                "OpenSpiel",
                "Fairy-Stockfish",
                "Attacks",
            )
        ]
    )
    fen = page.get_by_test_id("analyse-fen")
    fen.fill("4k3/8/8")
    expect(shown).to_contain_text("not a whole position yet")
    expect(page.get_by_test_id("analyse")).to_be_disabled()
    fen.fill("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
    expect(shown).to_contain_text("which both sides know")
    expect(page.locator("[data-piece]")).to_have_count(3)
    expect(page.get_by_test_id("analyse")).to_be_enabled()
    fen.fill("8/8/8/8/8/8/8/8 w - - 0 1")  # it is checked before anybody presses Analyse
    expect(page.get_by_role("alert")).to_have_text("A position needs at least one king.")
    expect(page.get_by_test_id("analyse")).to_be_disabled()
    expect(shown).to_have_text("The position. It cannot be searched.")
    fen.fill("4k3/8/8/8/8/8/8/8 b - - 0 1")
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"^.{10,}$"))
    fen.fill("")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_test_id("analyse")).to_be_enabled()


def test_candidates_are_explained_and_sorted_in_one_way(page: Any, server: ServerProcess) -> None:
    page.goto(f"{server.address}/analyse?fen=4k3/8/8/8/8/8/4P3/R3K3%20w%20-%20-%200%201")
    page.get_by_test_id("status").filter(has_text="The search is done").wait_for()
    rows = page.locator("section[aria-label=Analysis] tbody tr").all()
    cells = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]
    shares = [int(row[1].rstrip(" %").split()[-1]) for row in cells]
    assert shares == sorted(shares, reverse=True)
    assert len({len(row[3].lstrip("+-")) for row in cells}) == 1  # equally many decimals
    assert not any(float(row[3]) == 0 and row[3][0] in "+-" for row in cells)
    note = page.get_by_test_id("candidates-note")
    for words in (
        "share of times",
        "Solver's mix is the strategy that the solver calculated",
        "at most three moves of that mix",
        "Only one position is possible, but the other side may still not see everything",
        "result it expects",
        "other legal moves are not listed",
    ):
        expect(note).to_contain_text(words)


def test_the_own_last_move_stays_marked(page: Any, server: ServerProcess) -> None:
    game = game_of_two(page, server)
    for square in ("e2", "e4"):
        page.locator(f"[data-square={square}]").click()
    expect(page.locator("[data-square=e4]")).to_have_class(re.compile(r"\blast\b"))
    play_black(server, game, "g8f6")
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")
    for square in ("e2", "e4"):
        expect(page.locator(f"[data-square={square}]")).to_have_class(re.compile(r"\blast\b"))
    expect(page.locator(".square.last")).to_have_count(2)  # nothing of the other side's move


def test_sounds_are_a_switch(page: Any, server: ServerProcess) -> None:
    game_of_two(page, server)
    switch = page.get_by_label("Sounds")
    expect(switch).to_be_checked()
    switch.uncheck()
    page.reload()
    expect(page.get_by_label("Sounds")).not_to_be_checked()


def test_a_review_has_a_verdict_on_each_move_and_keeps_it(page: Any, server: ServerProcess) -> None:
    game = game_of_two(page, server)
    for square in ("e2", "e4"):
        page.locator(f"[data-square={square}]").click()
    play_black(server, game, "e7e5")
    expect(page.get_by_test_id("status")).to_contain_text("Your turn")
    resign(page)
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    expect(page.get_by_test_id("analyse-1")).to_have_text("Analyse Black's moves")
    mine = page.get_by_test_id("analyse-0")
    expect(mine).to_have_text("Analyse my moves")
    mine.click()
    page.get_by_role("button", name="e4", exact=True).click()
    verdict = page.get_by_test_id("advice")
    expect(verdict).to_contain_text("Played: e4. The search would have played")
    expect(page.get_by_text("decisions searched")).to_have_count(0)  # the analysis is complete
    words = verdict.inner_text()
    page.reload()
    expect(verdict).to_have_text(words)
    page.get_by_role("button", name="Before this move").click()
    expect(page.get_by_test_id("ply")).to_have_text("0 of 2")
    expect(verdict).to_have_text(words.replace("Played:", "Next, White played"))
    expect(page.get_by_test_id("tree-growth")).to_contain_text("A node is a position")
    safety = page.get_by_test_id("safety")
    expect(safety.locator("summary")).to_have_text(
        re.compile("^(One move is|The plan is safe|A mix of moves)")
    )
    expect(safety.get_by_text("p_max")).to_be_hidden()
    safety.locator("summary").press("Enter")
    expect(safety.get_by_text("p_max")).to_be_visible()
    meanings = page.get_by_test_id("meanings")
    expect(meanings.get_by_text("It is an estimate")).to_be_hidden()
    meanings.locator("summary").press("Enter")
    expect(meanings.get_by_text("It is an estimate")).to_be_visible()


def test_the_first_page_lists_the_games_of_this_browser(page: Any, server: ServerProcess) -> None:
    page.goto(server.address)
    expect(page.get_by_role("heading", name="All games")).to_be_visible()
    expect(page.get_by_test_id("recent")).to_have_count(0)
    game = game_of_two(page, server)
    page.get_by_role("link", name="fogtree").click()
    row = page.get_by_test_id("recent").get_by_role("listitem")
    expect(row).to_contain_text("Go on: Fog-of-War chess")
    expect(row).to_contain_text("White against person. Not finished.")
    expect(row.get_by_role("link")).to_have_count(1)
    row.get_by_text("Not finished.").click()  # the whole line is the link
    expect(page).to_have_url(re.compile(game["id"]))
    resign(page)
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    page.get_by_role("link", name="fogtree").click()
    expect(row).to_contain_text("Review: Fog-of-War chess")
    expect(row).to_contain_text("You lost: you resigned.")


def test_the_list_says_how_a_game_ended_while_one_was_away(
    page: Any, server: ServerProcess
) -> None:
    game = game_of_two(page, server)
    page.get_by_role("link", name="fogtree").click()
    row = page.get_by_test_id("recent").get_by_role("listitem")
    expect(row).to_contain_text("Not finished.")
    with server.seat(game, 1) as black:
        black.send(json.dumps({"type": "resign"}))
        while json.loads(black.recv(SECONDS))["type"] != "over":
            pass
    page.reload()
    expect(row).to_contain_text("Review: Fog-of-War chess")
    expect(row).to_contain_text("You won: black resigned.")
    page.evaluate(
        "id => localStorage.setItem('fogtree.seat.' + id, JSON.stringify({seat: 0, key: 'x'}))",
        game["id"],
    )
    page.evaluate(
        """id => localStorage.setItem('fogtree.game.' + id,
            JSON.stringify({game: 'fog_chess', players: 'White', when: 0}))""",
        game["id"],
    )
    page.reload()
    expect(row).to_contain_text("It is not on this server any more.")


def test_several_hands_are_one_line_of_the_list(page: Any, server: ServerProcess) -> None:
    page.goto(f"{server.address}/play/kuhn_poker")
    expect(page.get_by_test_id("rules")).to_contain_text("the higher card takes it")
    page.get_by_text("Who can you play against?").click()
    expect(page.get_by_text("Plays an exact equilibrium of a small game")).to_be_visible()
    page.get_by_test_id("start").click()
    for hand in range(2):
        resign(page)
        if hand == 0:  # we are the first player: nobody has acted
            told = "before anybody acted (first player resigned), so there is nothing to compare"
            expect(page.get_by_test_id("equilibrium")).to_contain_text(told)
            whole = page.get_by_role("region", name="The whole hand")
            expect(whole).to_contain_text(
                re.compile("The second player is dealt the (jack|queen|king)")
            )
            expect(whole).to_contain_text("First player resigned.")
        page.get_by_test_id("next-hand").click()
        expect(page.get_by_test_id("next-hand")).to_have_count(0)
    resign(page)
    expect(page.get_by_test_id("score")).to_contain_text("in 3 hands")
    expect(page.get_by_test_id("equilibrium")).to_contain_text(
        re.compile(r"at least the game's value in the long run: [+-]0\.06 per hand in this seat")
    )
    page.get_by_role("link", name="fogtree").click()
    row = page.get_by_test_id("recent").get_by_role("listitem")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Score -3 in 3 hands.")


def test_the_lab_says_what_it_can_solve_and_how(page: Any, server: ServerProcess) -> None:
    page.goto(f"{server.address}/lab")
    expect(page.get_by_text("CFR that forgets negative regret at once")).to_be_visible()
    expect(page.get_by_test_id("too-large")).to_have_count(0)
    game_choice(page).select_option("fog_chess")
    expect(page.get_by_test_id("too-large")).to_contain_text("is too large to be solved here")
    expect(page.get_by_test_id("solve")).to_be_disabled()
    game_choice(page).select_option("cambia")
    expect(page.get_by_test_id("too-large")).to_contain_text("fogtree solve cambia --algorithm")
    expect(page.get_by_test_id("solve")).to_be_disabled()
    expect(page.get_by_test_id("too-large").get_by_role("link", name="arena")).to_be_visible()
    game_choice(page).select_option("leduc_poker")
    expect(page.get_by_test_id("too-large")).to_have_count(0)
    expect(page.get_by_test_id("solve")).to_be_enabled()


def test_the_walk_through_follows_each_choice(page: Any, server: ServerProcess) -> None:
    page.goto(f"{server.address}/walk")
    where = page.get_by_test_id("where")
    expect(where).to_contain_text("deal JQ")
    expect(page.get_by_test_id("names-note")).to_contain_text("your card, then what was done")
    page.get_by_role("button", name="KJ", exact=True).click()
    expect(page.get_by_label("Deals, one per iteration")).to_have_value("JQ, JK, KJ")
    expect(where).to_contain_text("Step 1 of 12")  # the steps with the third deal are shown
    page.get_by_role("slider", name="Step").press("End")
    expect(where).to_contain_text("deal KJ")
    game_choice(page).select_option("leduc_poker")
    expect(page.locator("[data-infoset]").first).to_have_attribute(
        "data-infoset", re.compile("s|h")
    )
    game_choice(page).select_option("fog_chess")
    expect(page.get_by_test_id("too-large")).to_contain_text("too large")
    expect(page.get_by_role("button", name="Show")).to_be_disabled()
    expect(where).to_have_count(0)  # no steps of another game
    game_choice(page).select_option("kuhn_poker")
    expect(where).to_contain_text("Step 1 of ")
    page.get_by_role("slider", name="Step").press("End")
    deals = page.get_by_label("Deals, one per iteration")
    deals.fill("KQ, QJ, JK, JQ")
    deals.press("Enter")
    expect(where).to_contain_text("Step 1 of 16 · iteration 1 · deal KQ")


def test_the_walk_through_says_that_it_is_being_prepared(page: Any, server: ServerProcess) -> None:
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/api/walk", hold)
    page.goto(f"{server.address}/walk")
    expect(page.get_by_test_id("working")).to_have_text("Preparing the steps…")
    for one in held:
        one.continue_()
    expect(page.get_by_test_id("where")).to_be_visible()
    expect(page.get_by_test_id("working")).to_have_text("")


def test_the_numbers_of_a_step_fit_a_phone(browser: Any, server: ServerProcess) -> None:
    with opened_page(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{server.address}/walk")
        expect(page.get_by_test_id("where")).to_be_visible()
        width = "table => [table.scrollWidth, table.parentElement.clientWidth]"
        needed, there = page.get_by_test_id("numbers").evaluate(width)
        assert needed <= there


def test_forms_are_folded_on_a_phone(browser: Any, server: ServerProcess) -> None:
    """The steps are on the first screen of a phone, and the form is one line that unfolds."""
    with opened_page(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{server.address}/walk")
        expect(page.get_by_test_id("where")).to_be_in_viewport()
        fold = page.get_by_test_id("fold")
        expect(fold.locator("summary").first).to_contain_text("Kuhn poker, cfr+, deals JQ, JK")
        expect(page.get_by_label("Algorithm")).not_to_be_visible()
        fold.locator("summary").first.click()
        page.get_by_label("Algorithm").select_option("cfr")
        expect(fold.locator("summary").first).to_contain_text("Kuhn poker, cfr, deals")
        page.goto(f"{server.address}/lab")
        expect(page.get_by_label("pcfr+", exact=True)).not_to_be_visible()
        page.get_by_text("Algorithms: cfr, cfr+, dcfr").click()
        page.get_by_label("pcfr+", exact=True).check()
        page.get_by_text("Algorithms: cfr, cfr+, dcfr, pcfr+").wait_for()
        page.set_viewport_size({"width": 1280, "height": 900})
        expect(page.get_by_test_id("fold")).to_have_count(0)
        expect(page.get_by_label("pcfr+", exact=True)).to_be_checked()


def test_the_arena_says_where_runs_are(page: Any, server: ServerProcess) -> None:
    page.goto(f"{server.address}/arena")
    expect(page.get_by_test_id("runs-folder")).to_contain_text("/runs on the machine")
