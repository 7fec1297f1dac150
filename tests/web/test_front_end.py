"""The front end without a browser: how numbers and moves are written, and that generic code names
no game."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fogtree.registry import game_names
from tests.support.paths import ROOT

WEB = ROOT / "web"
SOURCE = WEB / "src"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (WEB / "node_modules" / "esbuild").exists(),
    reason="needs Node and the packages of web/",
)
OF_GAMES = re.compile(
    r"chess/|table/(battleship|cambia|choice|dice|goofspiel|hex|phantom|poker|table_parts)"
    r"|registered_games|first_games|pages/home"
)
"""Files that belong to games, and the three lists of them: those with parts of their own, those
with which a page begins, and the first page."""


def evaluated(module: str, expression: str, folder: Path) -> Any:
    """What an expression is in JavaScript, where ``m`` is a module of the front end."""
    built = folder / "module.mjs"
    command = ["node_modules/.bin/esbuild", f"src/{module}", "--bundle", "--format=esm"]
    subprocess.run([*command, f"--outfile={built}", "--log-level=error"], cwd=WEB, check=True)
    script = (
        f"import * as m from {json.dumps(str(built))};console.log(JSON.stringify({expression}))"
    )
    run = ["node", "--input-type=module", "-e", script]
    return json.loads(subprocess.run(run, check=True, capture_output=True).stdout)


def test_scripts_use_functions_of_the_year_of_their_syntax() -> None:
    """A browser that reads the script has all its functions, which the compiler checks."""
    year = re.search(r'target: "(es\d{4})"', (WEB / "build.mjs").read_text())
    assert year is not None
    options = json.loads((WEB / "tsconfig.json").read_text())["compilerOptions"]
    assert options["lib"][0].lower() == year[1]


def test_generic_code_names_no_game() -> None:
    names = {*game_names(), "chess", "cambia", "poker", "kuhn", "leduc"}
    named = re.compile("|".join(sorted(names)), re.IGNORECASE)
    for path in sorted(SOURCE.rglob("*.ts*")):
        file = path.relative_to(SOURCE).as_posix()
        if not OF_GAMES.match(file):
            assert not named.findall(path.read_text()), file


@needs_node
@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("number(0.001)", "0.001"),
        ("number(1e-4)", "0.0001"),
        ("number(9.99999999e-5)", "0.0001"),
        ("number(1e-5)", "1e-5"),
        ("number(-1/18)", "-0.055556"),
        ("number(10000)", "10,000"),
        ("number(1e6)", "1e6"),
        ("number(0.5)", "0.5"),
        ("number(null)", "–"),
        ("rough(0.000512345)", "0.000512"),
        ("rough(0.0000512345)", "5.12e-5"),
        ("rough(123.456)", "123"),
        ("rough(12345.6)", "12,346"),
    ],
)
def test_a_number_is_written_in_one_way(call: str, text: str, tmp_path: Path) -> None:
    assert evaluated("study/numbers.ts", f"m.{call}", tmp_path) == text


@needs_node
def test_one_thing_is_no_plural(tmp_path: Path) -> None:
    words = evaluated("values.ts", "[-1, 0, 1, 2].map(n => m.counted(n, 'point'))", tmp_path)
    assert words == ["-1 points", "0 points", "1 point", "2 points"]


@needs_node
def test_what_is_possible_is_never_called_0_percent(tmp_path: Path) -> None:
    shares = "[0, 1e-4, 0.0049, 0.005, 0.43, 0.994, 0.995, 0.9999, 1 - 1e-9, 1]"
    words = evaluated("values.ts", f"{shares}.map(m.percent)", tmp_path)
    assert words == [
        *("0 %", "under 1 %", "under 1 %", "1 %", "43 %"),
        *("99 %", "over 99 %", "over 99 %", "100 %", "100 %"),
    ]


@needs_node
@pytest.mark.parametrize(
    ("mix", "p_max", "words"),
    [
        ({"a": (1, 1, 0)}, 0, "Only one move is possible."),
        ({"a": (1, 1, 0.3), "b": (0, 0, 0.1)}, 0, "One move is clearly best."),
        ({"a": (1, 1, 0.3), "b": (0, 0, 0.1)}, 1, "One move is clearly best."),
        ({"a": (1, 1, -0.762), "b": (0, 0, -0.766)}, 0, "The solver always plays one move."),
        ({"a": (1, 1, -0.762), "b": (0, 0, -0.5)}, 1, "The solver always plays one move."),
        (
            {"a": (1, 0.97, 0.3), "b": (0, 0.03, 0.1)},
            0,
            "The plan is safe, and one move is clearly best.",
        ),
        (
            {"a": (1, 0.97, 0.3), "b": (0, 0.03, 0.25)},
            0,
            "The plan is safe, and the search always plays the same move.",
        ),
        (
            {"a": (0.6, 0.6, 0.3), "b": (0.4, 0.4, 0)},
            0,
            "The plan is safe: the search chooses between moves by chance.",
        ),
        (
            {"a": (1, 0.6, 0.3), "b": (0, 0.4, 0)},
            0.3,
            "The search is not sure that its mix of moves is safe, "
            "so it plays only the likeliest move.",
        ),
    ],
)
def test_the_sentence_on_the_plan_fits_its_table(
    mix: dict[str, tuple[float, float, float]], p_max: float, words: str, tmp_path: Path
) -> None:
    """Each move with the probability with which the search plays it, that of the solver, and its
    value."""
    candidates = [
        {"action": move, "probability": played, "strategy": solved, "value": value}
        for move, (played, solved, value) in mix.items()
    ]
    look = json.dumps({"p_max": p_max, "candidates": candidates})
    assert evaluated("chess/look.ts", f"m.safetyText({look}).short", tmp_path) == words


@needs_node
@pytest.mark.parametrize(
    ("best", "played", "digits"),
    [(7.87449, 7.68851, 4), (7.874, 7.688, 3), (0.5, 0.25, 2), (-0.25, -0.5, 2), (1, 1.0, 2)],
)
def test_a_difference_fits_the_values_beside_it(
    best: float, played: float, digits: int, tmp_path: Path
) -> None:
    found = evaluated("values.ts", f"m.differenceDigits({best}, {played})", tmp_path)
    assert found == digits
    assert round(round(best, found) - round(played, found), found) == round(best - played, found)


@needs_node
@pytest.mark.parametrize(
    ("returns", "seat", "reason", "words"),
    [
        ([1, -1], 1, "black resigned", "You lost: you resigned."),
        ([1, -1], 0, "black resigned", "You won: black resigned."),
        ([1, -1, 1], 1, "second player ran out of time", "You lost: you ran out of time."),
        ([1, -1], 1, "White wins: king captured.", "You lost: king captured."),
        ([0, 0], 0, "drawn by agreement", "A draw: drawn by agreement."),
    ],
)
def test_how_a_game_ended_is_said_to_a_player(
    returns: list[int], seat: int, reason: str, words: str, tmp_path: Path
) -> None:
    call = f"m.resultText({returns}, {seat}, {json.dumps(reason)})"
    assert evaluated("result_text.ts", call, tmp_path) == words


@needs_node
def test_numbers_of_a_column_are_written_alike(tmp_path: Path) -> None:
    calls = "[m.column([-1/18, 0.25, null, 1e-7]), m.column([1e-7, 2.5e-6, 0])"
    calls += ", m.magnitudes([0.5, 0.001, 0.00005, 0]), m.magnitudes([0.5, 0.001])]"
    values, tiny, sizes, plain = evaluated("study/numbers.ts", calls, tmp_path)
    assert values == ["-0.055556", "0.250000", "–", "0.000000"]
    assert tiny == ["1.0000e-7", "2.5000e-6", "0"]
    assert sizes == ["5.00e-1", "1.00e-3", "5.00e-5", "0"]
    assert plain == ["0.500", "0.00100"]


@needs_node
@pytest.mark.parametrize(
    ("ghost", "words"),
    [
        ({"piece": "r", "share": 0.43}, "perhaps a black rook, 43 %"),
        ({"piece": "r", "share": 0.5}, "probably a black rook, 50 %"),
        ({"piece": "K", "share": 0.9985}, "probably a white king, over 99 %"),
        ({"piece": "q", "share": 0.06, "guessed": True}, "in this guess a black queen"),
    ],
)
def test_a_piece_in_the_fog_has_a_name_and_a_probability(
    ghost: dict[str, Any], words: str, tmp_path: Path
) -> None:
    call = f"m.describeGhost({json.dumps(ghost)})"
    assert evaluated("chess/squares.ts", call, tmp_path) == words


def board(**pieces: str) -> str:
    """Marks of a board seen by White: pieces on some squares, ``fog`` on others, the rest empty."""
    marks = ["."] * 64
    for mark, squares in pieces.items():
        for square in squares.split():
            letter = "?" if mark == "fog" else mark
            marks["abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)] = letter
    return "".join(marks)


@needs_node
@pytest.mark.parametrize(
    ("before", "after", "move"),
    [
        (board(K="a1", R="e1", p="d2"), board(K="a1", q="e1"), "dxe1=Q"),
        (board(K="a1", R="e1", p="f2"), board(K="a1", n="e1"), "fxe1=N"),
        (board(K="a1", R="e1", q="e5"), board(K="a1", q="e1"), "Qxe1"),
        (board(K="a1", R="e1"), board(K="a1", q="e1"), "Qxe1"),  # no pawn was near
        (board(K="a1", R="e1", fog="d2"), board(K="a1", q="e1", fog="d2"), "?xe1"),
        (board(K="a1", R="e1", p="d2"), board(K="a1", q="e1", fog="d2"), "?xe1"),
        (board(K="a1", R="e1", p="d2", q="e5"), board(K="a1", q="e1", fog="d2"), "Qxe1"),
        (board(K="a1", R="e4", p="d5"), board(K="a1", p="e4"), "dxe4"),
        (board(K="a1", p="e2"), board(K="a1", q="e1"), "e1=Q"),
        (board(K="a1", q="e5"), board(K="a1", q="e1"), "Qe1"),
    ],
)
def test_a_pawn_that_becomes_another_piece_is_written_as_a_pawn(
    before: str, after: str, move: str, tmp_path: Path
) -> None:
    """As far as it was seen: a capture that a pawn in the fog may have made is by nobody known."""
    view = "{view: {kind: 'chess', marks: %s, mover: %d, side: 0, ply: %d}, actions: []}"
    views = [view % (json.dumps(before), 1, 1), view % (json.dumps(after), 0, 2)]
    call = f"m.follow(m.NOTHING_KNOWN, [{', '.join(views)}]).plies.map((one) => one.san)"
    assert evaluated("chess/history.ts", call, tmp_path) == [move]


@needs_node
def test_a_look_says_how_positions_count_whoever_reads_it(tmp_path: Path) -> None:
    """In a review it may be about the other side, and the earlier search may not be at its last
    decision."""
    words = evaluated("chess/look.ts", "m.weightsText({even: false})", tmp_path)
    assert words == (
        "Half of each probability comes from an earlier search; "
        "the other half counts all positions the same."
    )


@needs_node
def test_a_move_has_the_numbers_of_the_search_that_judged_it(tmp_path: Path) -> None:
    plain = {"action": "a2a3", "label": "a3", "probability": 1.0, "value": 0.1, "visits": 90}
    judged = {**plain, "action": "d4d6", "judged": {"value": -0.4, "visits": 100}}
    script = f"m.readLook({json.dumps({'candidates': [plain, judged]})}).candidates"
    numbers = {"value": -0.4, "visits": 100}
    found = evaluated("chess/look.ts", script, tmp_path)
    assert found == [plain, {**plain, "action": "d4d6", **numbers}]


@needs_node
@pytest.mark.parametrize(("by_rules", "loss", "sign"), [(True, 1.1, "??"), (False, 0.0, "")])
def test_a_resignation_is_no_consequence_of_the_last_move(
    tmp_path: Path, by_rules: bool, loss: float, sign: str
) -> None:
    played = {"action": "a2a3", "label": "a3", "probability": 0.0, "value": 0.1, "visits": 90}
    look = json.dumps({"value": 0.1, "positions": 1, "candidates": [played]})
    plies = [{"action": None}, {"action": "a2a3"}]
    review = json.dumps({"plies": plies, "returns": [-1.0, 1.0], "by_rules": by_rules})
    script = f"m.verdictOn({{ seat: 0, looks: new Map([[0, {look}]]) }}, {review}, 0)"
    found = evaluated("chess/marks.ts", script, tmp_path)
    assert (found["loss"], found["sign"]) == (pytest.approx(loss), sign)


@needs_node
def test_boards_and_positions_of_a_look_are_told_apart(tmp_path: Path) -> None:
    def text(
        boards: int, positions: int, *, more: bool, even: bool, complete: bool = True, each: int = 1
    ) -> str:
        look = {
            "boards": [{"share": round(each / positions, 4)}] * boards,
            "positions": positions,
            "more_boards": more,
            "even": even,
            "complete": complete,
        }
        script = f"m.boardsText({json.dumps(look)})"
        return str(evaluated("chess/possible_boards.ts", script, tmp_path))

    rest = " shown; the others cannot be stepped through"
    assert text(12, 30, more=True, even=False) == f"12 likeliest boards of 30 positions{rest}"
    assert text(12, 30, more=True, even=True) == f"12 of 30 positions{rest}"
    assert text(12, 50, more=True, even=True, each=2) == f"12 boards of 50 positions{rest}"
    assert text(13, 13, more=False, even=True) == "all 13 positions"
    assert text(12, 13, more=False, even=True).startswith("12 boards: all 13 positions")
    told = text(12, 5000, more=True, even=False, complete=False)
    assert told == f"12 likeliest boards of more than 5,000 positions{rest}"


@needs_node
def test_a_guessed_board_is_told_with_how_many_there_are(tmp_path: Path) -> None:
    look = {
        "boards": [{"share": 0.06}, {"share": 0.0}],
        "positions": 106,
        "more_boards": True,
        "even": False,
        "complete": True,
    }
    calls = f"[0, 1].map((n) => m.guessOfAllText({json.dumps(look)}, n))"
    first, second = evaluated("chess/possible_boards.ts", calls, tmp_path)
    rest = "2 likeliest boards of 106 positions shown; the others cannot be stepped through."
    assert first == f"Guess 1 of 2: 6 % likely. {rest}"
    assert second == f"Guess 2 of 2: under 1 % likely. {rest}"
    last = f"m.guessOfAllText({json.dumps({**look, 'more_boards': False})}, 0)"
    words = evaluated("chess/possible_boards.ts", last, tmp_path)
    assert words == "Guess 1 of 2: 6 % likely"
