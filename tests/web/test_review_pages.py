"""Puzzles, opened records, links to positions, surprises and equilibria in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

import fogtree
from fogtree.games.fog_chess.pgn import write_pgn
from fogtree.games.fog_chess.puzzles import puzzles
from tests.support.web_pages import (
    FAR_AWAY,
    QUEEN,
    boxes,
    choose,
    look_event,
    next_hand,
    opened_page,
    play_hand,
    say_of_analyses,
)
from tests.support.web_server import running

pytestmark = pytest.mark.long

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


SNAP_OR_TURN = """() => {
    const table = document.querySelector("[data-n]");
    const snap = table?.querySelector("[data-testid=snap-clock]") != null;
    const turn = table?.querySelector("[data-action=draw], [data-action=discard]") != null;
    return (snap || turn) && {n: table.dataset.n, snap};
}"""
"""What is asked for in a hand of Cambia: whether to snap, or what to do in the own turn."""


def fits(page: Any) -> bool:
    """Whether nothing is wider than the window."""
    width: int = page.evaluate("() => document.documentElement.scrollWidth")
    return width <= int(page.viewport_size["width"])


def open_file(page: Any, address: str, file: Path) -> None:
    page.goto(f"{address}/open")
    page.set_input_files("[data-testid=record-file]", file)


def test_the_list_of_jobs_leads_to_the_reviews_of_this_browser(
    page: Any, browser: Any, address: str, tmp_path: Path
) -> None:
    """The page asks for them again if the server did not answer. Others see when an analysis was
    started, and no link."""
    file = tmp_path / "game.pgn"
    file.write_text(write_pgn(QUEEN))
    open_file(page, address, file)
    page.click("[data-testid=analyse-0]")
    page.wait_for_selector("[data-testid=verdicts]")
    review = page.url.partition("?")[0]
    asked: list[Any] = []

    def fail_once(route: Any) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(status=400, json={"error": "not now"})
        else:
            route.continue_()

    page.route("**/api/own-analyses", fail_once)
    page.goto(f"{address}/arena")
    analyses = page.get_by_role("region", name="Jobs").locator("li", has_text="Analysis")
    expect(analyses.first).to_contain_text(re.compile(r"started (just now|\d+ minutes ago)"))
    expect(analyses.first).to_contain_text(re.compile("all decisions of (white|black), started"))
    analyses.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(re.escape(review)))
    with opened_page(browser) as other:
        other.goto(f"{address}/arena")
        theirs = other.get_by_role("region", name="Jobs").locator("li", has_text="Analysis").first
        expect(theirs).to_contain_text(re.compile(r"started (just now|\d+ minutes ago)"))
        expect(theirs.get_by_role("link")).to_have_count(0)
        expect(theirs).to_contain_text("Analysis of somebody else, started")


def test_a_puzzle_is_solved_by_clicks_and_the_next_one_by_keyboard(page: Any, address: str) -> None:
    first, second = puzzles()[:2]
    fog = page.locator(".square.fog")
    page.goto(f"{address}/puzzles")
    page.wait_for_selector(f"text=Puzzle 1 of {len(puzzles())}")
    assert page.url.endswith(f"/puzzles/{first.id}")
    expect(fog.first).to_be_visible()
    for label in page.locator(".taken").evaluate_all("all => all.map(one => one.ariaLabel)"):
        assert re.fullmatch(r"has taken( nothing that you know of|: (\w+ \w+, )*\w+ \w+)", label)
    page.click("summary:has-text('What do stripes and ? mean?')")
    for form in ("striped square", "?xe4", "?c5", "h2-?"):
        expect(page.get_by_test_id("notation")).to_contain_text(form)
    page.click("[data-testid=back]")  # what was seen before; nothing can be moved there
    page.click("[data-testid=last]")
    page.click(f"[data-square={first.best.action[:2]}]")
    page.click(f"[data-square={first.best.action[2:4]}]")
    page.wait_for_selector("[data-testid=verdict]:has-text('Right')")
    expect(fog).to_have_count(0)  # the truth is shown
    played = f"[data-square={first.best.action[2:4]}][data-piece]"
    expect(page.locator(played)).to_be_visible()  # the move is on the board
    expect(page.locator(f"[data-square={first.best.action[:2]}][data-piece]")).to_have_count(0)
    page.uncheck("[data-testid=truth]")
    expect(fog.first).to_be_visible()
    page.wait_for_selector("[data-testid=puzzle-score]:has-text('1 right, 0 wrong')")
    page.keyboard.press("n")
    page.wait_for_selector(f"text=Puzzle 2 of {len(puzzles())}")
    legal = {move.action: move for move in second.moves}
    wrong = next(move for move in legal if move != second.best.action and len(move) == 4)
    page.fill("[data-testid=typed-move]", wrong)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-testid=verdict]:has-text('Not the best')")
    expect(page.get_by_test_id("reply")).to_contain_text("would play")
    page.wait_for_selector("[data-testid=puzzle-score]:has-text('1 right, 1 wrong')")
    page.reload()  # the answer is kept, the puzzle is asked again
    page.wait_for_selector("[data-testid=puzzle-score]:has-text('1 right, 1 wrong')")
    note = page.get_by_text("before your first try, the puzzle counts as wrong.")
    expect(page.get_by_test_id("give-up")).to_be_enabled()
    expect(note).to_have_count(0)  # it has been answered
    page.get_by_role("button", name="Skip").click()
    expect(note).to_be_visible()
    page.go_back()
    page.wait_for_selector(f"text=Puzzle 2 of {len(puzzles())}")
    page.click("[data-testid=give-up]")
    expect(page.locator("table caption", has_text="The best moves")).to_have_text("The best moves")
    page.click("text=Play on after")
    page.wait_for_selector("[data-testid=start]")
    after = second.history().end.child(second.best.action)
    expect(page.get_by_label("Start from")).to_have_value(after.fen)
    page.go_back()
    page.click("[data-testid=forget]")
    page.wait_for_selector("[data-testid=puzzle-score]:has-text('0 right, 0 wrong')")


def test_puzzles_and_reviews_fit_a_phone(browser: Any, address: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(QUEEN.to_json())
    with opened_page(browser, **PHONE) as page:
        page.goto(f"{address}/puzzles/{puzzles()[0].id}")
        page.wait_for_selector("[data-testid=status]")
        assert fits(page)
        page.click("[data-testid=give-up]")
        page.wait_for_selector("[data-testid=verdict]")
        assert fits(page)
        open_file(page, address, file)
        page.wait_for_selector("[data-testid=position-link]")
        assert fits(page)
        for path in (
            "/open",
            "/analyse",
            "/play/cambia",
            "/chess?fen=8/8/8/8/8/8/8/K1k5 w - - 0 1",
        ):
            page.goto(address + path)
            page.wait_for_selector("h1")
            assert fits(page)


def test_an_analysis_goes_on_while_nobody_looks(page: Any, address: str, tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(write_pgn(QUEEN))
    open_file(page, address, file)
    page.click("[data-testid=analyse-0]")
    page.wait_for_selector("text=decisions searched")
    review = page.url
    page.get_by_role("link", name="fogtree").click()
    page.wait_for_selector("[data-testid=recent]")
    page.goto(review)
    page.wait_for_selector("[data-testid=verdicts]")


def test_the_list_of_moves_shows_the_present_one(page: Any, address: str) -> None:
    longest = max(puzzles(), key=lambda one: len(one.steps))
    page.goto(f"{address}/puzzles/{longest.id}")
    page.wait_for_selector(".move-list [aria-current]")
    inside = """() => {
        const list = document.querySelector('.move-list').getBoundingClientRect();
        const now = document.querySelector('.move-list [aria-current]').getBoundingClientRect();
        return now.top >= list.top && now.bottom <= list.bottom;
    }"""
    page.wait_for_function(inside)
    page.click("[data-testid=first]")
    page.click("[data-testid=next]")
    page.wait_for_function(inside)


def test_a_record_is_opened_and_its_surprises_are_marked(
    page: Any, address: str, tmp_path: Path
) -> None:
    looks = [look_event(ply, QUEEN.steps[ply], 0.0) for ply in (0, 2, 4)]
    text = "White lost the king on e1: of a4 the search had expected +0.10, the result was -1.00."
    surprise = {"type": "surprise", "ply": 6, "kind": "loss", "text": text}
    _analysed(page, address, tmp_path / "game.pgn", [*looks, surprise])
    page.wait_for_selector("[data-testid=status]:has-text('Black wins: king captured.')")
    page.wait_for_selector("[data-testid=surprises] >> text=White lost the king on e1")
    expect(page.get_by_test_id("marks")).to_contain_text("▼ lost something, and stands worse")
    page.click("[data-testid=first]")
    expect(page.get_by_test_id("ply")).to_have_text("0 of 6")
    page.click("[data-testid=surprises] >> text=White lost the king on e1")
    expect(page.get_by_test_id("ply")).to_have_text("6 of 6")
    page.click("[data-testid=first]")
    expect(page.get_by_test_id("ply")).to_have_text("0 of 6")
    page.locator(".surprise circle").last.click()
    expect(page.get_by_test_id("ply")).to_have_text("6 of 6")
    page.click("[data-testid=back]")
    page.click("[data-testid=back]")
    page.wait_for_selector("[data-testid=advice]:has-text('Next, White played a4')")
    tops = []
    for side in ("all", "0", "all", "1"):  # nothing is pushed down
        page.click(f"[data-testid=from-{side}]")
        expect(page.get_by_test_id(f"from-{side}")).to_have_attribute("aria-pressed", "true")
        ((board,), (names,)) = boxes(page, ".board", ".names")
        tops.append(round(board["y"] - names["y"]))
    assert len(set(tops)) == 1, tops


def _analysed(page: Any, address: str, file: Path, events: list[dict[str, Any]]) -> list[str]:
    """Open a game whose analysis says this of White; returns the moves without signs."""
    say_of_analyses(page, events)
    file.write_text(write_pgn(QUEEN))
    open_file(page, address, file)
    moves = page.locator(".move-list button")
    expect(moves).to_have_count(6)
    plain: list[str] = moves.all_inner_texts()
    page.click("[data-testid=analyse-0]")
    return plain


def test_moves_are_judged_by_what_is_known_of_them(page: Any, address: str, tmp_path: Path) -> None:
    """Where nothing was hidden, the next decision says what a move was worth; a move that seems
    good but was hardly searched is not judged."""
    played = QUEEN.steps
    looks = [
        look_event(0, played[0], 0.0, visits=3),
        look_event(2, played[2], 0.0, positions=1, visits=3),
        {**look_event(4, played[4], 0.0, positions=1, visits=3), "value": -0.2},
    ]
    plain = _analysed(page, address, tmp_path / "game.pgn", looks)
    signs = ["", "", "?", "", "??", ""]  # it stood at -0.2 instead of 0.1, and then was lost
    moves = page.locator(".move-list button")
    expect(moves).to_have_text([move + sign for move, sign in zip(plain, signs, strict=True)])
    with page.expect_download() as started:
        page.get_by_role("button", name="Save PGN", exact=True).click()
    saved = Path(started.value.path()).read_text()
    assert "1. f3 e5 2. a3 $2 Qh4 3. a4 $4 Qxe1# 0-1" in saved
    with page.expect_download() as seen:
        page.get_by_role("button", name="Save PGN with what each side saw").click()
    plain_name = started.value.suggested_filename.removesuffix(".pgn")
    assert seen.value.suggested_filename == f"{plain_name}_as-seen.pgn"
    page.click("[data-testid=first]")
    expect(page.get_by_test_id("advice")).to_contain_text("It looked too little at f3 to judge it")


def test_the_review_agrees_with_a_look_during_the_game(page: Any, address: str) -> None:
    page.goto(address)
    seats = [{}, {"agent": "random"}]
    made = page.evaluate(
        "seats => fetch('/api/games', {method: 'POST', body: JSON.stringify({game: 'fog_chess',"
        " seats})}).then((answer) => answer.json())",
        seats,
    )
    page.goto(f"{address}/game/{made['id']}#seat=0&key={made['keys']['0']}")
    page.check("[data-testid=look]")
    page.wait_for_selector('.fog-panel th:has-text("Solver\'s mix")')  # the look has ended
    advised = page.locator(".fog-panel tbody td").first.inner_text()
    page.fill("[data-testid=typed-move]", advised)
    page.keyboard.press("Enter")
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.click("[data-testid=analyse-0]")
    page.click("[data-testid=first]")
    verdict = page.get_by_test_id("advice")
    expect(verdict).to_contain_text(advised)
    expect(verdict).to_contain_text("plays this move too")
    expect(page.locator(".move-list button").first).to_have_text(advised)


def test_bad_moves_and_surprises_have_signs_of_their_own(
    page: Any, address: str, tmp_path: Path
) -> None:
    played = QUEEN.steps
    looks = [look_event(ply, played[ply], loss) for ply, loss in ((0, 0.19), (2, 0.2), (4, 0.4))]
    mark = {"type": "surprise", "ply": 4, "kind": "hidden", "text": "A queen stood there."}
    plain = _analysed(page, address, tmp_path / "game.pgn", [*looks, mark])
    moves = page.locator(".move-list button")
    signs = ["", "", "?", "○", "??", ""]
    expect(moves).to_have_text([move + sign for move, sign in zip(plain, signs, strict=True)])
    expect(page.locator(".analysis-chart svg .surprise text")).to_have_text("○")
    expect(page.get_by_test_id("bad-moves")).to_contain_text("?? a move that is at least 0.4 worse")
    expect(page.get_by_test_id("verdicts")).to_contain_text("2 moves are clearly worse")
    expect(page.get_by_test_id("bad-moves")).to_contain_text("? a move that is at least 0.2 worse")
    better = page.get_by_test_id("better-moves").locator("li")
    expect(better).to_have_text(
        [
            f"2. {plain[2]}? 0.20 worse. The search plays Nc3.",
            f"3. {plain[4]}?? 0.40 worse. The search plays Nc3.",
        ]
    )
    expect(page.locator(".analysis-chart .axis")).to_have_text(
        ["+1 won", "0", "-1 lost", "10", "1"]
    )
    expect(page.locator("ol.surprise-list")).to_have_text(
        f"○ Before 3. {plain[4]}: A queen stood there."
    )


def test_signs_are_explained_only_where_a_move_has_one(
    page: Any, address: str, tmp_path: Path
) -> None:
    played = QUEEN.steps
    looks = [look_event(ply, played[ply], loss) for ply, loss in ((0, 0.0), (2, 0.1), (4, 0.3))]
    _analysed(page, address, tmp_path / "game.pgn", looks)
    expect(page.get_by_test_id("bad-moves")).to_have_text(
        "In the list of moves, by the search's estimate: "
        "? a move that is at least 0.2 worse than its play."
    )
    page.unroute("**/analysis")
    _analysed(page, address, tmp_path / "game.pgn", looks[:2])
    expect(page.locator(".analysis-chart .result")).to_be_attached()
    expect(page.get_by_test_id("bad-moves")).to_have_count(0)
    expect(page.get_by_test_id("better-moves")).to_have_count(0)


def test_moves_of_a_mix_may_differ_in_value(page: Any, address: str, tmp_path: Path) -> None:
    """The page says why; and where one position is possible, that the other side may not see it."""
    one, mixed = look_event(0, QUEEN.steps[0], 0.1, positions=1), look_event(2, QUEEN.steps[2], 0.1)
    mixed["candidates"][0]["probability"] = mixed["candidates"][1]["probability"] = 0.5
    _analysed(page, address, tmp_path / "game.pgn", [one, mixed])
    page.click("[data-testid=first]")
    note = page.get_by_test_id("candidates-note")
    expect(note).to_contain_text("the other side may still not see everything")
    expect(note).not_to_contain_text("moves of one mix may differ")
    page.click("[data-testid=next]")
    page.click("[data-testid=next]")
    expect(note).to_contain_text("may differ by about 0.1, because the tree is not finished.")
    expect(note).not_to_contain_text("may still not see everything")


@pytest.mark.parametrize(
    ("moves", "told", "untold"),
    [  # labels of moves with their values
        (
            [("Qxe8#", 1.0), ("a3", 0.2), ("a4", 0.2)],
            "Qxe8# takes the king and wins at once. Other moves with the same value are equally",
            "wins later",
        ),
        (
            [("Qxe8#", 1.0), ("a3", 1.0), ("a4", 0.2)],
            "wins at once; any other move of the value +1 wins later.",
            "the same value",
        ),
        ([("a3", 0.2), ("a4", 0.2)], "Moves with the same value are equally good", "at once"),
    ],
)
def test_moves_of_the_same_value_are_explained(
    page: Any,
    address: str,
    tmp_path: Path,
    moves: list[tuple[str, float]],
    told: str,
    untold: str,
) -> None:
    look = look_event(0, QUEEN.steps[0], 0.1)
    look["candidates"] = [
        {**look["candidates"][0], "action": action, "label": label, "value": value}
        for action, (label, value) in zip(("b1c3", "b2b3", "h2h3"), moves, strict=False)
    ]
    _analysed(page, address, tmp_path / "game.pgn", [look])
    page.click("[data-testid=first]")
    note = page.get_by_test_id("candidates-note")
    expect(note).to_contain_text(told)
    expect(note).not_to_contain_text(untold)


def test_the_result_is_drawn_beside_the_last_decision(
    page: Any, address: str, tmp_path: Path
) -> None:
    """After a resignation the value falls from the last decision to the result: not on the line of
    the moment that is shown."""
    played = QUEEN.steps
    looks = [look_event(ply, played[ply], 0.0) for ply in (0, 2, 4)]
    last = {**look_event(6, "a1a2", 0.0), "value": 0.5}
    _analysed(page, address, tmp_path / "game.pgn", [*looks, last])
    chart = page.locator(".analysis-chart svg")
    now = float(chart.locator(".now").get_attribute("x1"))
    points = chart.locator(".value").get_attribute("points").split(" ")
    (before, high), (end, low) = (map(float, point.split(",")) for point in points[-2:])
    assert before == now < end
    assert high < low
    dot = chart.locator(".result")
    assert [float(dot.get_attribute(name)) for name in ("cx", "cy")] == [end, low]
    box = chart.bounding_box()
    page.mouse.click(box["x"] + box["width"] * end / 300, box["y"] + box["height"] / 2)
    expect(page.get_by_test_id("ply")).to_have_text("6 of 6")


def test_the_link_to_a_position_says_that_it_carries_the_token(
    browser: Any, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(QUEEN.to_json())
    with (
        running(tmp_path / "web.sqlite3", "--token", "secret") as server,
        opened_page(browser) as page,  # ends before its server does
    ):
        page.goto(f"{server.address}/open#token=secret")
        page.set_input_files("[data-testid=record-file]", file)
        expect(page.get_by_test_id("position-link")).to_have_value(re.compile("token=secret"))
        expect(page.get_by_test_id("link-note")).to_contain_text("contain the access token")


def test_a_link_opens_the_review_at_a_position(
    browser: Any, page: Any, address: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(QUEEN.to_json())
    open_file(page, address, file)
    page.click("[data-testid=from-1]")
    page.click("[data-testid=back]")
    page.click("[data-testid=back]")
    page.wait_for_selector("[data-testid=ply]:has-text('4 of 6')")
    link = page.input_value("[data-testid=position-link]")
    page.reload()  # the address changes together with the page
    page.wait_for_selector("[data-testid=ply]:has-text('4 of 6')")
    with opened_page(browser) as other:
        other.goto(link)
        other.wait_for_selector("[data-testid=ply]:has-text('4 of 6')")
        expect(other.locator("[data-testid=from-1][aria-pressed=true]")).to_be_visible()
        assert "key" not in other.url
        fen = other.input_value("[data-testid=fen]")
        other.click("text=Play from here")
        other.wait_for_selector("[data-testid=start]")
        expect(other.get_by_label("Start from")).to_have_value(fen)
        other.go_back()
        other.click("text=Analyse this position")
        other.wait_for_selector("[data-testid=status]:has-text('The search is done')")
        expect(other.locator(".arrow.mix").first).to_be_attached()
        expect(other.get_by_test_id("analyse-fen")).to_have_value(fen)


def test_a_game_from_a_link_with_a_look_and_a_link_for_spectators(page: Any, address: str) -> None:
    page.goto(f"{address}/chess?side=white&fen={FAR_AWAY}")
    page.wait_for_selector("text=Both sides know this position")
    expect(page.locator("[data-square=h8][data-piece=k]")).to_be_visible()
    page.locator("[data-testid=strength]").fill("1")
    expect(page.get_by_test_id("move-seconds")).to_have_count(0)  # it does not use its time
    page.locator("[data-testid=strength]").fill("10")
    page.select_option("[data-testid=move-seconds]", "1")
    page.click("[data-testid=start]")
    page.check("[data-testid=look]")
    page.click("[data-testid=search-tree] summary")
    page.wait_for_selector("[data-testid=tree-growth]:has-text('Nodes at each depth')")
    expect(page.locator(".tree-growth rect").nth(1)).to_be_attached()
    page.click("text=Let somebody see this game when it is over")
    expect(page.get_by_test_id("watch")).to_contain_text("a spectator sees nothing")
    expect(page.get_by_test_id("watch-link")).to_have_value(re.compile("#seat=-1&key="))


def test_files_that_cannot_be_opened(page: Any, address: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text("hello\n")
    open_file(page, address, file)
    page.wait_for_selector("[data-testid=record-error]:has-text('it is not JSON')")
    file.write_text("x" * 4_000_000)
    open_file(page, address, file)
    page.wait_for_selector("[data-testid=record-error]:has-text('4.0 MB')")


def test_one_of_several_games_is_chosen(page: Any, address: str, tmp_path: Path) -> None:
    hands = [fogtree.play("kuhn_poker", ["random", "random"], seed=str(n)) for n in range(3)]
    file = tmp_path / "hands.jsonl"
    file.write_text("\n".join(hand.to_json() for hand in hands))
    open_file(page, address, file)
    page.wait_for_selector("text=hands.jsonl: 3 games")
    page.click("[data-game='2']")
    page.wait_for_selector("text=The whole hand")
    last = len(hands[1].steps)
    expect(page.get_by_test_id("ply")).to_have_text(f"{last} of {last}")


def test_spectators_see_a_game_when_it_is_over(browser: Any, page: Any, address: str) -> None:
    page.goto(f"{address}/chess")
    page.select_option("[data-testid=against]", "friend")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=spectator-link]")
    page.click("[data-testid=to-board]")
    page.wait_for_selector("[data-testid=typed-move]")
    with opened_page(browser) as watching:
        watching.goto(link)
        watching.wait_for_selector("[data-testid=spectator]")
        expect(watching.locator("[data-piece]")).to_have_count(0)
        page.fill("[data-testid=typed-move]", "e4")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-square=e4][data-piece=P]")
        page.click("[data-testid=resign]")
        page.click("[data-testid=confirm-resign]")
        watching.wait_for_selector("[data-testid=status]:has-text('White resigned.')")
        watching.wait_for_selector("[data-square=e4][data-piece=P]")
        expect(watching.get_by_test_id("rematch")).to_have_count(0)


@pytest.mark.parametrize("game", ["kuhn_poker", "cambia"])
def test_a_link_for_spectators_at_every_table(
    browser: Any, page: Any, address: str, game: str
) -> None:
    page.goto(f"{address}/{'play/' * (game != 'cambia')}{game}")
    page.click("[data-testid=start]")
    page.click("text=Let somebody see this game when it is over")
    with opened_page(browser) as watching:
        watching.goto(page.input_value("[data-testid=watch-link]"))
        watching.wait_for_selector("[data-testid=spectator]")
        page.click("[data-testid=resign]")
        page.click("[data-testid=confirm-resign]")
        watching.wait_for_selector("[data-testid=ply]")
    expect(page.get_by_test_id("watch")).to_have_count(0)


def test_two_people_at_a_table_by_link(browser: Any, page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    page.select_option("[data-testid=agent]", "a friend, by link")
    page.select_option("[data-testid=seat]", "0")
    page.click("[data-testid=start]")
    link = page.input_value("[data-testid=invitation-0]")
    page.click("text=Go to the table")
    page.wait_for_selector("[data-action=check]")
    with opened_page(browser, **PHONE) as friend:
        friend.goto(link)
        friend.wait_for_selector("text=Waiting for the other player.")
        page.click("[data-action=check]")
        friend.click("[data-action=check]")
        for one in (page, friend):
            one.wait_for_selector("[data-testid=equilibrium]")
            table = one.get_by_test_id("view").first
            expect(table.locator("[data-card]").first).to_be_visible()
            expect(table.locator("[data-card='']")).to_have_count(0)  # both cards are shown


def test_what_the_equilibrium_would_do_after_each_hand(page: Any, address: str) -> None:
    page.goto(f"{address}/play/kuhn_poker")
    expect(page.get_by_test_id("agent")).to_have_value("equilibrium")
    page.click("[data-testid=start]")
    for hands in ("this hand", "these 2 hands"):
        play_hand(page)
        expect(page.get_by_test_id("compared")).to_contain_text(f"In {hands} your choices")
        expect(page.locator(".equilibrium-mix li.chosen").first).to_be_visible()
        if hands == "this hand":
            next_hand(page, lambda: page.click("[data-testid=next-hand]"))


def test_a_game_that_is_too_large_to_judge_is_no_error(page: Any, address: str) -> None:
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status))
    page.goto(f"{address}/play/liars_dice")
    page.click("[data-testid=start]")
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    expect(page.get_by_test_id("not-judged")).to_contain_text("too large to be solved exactly")
    assert max(answers) < 400


def test_cambia_against_several_agents_with_snaps_against_the_clock(
    page: Any, address: str
) -> None:
    page.goto(f"{address}/cambia")
    expect(page.get_by_test_id("not-offered")).to_have_count(0)
    page.select_option("[data-testid=players]", "3")
    missing = page.get_by_test_id("not-offered")
    expect(missing).to_contain_text("Search is for two players, not 3.")
    expect(missing).to_contain_text("Trained network was trained for two players, not 3.")
    page.click("summary")
    # The first turn ends with a discard, and then everybody is asked about a snap.
    page.get_by_label("cambia from round").fill("1")
    page.get_by_label("snap window").select_option("always")
    page.select_option("[data-testid=agent]", "imperfect_greedy")
    page.select_option("[data-testid=agent-1]", "random")
    page.select_option("[data-testid=snaps]", "3")
    page.click("[data-testid=start]")
    expect(page.get_by_role("heading", name="Random", exact=True)).to_be_visible()
    expect(page.get_by_role("heading", name="Imperfect greedy", exact=True)).to_be_visible()
    while (asked := page.wait_for_function(SNAP_OR_TURN).json_value())["snap"] is False:
        choose(page, "draw", "discard")
    # Nobody else can act: the clock decides for us.
    page.wait_for_function(
        "before => document.querySelector('[data-n]').dataset.n !== before", arg=asked["n"]
    )
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.wait_for_selector("[aria-label='The whole game']")


def test_the_probabilities_of_agents_are_shown_after_the_game(page: Any, address: str) -> None:
    page.goto(f"{address}/play/leduc_poker")
    page.select_option("[data-testid=agent]", "random")
    page.select_option("[data-testid=seat]", "1")
    page.click("[data-testid=start]")
    page.wait_for_selector("[data-action]")
    expect(page.get_by_test_id("agent-mix")).to_have_count(0)
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.wait_for_selector("[aria-label='The whole hand']")
    # The last step is that of the agent.
    expect(page.get_by_test_id("agent-mix")).to_contain_text("50 %")
    assert json.loads(page.evaluate("() => localStorage.getItem('fogtree.recent')"))
