"""Chess in a real browser: a whole game, a look into the fog, the review with its analysis, and
what a page tells of the fog."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the tests of pages need Playwright")
pytest.importorskip("uvicorn", reason="needs the web app: pip install 'fogtree[web]'")

from playwright.sync_api import expect

from tests.support.fog_chess_twins import Twins, twin_games
from tests.support.web_pages import boxes, opened_page, start_chess
from tests.support.web_server import SECONDS, ServerProcess, running

pytestmark = pytest.mark.long

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


def square(page: Any, name: str) -> Any:
    return page.locator(f"[data-square={name}]")


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
            expect(one.get_by_test_id("from-all")).to_be_visible()
            expect(one.get_by_test_id("status")).to_have_text(words)
    step_through(page)
    keys_and_clicks_in_one_frame(page)


def step_through(page: Any) -> None:
    """Replay: forwards and back, from either side and all-seeing."""
    ply = page.get_by_test_id("ply")
    expect(ply).to_have_text("5 of 5")
    page.click("[data-testid=first]")
    expect(page.locator("[data-piece]")).to_have_count(32)
    page.click("[data-testid=next]")
    expect(square(page, "e4")).to_have_attribute("data-piece", "P")
    page.keyboard.press("ArrowRight")
    expect(square(page, "f6")).to_have_attribute("data-piece", "p")
    page.click("[data-testid=from-0]")
    expect(page.locator("[data-testid=from-0][aria-pressed=true]")).to_be_visible()
    expect(page.locator("[data-square=f6]:not([data-piece])")).to_be_visible()
    page.keyboard.press("End")
    page.click("[data-testid=back]")
    page.click("[data-testid=from-1]")
    expect(ply).to_have_text("4 of 5")
    expect(square(page, "a6")).to_have_attribute("data-piece", "p")
    expect(page.locator("[data-square=h5]:not([data-piece])")).to_be_visible()
    page.click("[data-testid=from-all]")
    expect(square(page, "h5")).to_have_attribute("data-piece", "Q")


def keys_and_clicks_in_one_frame(page: Any) -> None:
    """A key acts on what is shown now, also before it is painted."""
    page.keyboard.press("Home")
    expect(page.get_by_test_id("ply")).to_have_text("0 of 5")
    page.evaluate(
        """async () => {
            const press = (key) => document.body.dispatchEvent(
                new KeyboardEvent("keydown", {key, bubbles: true}));
            const now = () => document.querySelector("[data-testid=ply]").innerText;
            const steps = [
                () => document.querySelector("[data-testid=next]").click(),
                () => press("ArrowRight"),
                () => press("ArrowRight"),
                () => document.querySelector("[data-testid=next]").click(),
            ];
            for (const [number, step] of steps.entries()) {
                step();
                await null;  // what a browser waits for between two events
                if (now() !== `${number + 1} of 5`) throw new Error(`${number + 1}: ${now()}`);
            }
        }"""
    )


def answer(other: Any, move: str) -> None:
    """Play a move from a connection of the other side, as soon as it is its turn."""
    while True:
        event = json.loads(other.recv(SECONDS))
        if event.get("turn"):
            other.send(json.dumps({"type": "act", "at": event["n"], "action": move}))
            return


def test_a_move_set_in_advance_is_played_in_its_turn_or_withdrawn(
    page: Any, server: ServerProcess
) -> None:
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page.goto(seat_link(server, game, 0))
    status = page.get_by_test_id("status")
    with server.seat(game, 1) as other:
        click_move(page, "e2e4")
        page.click("[data-square=d2]")
        page.click("[data-square=d3]")
        expect(status).to_contain_text("Next move: d2 to d3.")
        answer(other, "e7e5")
        expect(page.locator(".move-list td:nth-child(2)")).to_have_text(["e4", "d3"])
        expect(square(page, "d3")).to_have_attribute("data-piece", "P")
        expect(status).to_contain_text("The other side is thinking.")
        page.click("[data-square=a2]")
        page.click("[data-square=a3]")
        expect(status).to_contain_text("Next move: a2 to a3.")
        page.keyboard.press("Escape")
        expect(status).not_to_contain_text("Next move")
        page.click("[data-square=a2]")
        page.click("[data-square=a3]")
        expect(status).to_contain_text("Next move: a2 to a3.")
        page.click("[data-square=c4]")  # without a piece of ours
        expect(status).not_to_contain_text("Next move")
        page.click("[data-square=a2]")
        page.click("[data-square=a7]")  # it will not be possible
        expect(status).to_contain_text("Next move: a2 to a7.")
        answer(other, "d7d6")
        expect(status).to_contain_text("Your turn.")
        expect(square(page, "a2")).to_have_attribute("data-piece", "P")


def test_a_move_set_in_advance_outlives_a_reload(page: Any, server: ServerProcess) -> None:
    """It is played at the decision for which it was set, also if that came while the page was away,
    and at no other one."""
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page.goto(seat_link(server, game, 0))
    status, own = page.get_by_test_id("status"), page.locator(".move-list td:nth-child(2)")
    with server.seat(game, 1) as black, server.seat(game, 0) as white:
        click_move(page, "e2e4")
        page.click("[data-square=d2]")
        page.click("[data-square=d3]")
        expect(status).to_contain_text("Next move: d2 to d3.")
        page.reload()
        expect(status).to_contain_text("Next move: d2 to d3.")
        expect(own).to_have_text(["e4"])
        answer(black, "a7a6")
        expect(own).to_have_text(["e4", "d3"])
        page.click("[data-square=h2]")
        page.click("[data-square=h3]")
        expect(status).to_contain_text("Next move: h2 to h3.")
        address = page.url
        page.goto(f"{server.address}/api/version")
        answer(black, "b7b6")
        page.goto(address)
        expect(own).to_have_text(["e4", "d3", "h3"])
        page.click("[data-square=a2]")
        page.click("[data-square=a3]")
        expect(status).to_contain_text("Next move: a2 to a3.")
        page.goto(f"{server.address}/api/version")
        answer(black, "c7c6")
        answer_at(white, 6, "g2g3")
        answer(black, "d7d6")
        page.goto(address)
        expect(own).to_have_text(["e4", "d3", "h3", "g3"])
        expect(status).to_contain_text("Your turn.")
        expect(status).not_to_contain_text("Next move")
        page.reload()
        expect(status).to_contain_text("Your turn.")
        expect(own).to_have_text(["e4", "d3", "h3", "g3"])


def answer_at(side: Any, ply: int, move: str) -> None:
    """Play a move from a connection of a side that hears of all its turns, after so many moves."""
    while True:
        event = json.loads(side.recv(SECONDS))
        if event.get("turn") and event["view"]["ply"] == ply:
            side.send(json.dumps({"type": "act", "at": event["n"], "action": move}))
            return


KINGS = 'fog_chess(fen="k7/8/8/8/8/8/8/K7 w - - 0 1")'
RINGS = (
    [*(f"{file}1" for file in "abcdefgh"), *(f"{file}2" for file in "hgfedcba")],
    [*(f"{file}8" for file in "abcdefg"), *(f"{file}7" for file in "gfedcba")],
)
"""The ways of both kings around two ranks, of different lengths, so that no position comes
again."""


def test_many_views_at_once_are_one_question_who_is_there(page: Any, server: ServerProcess) -> None:
    """The page asks again when they are all here, after a break and after a reload; a question for
    each of them would be too many messages."""
    page.add_init_script(
        """const every = window.setInterval;
        window.setInterval = (work, time) => time === 3000 ? 0 : every(work, time);"""
    )  # does not ask now and then
    asked: list[str] = []
    sockets: list[Any] = []
    away = False

    def between(socket: Any) -> None:
        if away:
            socket.close()
            return
        sockets.append(socket)
        to_server = socket.connect_to_server()

        def pass_on(message: str) -> None:
            if json.loads(message)["type"] == "present":
                asked.append(message)
            to_server.send(message)

        socket.on_message(pass_on)

    page.route_web_socket("**/ws/games/*", between)
    game = server.post("/api/games", {"game": KINGS, "seats": [{}, {}]})
    with server.seat(game, 1) as black:
        page.goto(seat_link(server, game, 0))
        presence, moves = page.get_by_test_id("presence"), page.locator(".move-list td > span")
        expect(presence).to_have_text("is here")
        asked.clear()
        away = True
        sockets[-1].close()
        expect(page.get_by_text("The connection to the server is lost.")).to_be_visible()
        with server.seat(game, 0) as white:
            for ply in range(80):
                ring = RINGS[ply % 2]
                start, end = (ring[(ply // 2 + step) % len(ring)] for step in (0, 1))
                answer((white, black)[ply % 2], start + end)
            away = False
            expect(moves).to_have_count(80)
            while len(asked) < 1:
                page.wait_for_timeout(20)
            page.reload()
            expect(moves).to_have_count(80)
            expect(presence).to_have_text("is here")
        assert len(asked) == 2
        expect(page.get_by_test_id("refused")).to_have_text("")


def test_a_second_action_is_not_sent_before_the_answer(page: Any, server: ServerProcess) -> None:
    """A typed move right after another one is not played for the position before."""
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page.goto(seat_link(server, game, 0))
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    sent = page.evaluate(
        """async () => {
            const sent = [];
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (text) {
                sent.push(JSON.parse(text).action);
                send.call(this, text);
            };
            const field = document.querySelector("[data-testid=typed-move]");
            for (const move of ["e4", "d4"]) {
                field.value = move;
                field.dispatchEvent(new InputEvent("input", {bubbles: true}));
                await null;
                field.form.requestSubmit();
                await null;
            }
            return sent;
        }"""
    )
    assert sent == ["e2e4"]
    expect(page.get_by_text("It is not your turn.")).to_be_visible()
    expect(page.locator(".move-list td:nth-child(2)")).to_have_text(["e4"])


def test_the_list_of_moves_has_what_was_seen(page: Any, server: ServerProcess) -> None:
    spec = 'fog_chess(fen="4k3/4p2b/8/8/8/8/4R3/4K3 w - - 0 1")'
    game = server.post("/api/games", {"game": spec, "seats": [{}, {}]})
    page.goto(seat_link(server, game, 0))
    answers = page.locator(".move-list td:nth-child(3)")
    with server.seat(game, 1) as black:
        for move, answer, seen in (
            ("e2e3", "e7e5", "e5"),  # a square of the rook's file
            ("e1f1", "e8d8", "?"),
            ("e3e4", "h7e4", "?xe4"),  # nobody sees what took the rook
        ):
            click_move(page, move)
            while not (event := json.loads(black.recv(SECONDS))).get("turn"):
                pass
            black.send(json.dumps({"type": "act", "at": event["n"], "action": answer}))
            page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
            expect(answers.last).to_have_text(seen)


def test_a_look_into_the_fog_and_the_analysis_afterwards(page: Any, server: ServerProcess) -> None:
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {"agent": "random"}]})
    page.goto(seat_link(server, game, 0))
    click_move(page, "a2a3")  # from here no answer of Black's is seen
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    page.check("[data-testid=look]")
    panel = page.locator(".fog-panel")
    panel.locator("tbody tr").first.wait_for()
    expect(page.locator("[data-ghost]").nth(10)).to_be_attached()
    for ghost in page.locator("[data-ghost]").all():  # also those without a number
        name = rf"^{ghost.get_attribute('data-square')}, .*, (probably|perhaps) a black .* %$"
        expect(ghost).to_have_attribute("aria-label", re.compile(name))
    panel.get_by_label("Less likely board").click()
    panel.get_by_text("Guess 1 of").wait_for()
    expect(page.get_by_test_id("board-note")).to_contain_text("Guess 1 of")
    panel.get_by_text("all together").click()
    panel.get_by_label("Show").select_option("k")
    expect(page.locator("[data-ghost=k]").first).to_be_attached()
    expect(page.locator("[data-ghost]:not([data-ghost=k])")).to_have_count(0)
    page.click("[data-testid=resign]")
    page.click("[data-testid=confirm-resign]")
    page.click("[data-testid=analyse-1]")
    page.click("[data-testid=back]")
    analysis = page.get_by_label("Analysis", exact=True)
    analysis.get_by_text("Next, Black played").wait_for()
    expect(analysis.locator("canvas, svg").first).to_be_visible()
    shares = analysis.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert 95 < sum(float(share.rstrip(" %").split()[-1]) for share in shares) < 105


@pytest.mark.parametrize("width", [1280, 390])
def test_the_note_of_a_guessed_board_covers_nothing(
    browser: Any, server: ServerProcess, width: int
) -> None:
    """Neither a clock nor the board; and the buttons that step stand on one line."""
    game = server.post(
        "/api/games",
        {
            "game": "fog_chess",
            "seats": [{}, {"agent": "random"}],
            "clock": {"seconds": 3600, "increment": 0},
            "casual": True,
        },
    )
    with opened_page(browser, viewport={"width": width, "height": 844}) as page:
        page.goto(seat_link(server, game, 0))
        click_move(page, "a2a3")
        page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
        before = below_the_first_bar(page)
        page.check("[data-testid=look]")
        expect(page.locator(".fog-panel tbody tr").first).to_be_visible()
        assert below_the_first_bar(page) == before  # the board stays where it is
        page.get_by_label("Less likely board").click()
        expect(page.get_by_test_id("boards")).to_contain_text("Guess 1 of")
        assert below_the_first_bar(page) == before
        assert page.locator(".clock").count() == 2
        (note,), parts, steps = boxes(
            page,
            "[data-testid=board-note]",
            ".clock, .player-bar, .board",
            ".board-steps > :nth-child(-n + 3)",
        )
        assert all(apart(note, part) for part in parts), (note, parts)
        likelier, words, less_likely = steps
        assert likelier["y"] == less_likely["y"]
        assert likelier["x"] < words["x"] < less_likely["x"]
        assert words["y"] < likelier["y"] + likelier["height"]


def below_the_first_bar(page: Any) -> float:
    """How far below the upper player's line the board begins, in pixels."""
    bars, (board, *_) = boxes(page, ".player-bar", ".board")
    return round(board["y"] - bars[0]["y"], 2)


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether two boxes have no common point inside."""
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"]
        or other["y"] + other["height"] <= one["y"]
    )


def board_box(page: Any) -> list[float]:
    """Where the board is on the page, however far it is scrolled, and how large."""
    found: list[float] = page.evaluate(
        """() => {
            const box = document.querySelector(".board").getBoundingClientRect();
            return [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round);
        }"""
    )
    return found


def test_the_board_stays_where_it_is_from_the_form_to_the_look(
    page: Any, server: ServerProcess
) -> None:
    """Somebody who begins on the board of the form, and looks into the fog in mid-game, clicks on
    the same square as before."""
    page.goto(f"{server.address}/chess")
    page.get_by_test_id("strength").fill("1")
    expect(page.get_by_test_id("preview")).to_be_visible()
    before = board_box(page)
    page.click("[data-square=e2]")
    page.click("[data-square=e4]")
    page.wait_for_selector("[data-testid=typed-move]")
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    assert board_box(page) == before
    page.check("[data-testid=look]")
    expect(page.locator(".fog-panel tbody tr").first).to_be_visible()
    assert board_box(page) == before
    page.uncheck("[data-testid=look]")
    assert board_box(page) == before


def test_the_help_is_found_before_the_game_and_stays_open(page: Any, server: ServerProcess) -> None:
    page.goto(f"{server.address}/chess")
    page.get_by_test_id("strength").fill("1")
    text = page.get_by_test_id("chess-help")
    expect(text.get_by_text("Nobody tells you of a check")).to_be_hidden()
    text.locator("summary").click()
    expect(text.get_by_text("Castling: move the king two squares.")).to_be_visible()
    expect(text.get_by_role("heading")).to_have_text(
        ["Fog", "Moving", "Signs in the list of moves", "Marks of your own", "Keys"]
    )
    page.get_by_test_id("start").click()
    for move in ("a2a3", "b2b3", "c2c3"):
        click_move(page, move)
    page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
    expect(text.get_by_text("To cancel a move set in advance")).to_be_visible()
    text.locator("summary").click()
    click_move(page, "d2d3")
    expect(text.get_by_text("To cancel a move set in advance")).to_be_hidden()


def watched_game(
    page: Any, server: ServerProcess, twins: Twins, line: Sequence[str]
) -> list[tuple[str, str]]:
    """What the page of one seat shows and plays after every ply, while the other one is played by a
    program."""
    seats = [{}, {}]
    game = server.post("/api/games", {"game": "fog_chess", "seats": seats})
    page.goto(seat_link(server, game, twins.player))
    page.wait_for_selector("[data-testid=typed-move]")
    page.click("h1", force=True)
    page.wait_for_function("navigator.userActivation.hasBeenActive")  # sounds only after a click
    shown = page.locator(".move-list td > span")
    seen, at = [], 0
    with server.seat(game, 1 - twins.player) as other:
        expect(page.get_by_test_id("presence")).to_have_text("is here")  # it asks now and then
        for ply, move in enumerate(line):
            if ply % 2 == twins.player:
                page.fill("[data-testid=typed-move]", move)
                page.keyboard.press("Enter")
            while at < ply + 2:  # the view before this ply
                at = json.loads(other.recv(SECONDS)).get("n", at)
            if ply % 2 != twins.player:
                other.send(json.dumps({"type": "act", "at": at, "action": move}))
            expect(shown).to_have_count(ply + 1)  # the sound was played in the same moment
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


def test_own_marks_are_set_by_touch_and_with_a_button(browser: Any, server: ServerProcess) -> None:
    size = {"width": 390, "height": 844}
    with opened_page(browser, viewport=size, has_touch=True, is_mobile=True) as page:
        start_chess(page, server.address)
        page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
        own = page.locator(".square[data-piece]").first
        for place in (own, square(page, "c5")):  # a long press, on an own piece too
            name = place.get_attribute("data-square")
            touch(page, name, 600)
            expect(square(page, name).locator(".marker")).to_have_count(1)
        expect(page.locator(".square.picked")).to_have_count(0)
        touch(page, "c5", 600)
        expect(page.locator(".marker")).to_have_count(1)
        touch(page, own.get_attribute("data-square"), 470)  # the browser calls it a tap as well
        expect(page.locator(".marker")).to_have_count(0)
        own.tap()
        expect(page.locator(".square.picked")).to_have_count(1)  # by this tap, not dropped by it
        page.get_by_test_id("marking").tap()
        square(page, "d5").tap()
        expect(square(page, "d5").locator(".marker")).to_have_count(1)
        page.drag_and_drop("[data-square=d5]", "[data-square=f6]")
        expect(page.locator(".arrow.own")).to_have_count(1)
        page.get_by_test_id("marking").tap()
        own.tap()
        expect(page.locator(".square.picked")).to_have_count(1)  # moves again
        page.get_by_role("button", name="Clear my marks").tap()
        expect(page.locator(".marker, .arrow.own")).to_have_count(0)


LONG_PRESSES = """
window.pressed = new Map();
const [begin, end] = [window.setTimeout, window.clearTimeout];
window.setTimeout = (work, time) => {
    if (time !== 450) return begin(work, time);
    const number = -1 - pressed.size;
    pressed.set(number, work);
    return number;
};
window.clearTimeout = (number) => pressed.delete(number) || end(number);
"""
"""Keeps what is to be done after a long press, instead of doing it when its time has passed."""


def test_a_piece_that_is_dragged_slowly_by_touch_is_not_marked(
    browser: Any, server: ServerProcess
) -> None:
    """The finger moves little at first, so that the piece follows it, and rests there for the time
    of a long press."""
    size = {"width": 390, "height": 844}
    with opened_page(browser, viewport=size, has_touch=True, is_mobile=True) as page:
        page.add_init_script(LONG_PRESSES)
        start_chess(page, server.address)
        page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
        first, last = (square(page, name).bounding_box() for name in ("e2", "e4"))
        session = page.context.new_cdp_session(page)

        def finger(kind: str, box: dict[str, float], down: float = 0.0) -> None:
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - down
            points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
            touched = {"type": kind, "touchPoints": points}
            session.send("Input.dispatchTouchEvent", touched)

        finger("touchStart", first)
        finger("touchMove", first, 6)
        expect(page.locator(".square.picked")).to_have_count(1)
        page.evaluate("() => pressed.forEach((work) => work())")
        finger("touchMove", last)
        finger("touchEnd", last)
        expect(square(page, "e4")).to_have_attribute("data-piece", "P")
        expect(page.locator(".marker")).to_have_count(0)


def test_a_press_that_ends_outside_the_board_does_not_change_the_next_one(
    page: Any, server: ServerProcess
) -> None:
    game = server.post("/api/games", {"game": "fog_chess", "seats": [{}, {}]})
    page.goto(seat_link(server, game, 0))
    marking = page.get_by_test_id("marking")
    with server.seat(game, 1) as other:
        for button, move, reply in (("right", "e2e4", "e7e6"), ("left", "d2d4", "d7d6")):
            page.wait_for_selector("[data-testid=status]:has-text('Your turn')")
            if button == "left":
                marking.click()
            square(page, "c5").hover()
            page.mouse.down(button=button)
            page.mouse.move(2, 2)
            page.mouse.up(button=button)
            if button == "left":
                marking.click()
            drag_move(page, move)
            expect(square(page, move[2:])).to_have_attribute("data-piece", "P")
            expect(page.locator(".arrow.own, .marker")).to_have_count(0)
            answer(other, reply)


def touch(page: Any, name: str, milliseconds: int) -> None:
    """Keep a finger on a square, by the clock of the page: after its timers that end sooner."""
    box = square(page, name).bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.evaluate("time => new Promise(done => setTimeout(done, time))", milliseconds)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
