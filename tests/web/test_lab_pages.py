"""Own games, training, resumed jobs, parameters and the walk-through's inputs in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")
pytest.importorskip("playwright", reason="the tests of pages need Playwright")

from playwright.sync_api import expect

from tests.support.kuhn_by_hand import KuhnByHand
from tests.support.paths import ROOT
from tests.support.web_pages import opened_page
from tests.support.web_server import running

pytestmark = pytest.mark.long

EXAMPLE = ROOT / "examples" / "own_game.py"
FOUR = ["cfr", "cfr+", "normalhedge", "normalhedge+"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs pages' files."""
    with running(tmp_path_factory.mktemp("web") / "web.sqlite3", "--own-code") as server:
        yield server.address


def bring(page: Any, file: Path | dict[str, Any]) -> None:
    """Choose a file of an own game."""
    page.locator(".own-game summary").click()
    page.locator(".own-game input[type=file]").set_input_files(file)


def text_file(source: str, name: str = "mine.py") -> dict[str, Any]:
    return {"name": name, "mimeType": "text/x-python", "buffer": source.encode()}


def test_an_own_game_is_chosen_solved_and_browsed(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    bring(page, EXAMPLE)
    page.get_by_text("own_game.py is in the list of games").wait_for()
    expect(page.get_by_label("Game")).to_have_value("own_game.py:HalfStreet")
    page.get_by_test_id("solve").click()
    page.get_by_test_id("exact").filter(has_text="0.5").wait_for()
    page.locator("[data-outcome=Q]").click()
    page.get_by_test_id("place").filter(has_text="decides at Q").wait_for()
    page.goto(f"{lab}/walk?game=own_game.py:HalfStreet&algorithm=cfr%2B&deals=Q")
    page.get_by_test_id("where").filter(has_text="Step 1 of 2").wait_for()
    expect(page.locator(".tree .current")).to_have_attribute("data-infoset", "Q")


THREE_PLAYERS = """
from fogtree import TERMINAL, Game, State

class Vote(Game):
    short_name, players = "vote", 3

    def root(self):
        return Votes("")

class Votes(State):
    def __init__(self, cast):
        self.cast = cast

    @property
    def player(self):
        return len(self.cast) if len(self.cast) < 3 else TERMINAL

    def actions(self):
        return ("yes", "no")

    def child(self, action):
        return Votes(self.cast + action[0])

    def returns(self):
        return tuple(2.0 * (vote == "y") - self.cast.count("y") + 1.0 for vote in self.cast)

    def observation(self, player):
        return self.cast[player : player + 1]
"""


def test_the_players_of_an_own_game_are_numbered(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    bring(page, text_file(THREE_PLAYERS, "three.py"))
    page.get_by_text("three.py is in the list of games").wait_for()
    page.get_by_label("Iterations").fill("10")
    page.get_by_test_id("solve").click()
    note = page.get_by_test_id("names-note")
    all_three = (
        "Player 0 is the first player, player 1 the second player, player 2 the third player."
    )
    expect(note).to_contain_text(all_three)
    page.goto(f"{lab}/walk?game=three.py:Vote&algorithm=cfr&iterations=1")
    expect(note).to_contain_text(all_three)


def test_an_own_game_is_dropped_on_the_page(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    page.get_by_label("Game").wait_for()
    source = EXAMPLE.read_text().replace("HalfStreet", "Dropped")
    page.evaluate(
        """source => {
            const data = new DataTransfer();
            data.items.add(new File([source], "dropped.py"));
            const options = {bubbles: true, dataTransfer: data};
            for (const type of ["dragover", "drop"])
                document.body.dispatchEvent(new DragEvent(type, options));
        }""",
        source,
    )
    page.locator("select option[value='dropped.py:Dropped']").wait_for(state="attached")
    expect(page.get_by_label("Game")).to_have_value("dropped.py:Dropped")


def test_a_broken_file_is_reported_with_its_line(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    bring(page, text_file("x = 1\nclass ("))
    page.get_by_role("alert").filter(has_text="mine.py, line 2): SyntaxError").wait_for()
    page.locator(".own-game input[type=file]").set_input_files(text_file("#" * 200_000))
    page.get_by_role("alert").filter(has_text="at most 100,000 bytes").wait_for()


def test_without_permission_the_page_says_how(page: Any, address: str) -> None:
    with page.expect_response("**/api/own-code") as answer:
        page.goto(f"{address}/lab")
    assert not answer.value.json()["allowed"]
    page.locator(".own-game summary").click()
    page.locator(".own-game").filter(has_text="fogtree serve --own-code").wait_for()
    expect(page.locator(".own-game input")).to_have_count(0)


def test_parameters_are_sliders_lists_and_numbers(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    page.get_by_label("Game").select_option("leduc_poker")
    page.get_by_label("Iterations").fill("10")
    page.locator(".parameters summary").first.click()
    fields = page.locator(".parameter-fields label")
    ranks = fields.filter(has_text="ranks").locator("input[type=range]")
    expect(ranks).to_have_attribute("min", "2")
    expect(ranks).to_have_attribute("max", "13")
    ranks.press("ArrowRight")
    expect(fields.filter(has_text="ranks").locator("output")).to_have_text("4")
    expect(fields.filter(has_text="raises").locator("input[type=number]")).to_have_count(1)
    page.locator(".advanced summary").first.click()
    fields.filter(has_text="suit isomorphism").locator("select").select_option("true")
    with page.expect_request("**/api/lab") as asked:
        page.get_by_test_id("solve").click()
    game = json.loads(asked.value.post_data)["game"]
    assert game == "leduc_poker(ranks=4, suit_isomorphism=True)"
    page.get_by_label("Game").select_option("goofspiel")
    points = page.locator(".parameter-fields label").filter(has_text="order of the prizes")
    expect(points.locator("option")).to_have_text(["descending", "ascending", "random"])
    page.get_by_test_id("status").filter(has_text="finished").wait_for()


def test_a_stopped_solve_goes_on(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    page.get_by_label("Game").select_option("leduc_poker")
    page.get_by_label("Iterations").fill("10000000")
    page.get_by_test_id("solve").click()
    status = page.get_by_test_id("status")
    controls = page.get_by_role("group", name="Controls")
    page.get_by_test_id("numbers").wait_for()
    for button, said in (("Stop", "stopped"), ("Resume", "running"), ("Stop", "stopped")):
        controls.get_by_role("button", name=button).click()
        status.filter(has_text=said).wait_for()


def test_keys_lead_through_a_solution(page: Any, lab: str) -> None:
    page.goto(f"{lab}/lab")
    page.get_by_test_id("solve").click()
    page.get_by_test_id("status").filter(has_text="finished").wait_for()
    place, path = page.get_by_test_id("place"), page.locator("nav.path .step")
    place.filter(has_text="Chance decides").wait_for()
    page.get_by_test_id("status").click()  # the focus is not in a field
    told = (("1", "Choose an outcome"), ("2", "decides at J,"), ("2", "decides at Kb,"))
    for steps, (key, said) in enumerate(told, 1):
        page.keyboard.press(key)
        path.nth(steps - 1).wait_for()
        place.filter(has_text=said).wait_for()
        page.wait_for_function("() => !document.querySelector('.place button:disabled')")
    expect(path).to_have_text(["J", "K", "bet"])
    page.keyboard.press("Backspace")
    place.filter(has_text="decides at J,").wait_for()


def test_a_match_is_stopped_and_resumed(page: Any, lab: str) -> None:
    page.goto(f"{lab}/arena")
    page.get_by_label("Games per pair").fill("100000")
    page.get_by_test_id("start-match").click()
    match = page.get_by_test_id("match")
    for button, said in (("Stop", "stopped"), ("Resume", "running"), ("Stop", "stopped")):
        match.get_by_role("button", name=button).click()
        match.locator(".tag").filter(has_text=said).wait_for()


def test_a_training_run_is_started_watched_stopped_and_resumed(page: Any, lab: str) -> None:
    page.add_init_script("window.setInterval = () => 0")  # all parts follow the job, not a timer
    page.goto(f"{lab}/arena")
    form = page.get_by_role("form", name="New training run")
    form.get_by_label("Minutes").fill("60")
    form.get_by_label("Walks per iteration").fill("100")
    form.get_by_label("Network").select_option("32")
    page.get_by_test_id("start-training").click()
    training, curves = page.get_by_test_id("training"), page.get_by_test_id("run-curves")
    training.filter(has_text="iteration").wait_for()
    curves.filter(has_text="losses of the networks").wait_for()
    row = page.locator("[data-run='kuhn_poker-1']")
    row.filter(has_text="running").wait_for()
    training.get_by_role("button", name="Stop").click()
    training.locator(".tag").filter(has_text="stopped").wait_for()
    job = page.get_by_role("region", name="Jobs").locator("li").first
    expect(job.locator(".tag")).to_have_text("stopped")
    expect(job.get_by_role("button", name="Stop")).to_have_count(0)
    expect(row).not_to_contain_text("running")
    training.get_by_role("button", name="Resume").click()
    training.locator(".tag").filter(has_text="running").wait_for()
    training.get_by_role("button", name="Stop").click()
    training.locator(".tag").filter(has_text="stopped").wait_for()
    page.reload()
    page.get_by_label("Go on with kuhn_poker-1 for minutes").fill("60")
    page.get_by_test_id("go-on").click()
    row.filter(has_text="running").wait_for()
    training.get_by_role("button", name="Stop").click()
    training.locator(".tag").filter(has_text="stopped").wait_for()
    page.get_by_role("button", name="Let it play in the arena").click()
    expect(page.get_by_label("Network kuhn_poker-1")).to_be_checked()
    page.get_by_role("link", name="Play against it").click()
    expect(page.get_by_test_id("agent")).to_have_value("deep:kuhn_poker-1")


@pytest.mark.parametrize("algorithm", FOUR)
def test_the_walk_through_has_the_numbers_worked_out_by_hand(
    page: Any, lab: str, algorithm: str
) -> None:
    """Both deals of the worked example; the page writes five digits."""
    hand = KuhnByHand(algorithm)
    expected = [(name, row) for deal in ("JQ", "QK") for name, row in hand.play(*deal).items()]
    page.goto(f"{lab}/walk?game=kuhn_poker&deals=JQ,QK&algorithm={algorithm.replace('+', '%2B')}")
    columns = {"strategy": 1, "values": 2, "regret": 3, "cumulative_regret": 5, "next_strategy": 7}
    for number, (name, row) in enumerate(expected, 1):
        # All below is shown with it.
        expect(page.get_by_test_id("where")).to_contain_text(f"Step {number} of 8")
        assert page.locator(".tree .current").get_attribute("data-infoset") == name
        assert float(page.get_by_test_id("ev").inner_text()) == row["expected_value"]
        rows = page.get_by_test_id("numbers").locator("tbody tr").all()
        cells = [[float(c) for c in one.locator("td").all_inner_texts()[1:]] for one in rows]
        for field, column in columns.items():
            assert [one[column - 1] for one in cells] == pytest.approx(row[field], rel=1e-4), field
        page.keyboard.press("ArrowRight")


CROSSED_WORDS = """() => {
    const inside = (text, rect) => {
        const [word, ground] = [text.getBBox(), rect.getBBox()];
        return ground.x <= word.x && word.x + word.width <= ground.x + ground.width
            && ground.y <= word.y + 3 && word.y + word.height <= ground.y + ground.height + 3;
    };
    const met = (text, line) => {
        const word = text.getBBox();
        const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => line[name].baseVal.value);
        return [...Array(200).keys()].some((n) => {
            const [x, y] = [x1 + (x2 - x1) * n / 199, y1 + (y2 - y1) * n / 199];
            return word.x < x && x < word.x + word.width && word.y < y && y < word.y + word.height;
        });
    };
    const after = (one, other) => one.compareDocumentPosition(other) === 4;
    const all = (selector) => [...document.querySelectorAll(`.tree ${selector}`)];
    const grounds = all("rect");
    const crossed = (text) => all("line").some((line) => met(text, line)
        && !grounds.some((rect) => after(line, rect) && after(rect, text) && inside(text, rect)));
    const outside = (text) => {
        const box = text.closest(".node")?.querySelector("rect");
        return box != null && !inside(text, box);
    };
    return all("text").filter((text) => crossed(text) || outside(text)).map((t) => t.textContent);
}"""
"""Words of the tree that a line crosses, or that do not fit into their box."""


@pytest.mark.parametrize("asked", ["kuhn_poker&deals=JQ", "leduc_poker", "liars_dice(sides=2)"])
def test_no_line_of_the_tree_crosses_a_word(page: Any, lab: str, asked: str) -> None:
    page.goto(f"{lab}/walk?game={asked}")
    for number in range(1, 5):
        expect(page.get_by_test_id("where")).to_contain_text(f"Step {number} of ")
        assert page.evaluate(CROSSED_WORDS) == []
        page.keyboard.press("ArrowRight")


def test_where_the_inputs_of_a_step_stand(page: Any, lab: str) -> None:
    page.goto(f"{lab}/walk")
    inputs = page.get_by_test_id("inputs").locator("li")
    expected = [
        "v[check] = −EV of Qc (step 2) = −(1.25) = -1.25: what player 1 wins, player 0 loses",
        "v[bet] = −EV of Qb (step 4) = −(0.5) = -0.5: what player 1 wins, player 0 loses",
        "opponent reach = 1: nobody else has moved before",
        "own reach = 1: the player has not moved before",
        "R and σ: the first time here, so every regret is 0 and all actions are equally likely",
    ]
    expect(inputs).to_have_text(expected, use_inner_text=True)
    page.get_by_role("button", name="Qc (step 2)").click()
    page.get_by_role("button", name="Jcb (step 3)").first.click()
    inputs.filter(has_text="opponent reach = 0.5 (σ[bet] at Qc (step 2))").wait_for()
    inputs.filter(has_text="own reach = 0.5 (σ[check] at J (step 1))").wait_for()
    inputs.filter(has_text="v[call] = -2: the payoff where the game ends").wait_for()


def test_the_tree_shows_the_strategies_that_a_step_computes_with(page: Any, lab: str) -> None:
    """Player 1 learns against what player 0 has just learned: jack and king do not check."""
    page.goto(f"{lab}/walk?game=kuhn_poker&algorithm=cfr%2B&iterations=1")
    expect(page.get_by_test_id("ground-rules")).to_contain_text("Players learn in turn")
    page.get_by_role("slider", name="Step").fill("6")
    expect(page.get_by_test_id("where")).to_contain_text("Step 7 of 12")
    shares = page.locator(".tree .minor").filter(has_text="%")
    expect(shares).to_have_text(["0%", "50%", "50%", "0%"])
    inputs = page.get_by_test_id("inputs").locator("li")
    reach = "opponent reach = 0.16667 (chance) × 0 (σ′[check] at J (step 1)) + 0.16667 (chance)"
    expect(inputs.filter(has_text="opponent reach")).to_contain_text(reach)
    bet = inputs.filter(has_text="v[bet]")
    expect(bet).to_contain_text("0.5 × 1 + 0.5 × (-2) = -0.5")
    expect(bet).to_contain_text("J Q check: 1 × 1 + 0 × 2 = 1, with σ′[fold], σ′[call] at Jcb")


def test_the_leaves_of_the_tree_show_payoffs(page: Any, lab: str) -> None:
    page.goto(f"{lab}/walk?game=kuhn_poker&deals=JQ")
    leaves = page.locator(".tree [data-payoff]")
    for node in page.locator(".tree .node").all():  # every number says whose it is
        player = "P0" if "player0" in str(node.get_attribute("class")) else "P1"
        expect(node.locator("text.minor")).to_contain_text(f"{player} EV ")
    expect(leaves).to_have_text(["P1: +1", "P0: -1", "P0: -2", "P1: -1", "P1: +2"])


def test_steps_that_are_left_out_are_not_called_payoffs(page: Any, lab: str) -> None:
    page.goto(f"{lab}/walk?game=leduc_poker&algorithm=cfr&iterations=2")
    inputs = page.get_by_test_id("inputs").locator("li")
    inputs.filter(has_text="whose step is left out").first.wait_for()
    expect(inputs.filter(has_text="v[raise]")).not_to_contain_text("payoff")


def test_deals_are_offered(page: Any, lab: str) -> None:
    page.goto(f"{lab}/walk")
    offered = page.get_by_role("group", name="Add a deal").get_by_role("button")
    expect(offered).to_have_text(["JQ", "JK", "QJ", "QK", "KJ", "KQ"])
    offered.filter(has_text="KQ").click()
    page.get_by_role("button", name="Show").click()
    page.get_by_test_id("where").filter(has_text="Step 1 of 12").wait_for()
    page.get_by_label("Game").select_option("leduc_poker")
    page.get_by_role("button", name="Show").click()
    offered.filter(has_text="Js,Qh").click()
    page.get_by_role("button", name="Show").click()
    page.get_by_test_id("where").filter(has_text="deal Js,Qh").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_open_panels_fit_a_phone(browser: Any, lab: str, scheme: str) -> None:
    size = {"width": 390, "height": 844}
    with opened_page(browser, viewport=size, color_scheme=scheme) as page:
        page.goto(f"{lab}/lab")
        games = page.locator("form select").first
        games.select_option("cambia")
        page.locator(".parameters summary").first.click()
        page.locator(".own-game summary").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        games.select_option("kuhn_poker")
        page.get_by_test_id("solve").click()
        page.get_by_test_id("exact").wait_for()
        for part in ("infosets", "differences"):
            page.get_by_test_id(part).locator("summary").click()
        page.get_by_label("Differences").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    ("size", "motion"),
    [
        ((1280, 800), "no-preference"),
        ((390, 844), "reduce"),
        pytest.param((1280, 800), "reduce", marks=pytest.mark.slow),
        pytest.param((390, 844), "no-preference", marks=pytest.mark.slow),
    ],
)
def test_a_solve_leads_to_its_result(
    browser: Any, lab: str, size: tuple[int, int], motion: str
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with opened_page(browser, viewport=viewport, reduced_motion=motion) as page:
        page.goto(f"{lab}/lab")
        page.click("[data-testid=solve]")
        page.wait_for_selector("[data-testid=numbers]")
        progress = page.get_by_role("region", name="Progress")
        expect(progress).to_be_focused()
        page.wait_for_function(
            """() => {
                const top = document.activeElement.getBoundingClientRect().top;
                return Math.abs(top) < innerHeight / 4;
            }"""
        )
