"""The solver lab, the walk-through and the arena in a browser."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

from fogtree import explain
from tests.support.web_pages import opened_page

pytestmark = pytest.mark.long


def solve_in_browser(page: Any, address: str) -> None:
    page.goto(f"{address}/lab")
    page.get_by_label("pcfr+", exact=True).check()
    page.get_by_test_id("solve").click()
    page.get_by_test_id("exact").wait_for()
    page.get_by_test_id("status").filter(has_text="finished").wait_for()


def test_a_game_is_solved_and_its_solution_browsed(page: Any, address: str) -> None:
    solve_in_browser(page, address)
    rows = page.get_by_test_id("numbers").locator("tbody tr td:first-child")
    expect(rows).to_have_text(["cfr", "cfr+", "dcfr", "pcfr+", "- - exact equilibrium"])
    expect(page.get_by_test_id("exact")).to_contain_text("-0.055556")
    expect(page.locator(".plot canvas")).to_have_count(3)
    best = page.get_by_test_id("meaning").locator("b").inner_text()
    expect(page.get_by_test_id("solution-of")).to_have_value(best)
    expect(page.get_by_test_id("meaning")).to_contain_text("In the charts of exploitability")
    page.get_by_test_id("solution-of").select_option("equilibrium")
    for outcome in ("J", "K"):
        page.locator(f"[data-outcome={outcome}]").click()
    page.locator("[data-action=bet]").click()
    place = page.get_by_test_id("place")
    place.filter(has_text="Kb").wait_for()
    expect(page.locator("[data-action=call]")).to_contain_text("100 %")
    page.locator("[data-action=call]").click()
    place.filter(has_text="Player 0 gets -2, Player 1 gets +2").wait_for()
    page.get_by_role("button", name="Back").click()
    place.filter(has_text="Kb").wait_for()
    page.get_by_role("button", name="Root").click()
    place.filter(has_text="Chance decides").wait_for()


def test_a_double_click_goes_on_once(page: Any, address: str) -> None:
    solve_in_browser(page, address)
    place = page.get_by_test_id("place")
    place.filter(has_text="Chance decides").wait_for()
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/place", hold)  # the answer does not come yet
    page.locator("[data-outcome=Q]").dblclick()
    expect(page.locator("nav.path .step")).to_have_text(["Q"])
    expect(page.locator("[data-outcome=Q]:disabled")).to_be_visible()
    page.keyboard.press("1")
    page.route("**/place", lambda route: route.continue_())
    for route in held:
        route.continue_()
    page.locator("[data-outcome=Q]").wait_for(state="detached")  # one of the others is dealt next
    expect(page.locator("nav.path .step")).to_have_text(["Q"])


def test_lists_of_information_sets_lead_to_their_place(page: Any, address: str) -> None:
    solve_in_browser(page, address)
    page.get_by_test_id("infosets").locator("summary").click()
    page.get_by_label("Name contains").fill("Jcb")
    page.get_by_test_id("infosets").get_by_role("button", name="Jcb").click()
    page.get_by_test_id("place").filter(has_text="decides at Jcb").wait_for()
    differences = page.get_by_test_id("differences")
    differences.locator("summary").click()
    expect(differences.get_by_label("First")).to_have_value("cfr")
    expect(differences.get_by_label("Second")).to_have_value("equilibrium")
    differences.get_by_label("Second").select_option("dcfr")
    expect(differences.locator("th.bar-cell")).to_have_text("cfr above, dcfr below")
    row = differences.get_by_role("button").first
    name = row.inner_text()
    row.click()
    page.get_by_test_id("place").filter(has_text=f"decides at {name},").wait_for()


def test_a_solution_is_downloaded(page: Any, address: str) -> None:
    solve_in_browser(page, address)
    with page.expect_download() as started:
        page.get_by_role("button", name="Download").click()
    document = json.loads(Path(started.value.path()).read_text())
    assert document["game"] == "kuhn_poker"
    assert len(document["strategy"]) == 12


def test_a_solve_is_paused_resumed_and_stopped(page: Any, address: str) -> None:
    page.goto(f"{address}/lab")
    page.get_by_label("Game").select_option("leduc_poker")
    page.get_by_label("Iterations").fill("10000000")
    page.get_by_test_id("solve").click()
    status = page.get_by_test_id("status")
    for button, said in (("Pause", "paused"), ("Resume", "running"), ("Stop", "stopped")):
        page.get_by_role("button", name=button).click()
        status.filter(has_text=said).wait_for()
    page.reload()
    status.filter(has_text="stopped").wait_for()


def test_a_wrong_parameter_is_reported(page: Any, address: str) -> None:
    page.goto(f"{address}/lab")
    page.get_by_label("Game").select_option("leduc_poker")
    page.locator(".parameters summary").first.click()
    page.locator(".parameters label", has_text="raises").locator("input").fill("-3")
    with page.expect_response("**/api/lab") as answer:
        page.get_by_test_id("solve").click()
    assert answer.value.status == 400
    expect(page.get_by_role("alert")).to_have_text(answer.value.json()["error"])


def test_the_walk_through_shows_the_numbers_of_both_deals(page: Any, address: str) -> None:
    page.goto(f"{address}/walk")
    where = page.get_by_test_id("where")
    steps = explain("kuhn_poker", "cfr+", deals=["JQ", "JK"]).steps
    for number, step in enumerate(steps, 1):
        expect(where).to_contain_text(f"Step {number} of 8")  # all below is shown with it
        assert f"deal {step.deal}" in where.inner_text()
        assert page.locator(".tree .current").get_attribute("data-infoset") == step.infoset
        assert float(page.get_by_test_id("ev").inner_text()) == step.expected_value
        rows = page.get_by_test_id("numbers").locator("tbody tr").all()
        cells = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows]
        assert [row[0] for row in cells] == list(step.actions)
        columns = (
            step.strategy,
            step.values,
            step.regret,
            step.previous_regret,
            step.cumulative_regret,
            step.weights,
            step.next_strategy,
        )
        shown = [tuple(float(row[k]) for row in cells) for k in range(1, 8)]
        assert shown == list(columns)
        page.keyboard.press("ArrowRight")
    page.get_by_test_id("previous").click()
    where.filter(has_text="Step 7 of 8").wait_for()
    page.get_by_text("What do the letters mean?").click()
    page.keyboard.press("ArrowLeft")
    where.filter(has_text="Step 6 of 8").wait_for()
    page.keyboard.press("ArrowRight")
    where.filter(has_text="Step 7 of 8").wait_for()
    average = page.get_by_label("average strategy after this step with numbers")
    expect(average).to_contain_text("(1 × ")
    expect(page.get_by_test_id("standing")).to_contain_text(
        "does not reach an information set count"
    )
    page.locator("[data-infoset=Kb]").click()
    where.filter(has_text="Step 8 of 8").wait_for()
    page.keyboard.press("ArrowLeft")
    where.filter(has_text="Step 7 of 8").wait_for()
    page.get_by_test_id("standing").get_by_role("button").first.click()
    where.filter(has_not_text="Step 7 of 8").wait_for()
    page.get_by_test_id("standing").get_by_role("region").focus()  # nothing can be scrolled there
    place = int(where.inner_text().split()[1])
    page.keyboard.press("ArrowRight")
    where.filter(has_text=f"Step {place + 1} of 8").wait_for()


def test_a_wrong_deal_leaves_the_steps_and_the_deals(page: Any, address: str) -> None:
    """Every click sends one request, also while something that was typed is not shown yet."""
    sent: list[Any] = []
    page.on(
        "request",
        lambda request: sent.append(request.post_data_json) if "/api/walk" in request.url else None,
    )
    page.goto(f"{address}/walk")
    where = page.get_by_test_id("where")
    expect(where).to_contain_text("Step 1 of 8")
    deals = page.get_by_label("Deals, one per iteration")
    deals.fill("JJ")
    page.get_by_role("button", name="Show").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("JJ")
    expect(alert).to_contain_text("The steps below are those of before.")
    expect(where).to_contain_text("Step 1 of 8")
    assert [one["deals"] for one in sent] == [["JQ", "JK"], ["JJ"]]
    page.get_by_role("group", name="Add a deal").get_by_role("button", name="KJ").click()
    expect(where).to_contain_text("Step 1 of 12")
    expect(alert).to_have_count(0)
    expect(deals).to_have_value("JQ, JK, KJ")
    assert [one["deals"] for one in sent[2:]] == [["JQ", "JK", "KJ"]]
    deals.fill("KQ")
    deals.press("Enter")
    expect(where).to_contain_text("deal KQ")
    assert [one["deals"] for one in sent[3:]] == [["KQ"]]
    page.route("**/api/walk", lambda route: route.fulfill(status=400, json={"error": "too large"}))
    page.get_by_label("Algorithm").select_option("cfr")
    expect(alert).to_have_text("too large")
    expect(where).to_have_count(0)  # no steps of another algorithm


def test_a_refused_walk_leaves_the_step_and_the_line_of_a_phone(browser: Any, address: str) -> None:
    with opened_page(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}/walk")
        where, folded = page.get_by_test_id("where"), page.locator("[data-testid=fold] > summary")
        expect(where).to_contain_text("Step 1 of 8")
        for _ in range(4):
            page.get_by_test_id("next").click()
        expect(where).to_contain_text("Step 5 of 8")
        folded.click()
        deals = page.get_by_label("Deals, one per iteration")
        deals.fill("JJ")
        deals.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("JJ")
        expect(folded).to_contain_text("deals JQ, JK: choose another walk")
        page.get_by_role("group", name="Add a deal").get_by_role("button", name="KJ").click()
        expect(where).to_contain_text("Step 5 of 12")
        expect(folded).to_contain_text("deals JQ, JK, KJ: choose another walk")


@pytest.mark.parametrize(
    ("players", "numbers"),
    [
        (2, "Player 0 is the first player, player 1 the second player. An"),
        (3, "Player 0 is the first player, player 1 the second player, player 2 the third player."),
        (6, "player 3 the fourth player, and so on. An"),
    ],
)
def test_all_players_are_numbered(page: Any, address: str, players: int, numbers: str) -> None:
    game = f"kuhn_poker(players={players})"
    asked = {"game": "kuhn_poker", "algorithm": "cfr", "iterations": 1}
    found = page.request.post(f"{address}/api/walk", data=asked).json()
    assert found["players"] == 2
    found |= {"game": game, "players": players}
    page.route("**/api/walk", lambda route: route.fulfill(json=found))
    page.goto(f"{address}/walk?game={game}&algorithm=cfr&iterations=1")
    expect(page.get_by_test_id("names-note")).to_contain_text(numbers)


def test_the_formula_of_hedge_says_what_max_and_min_go_over(page: Any, address: str) -> None:
    page.goto(f"{address}/walk?game=kuhn_poker&algorithm=hedge&iterations=1")
    rules = page.locator(".worked .rule")
    expect(rules.filter(has_text="(max r - min r)²")).to_have_count(1)
    expect(
        rules.filter(has_text="the largest and the smallest value among the actions")
    ).to_have_count(1)


def test_a_walk_through_of_all_deals(page: Any, address: str) -> None:
    page.goto(f"{address}/walk?game=leduc_poker&algorithm=normalhedge&iterations=2")
    page.get_by_test_id("where").filter(has_text="Step 1 of").wait_for()
    page.get_by_test_id("next").click()
    page.get_by_test_id("where").filter(has_text="Step 2 of").wait_for()
    expect(page.get_by_label("weights with numbers")).to_contain_text("exp(")


def test_a_tournament_in_the_arena(page: Any, address: str) -> None:
    page.goto(f"{address}/arena")
    page.get_by_label("Games per pair").fill("10")
    page.get_by_test_id("start-match").click()
    job = page.get_by_role("region", name="Jobs").locator("li").first
    expect(job).to_contain_text("Match Cambia: Random – Imperfect greedy – Memory heuristic")
    expect(page.get_by_test_id("ratings").locator("tbody tr")).to_have_count(3)
    match = page.get_by_test_id("match")
    expect(match).to_contain_text("30 of 30 games")
    expect(match.locator(".score-cell .quiet")).to_have_text([re.compile(r"\[.+, .+\]")] * 3)
    expect(page.get_by_label("greedy (sees everything)")).not_to_be_checked()
    expect(page.get_by_test_id("seeing")).to_have_count(0)
    page.get_by_role("button", name="Games of Random and Imperfect greedy").click()
    games = page.get_by_test_id("match-games").locator("tbody tr")
    expect(games).to_have_count(10)
    expect(games.first).to_contain_text("Random – Imperfect greedy")
    page.get_by_role("button", name="Open 3", exact=True).click()
    page.wait_for_url("**/game/*")
    expect(page.get_by_test_id("ply")).to_be_visible()
    expect(page.get_by_test_id("next")).to_be_disabled()  # it begins with the last table
    page.get_by_test_id("moves").get_by_role("button").first.click()
    expect(page.get_by_test_id("next")).to_be_enabled()
    page.go_back()
    expect(games).to_have_count(10)
    page.get_by_role("button", name="Open 3", exact=True).click()
    page.get_by_role("link", name="Back to the match").click()
    expect(games).to_have_count(10)


def test_back_leads_from_the_games_of_a_match_to_the_match_and_the_arena(
    page: Any, address: str
) -> None:
    page.goto(f"{address}/")
    page.goto(f"{address}/arena")
    page.get_by_label("Games per pair").fill("10")
    page.get_by_test_id("start-match").click()
    match, games = page.get_by_test_id("match"), page.get_by_test_id("match-games")
    expect(match).to_contain_text("30 of 30 games")
    page.get_by_role("button", name="Games of Random and Imperfect greedy").click()
    games.get_by_role("button", name="Open 3", exact=True).click()
    page.get_by_test_id("ply").wait_for()
    page.go_back()
    expect(games.locator("tbody tr")).to_have_count(10)
    page.go_back()
    expect(games).to_have_count(0)
    expect(match).to_contain_text("30 of 30 games")
    page.go_back()
    expect(match).to_have_count(0)
    expect(page.get_by_test_id("start-match")).to_be_visible()
    page.go_forward()
    expect(match).to_contain_text("30 of 30 games")
    page.go_back()
    page.go_back()
    expect(page).to_have_url(f"{address}/")


def test_a_stopped_tournament_with_stakes_is_judged_by_the_average_result(
    page: Any, address: str
) -> None:
    """The first wins more games and loses more than it wins."""
    score = {"first": "random", "second": "equilibrium", "games": 100}
    score |= {"wins": 70, "draws": 0, "losses": 30, "win_rate": [0.7, 0.6, 0.79]}
    result = {"return_mean": [-0.5, -0.7, -0.3], "has_stakes": True, "facts": {}}
    agents = ["random", "equilibrium", "search"]
    begun = {"game": "kuhn_poker", "agents": agents, "titles": {}, "sees_everything": []}
    events = [
        {"type": "begun", **begun, "total": 300},
        {"type": "score", **score},
        {"type": "match", **score, **result},
        {"type": "ended", "status": "stopped"},
    ]
    job = {"id": "one", "kind": "match", "title": "Match", "status": "stopped", "note": ""}
    job |= {"pausable": True, "resumable": True, "events": len(events)}
    new = [{"n": number, **event} for number, event in enumerate(events, 1)]
    page.route("**/api/jobs/one?*", lambda route: route.fulfill(json={**job, "new": new}))
    page.goto(f"{address}/arena?job=one")
    words = page.get_by_test_id("in-words")
    expect(words).to_have_text("equilibrium has the better average result")


def test_the_arena_offers_the_agents_of_the_parameters(page: Any, address: str) -> None:
    page.goto(f"{address}/arena")
    form = page.locator("form").first
    form.locator("select").first.select_option("kuhn_poker")
    names = form.locator("fieldset.checks label")
    expect(names).to_have_text(["Random", "Equilibrium", "Search"])
    form.locator(".parameters summary").click()
    form.locator(".parameters label", has_text="players").locator("input").fill("3")
    expect(names).to_have_text(["Random"])
    expect(form).to_contain_text("Choose at least two agents.")
    expect(page.get_by_test_id("start-match")).to_be_disabled()


def test_the_walk_through_ends_an_iteration_with_the_average(page: Any, address: str) -> None:
    page.goto(f"{address}/walk?game=kuhn_poker&algorithm=cfr%2B&deals=JQ,JK")
    standing = page.get_by_test_id("standing")
    expect(standing).to_contain_text("The strategies after this step")
    expect(standing).to_contain_text("It is shown at the end of the iteration")
    slider = page.get_by_label("Step", exact=True)
    slider.fill("3")
    expect(standing).to_contain_text("The strategies at the end of iteration 1")
    expect(standing.locator("[data-average=J] [role=img]")).to_have_attribute(
        "aria-label", "check 50 %, bet 50 %"
    )
    slider.fill("7")
    expect(standing).to_contain_text("average strategy after iteration 2")
    # Weights 1 and 2 of an even mix and of the bet alone.
    expect(standing.locator("[data-average=J] [role=img]")).to_have_attribute(
        "aria-label", "check 16.7 %, bet 83.3 %"
    )
    expect(standing.locator("[data-average=J]")).to_contain_text("check 0.16667")
    expect(standing.locator("[data-average=J]")).to_contain_text("bet 0.83333")


def test_the_tree_of_the_walk_through_is_legible_on_a_phone(browser: Any, address: str) -> None:
    with opened_page(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}/walk")
        tree = page.get_by_role("region", name="Tree")
        expect(tree).to_contain_text("wider than the page")
        heights = "all => all.map(one => one.getBoundingClientRect().height)"
        assert min(tree.locator("text.minor").evaluate_all(heights)) > 10
        for _ in range(3):
            place = tree.locator(".current").bounding_box()
            assert 0 <= place["x"] <= place["x"] + place["width"] <= 390
            page.get_by_test_id("next").click()
        tree.focus()  # there the arrow keys move the tree
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_test_id("where")).to_contain_text("Step 4 of")
        page.set_viewport_size({"width": 1600, "height": 800})
        expect(tree).not_to_contain_text("wider than the page")
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_test_id("where")).to_contain_text("Step 3 of")
        page.set_viewport_size({"width": 390, "height": 844})
        expect(tree).to_contain_text("wider than the page")


def test_all_columns_of_the_lab_are_seen_on_a_phone(browser: Any, address: str) -> None:
    with opened_page(browser, viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}/lab")
        page.get_by_label("Iterations").fill("20")
        page.get_by_test_id("solve").click()
        expect(page.get_by_test_id("status")).to_contain_text("finished")
        expect(page.get_by_test_id("exact")).to_be_visible()
        rows = page.get_by_test_id("numbers").locator("tbody tr")
        names = ["exploitability", "value for player 0", "iterations", "time"]
        label = "all => all.map(one => getComputedStyle(one, '::before').content)"
        assert rows.first.locator("td[data-label]").evaluate_all(label) == [f'"{n}"' for n in names]
        for cell in page.get_by_test_id("numbers").locator("td[data-label]").all():
            place = cell.bounding_box()
            assert 0 <= place["x"] < place["x"] + place["width"] <= 390


def test_curves_of_runs_follow_their_file(page: Any, address: str, page_runs: Path) -> None:
    run = page_runs / "training"
    run.mkdir()
    lines = [json.dumps({"iteration": n, "losses": {"regret": 1 / n}}) for n in range(1, 9)]
    metrics = run / "metrics.jsonl"
    metrics.write_text("\n".join(lines[:4]) + "\n")
    page.goto(f"{address}/arena")
    curves = page.get_by_test_id("run-curves")
    curves.filter(has_text="regret 0.25").wait_for()
    changed = metrics.stat().st_mtime
    metrics.write_text("\n".join(lines) + "\n")
    os.utime(metrics, (changed + 1, changed + 1))  # also where the clock of files is coarse
    curves.filter(has_text="regret 0.125").wait_for()


def test_curves_of_a_run_are_numbers_with_units(page: Any, address: str) -> None:
    run = {"name": "one", "kind": "training", "agent": None, "game": "kuhn_poker"}
    run |= {"iteration": 4, "changed": 0, "running": False, "job": None}
    page.route("**/api/runs", lambda route: route.fulfill(json={"folder": "runs", "runs": [run]}))
    lines = [
        {
            "iteration": n,
            "exploitability": 1 / n,
            "losses.regret0": 0.01 * n,
            "filled.regret0": 0.001 * n,
            "filled.regret1": 0.0,
            "bytes": 9_600_000,
            "nodes_per_second": 1.5e6 * n,
            "win_rates.random.value": 0.75,
            "win_rates.level_2.value": 0.5,
        }
        for n in range(1, 5)
    ]
    page.route("**/api/runs/metrics*", lambda route: route.fulfill(json={"lines": lines}))
    page.goto(f"{address}/arena")
    curves = page.get_by_test_id("run-curves")
    # Not of the average strategy: a run by self-play plays its last one.
    expect(curves).to_contain_text("exploitability, in payoffs per game")
    expect(curves).to_contain_text("win rate of what the run plays, in percent")
    expect(curves).to_contain_text("random 75")
    expect(curves).to_contain_text("level 2 50")
    curves.locator("summary").click()
    expect(curves).to_contain_text("regret of player 0 0.4")
    expect(curves).to_contain_text("speed, in million nodes per second")
    expect(curves).to_contain_text("Unchanged all along: memory for samples, in MB: 9.6.")
    expect(curves).not_to_contain_text("e6")


def test_the_list_of_runs_has_titles_and_explains_only_what_is_shown(
    page: Any, address: str
) -> None:
    run = {"name": "one", "kind": "training", "agent": None, "game": "kuhn_poker(players=3)"}
    run |= {"iteration": 4, "changed": 0, "running": False, "job": None}
    page.route("**/api/runs", lambda route: route.fulfill(json={"folder": "runs", "runs": [run]}))
    lines = [{"iteration": n, "exploitability": 1 / n} for n in range(1, 5)]
    page.route("**/api/runs/metrics*", lambda route: route.fulfill(json={"lines": lines}))
    page.goto(f"{address}/arena")
    table = page.get_by_role("region", name="Runs", exact=True)
    expect(table).to_contain_text("Kuhn poker (players=3)")
    curves = page.get_by_test_id("run-curves")
    expect(curves).to_contain_text("lower is better and 0 is perfect.")
    expect(curves).not_to_contain_text("win rate")
