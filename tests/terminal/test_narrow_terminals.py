"""Narrow terminals: no number is cut or lost, and no line is too long."""

from __future__ import annotations

import io
import re
import sys

import pytest
from rich.console import Console

from fogtree import compile, load_game, solve
from fogtree.cli.comparison_report import print_comparison
from fogtree.cli.explain_report import show
from fogtree.cli.tables import run_table, sizes_table
from fogtree.explanation import explain
from fogtree.games.fog_chess.belief import SQUARE_KINDS
from fogtree.report.analyse import analyse
from fogtree.runs.progress import Check, Pulse
from fogtree.solvers.compare import compare
from fogtree.terminal.analysis_tables import more_tables, summary_tables
from fogtree.terminal.number_table import NumberTable
from fogtree.terminal.progress import Meter, SolveBar, line_within

pytestmark = pytest.mark.long

WIDTHS = (60, 80, 100)
WIDE = 400
AGENTS = "random,random_no_cambia,random_late_cambia,imperfect_greedy,aggressive_snap,greedy"


def numbers(text):
    return set(re.findall(r"[-+]?\d[\d.,]*(?:e[-+]\d+)?", text))


def printed(width, *parts):
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False)
    for part in parts:
        part(console) if callable(part) else console.print(part)
    return out.getvalue()


def same_numbers(text, wide, width):
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    assert numbers(text) == numbers(wide)
    assert len(numbers(text)) > 10


@pytest.fixture(scope="module")
def kuhn():
    return compile(load_game("kuhn_poker"))


@pytest.mark.parametrize("width", WIDTHS)
def test_comparisons(kuhn, width):
    names = [
        "cfr",
        "cfr+",
        "lcfr",
        "dcfr",
        "dcfr+",
        "pcfr+",
        "pdcfr+",
        "normalhedge",
        "normalhedge+",
        "hedge",
    ]
    found = compare(kuhn, names, iterations=1000)

    def page(console):
        print_comparison(console, found, kuhn, 3)

    same_numbers(printed(width, page), printed(WIDE, page), width)


@pytest.mark.parametrize("width", WIDTHS)
def test_runs_and_sizes(width):
    tree = compile(load_game("leduc_poker"))
    parts = sizes_table(tree, tree.sizes()), run_table(solve(tree, iterations=1000), tree)
    same_numbers(printed(width, *parts), printed(WIDE, *parts), width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("algorithm", ["cfr+", "normalhedge", "hedge"])
def test_explanations(kuhn, width, algorithm):
    walk = explain(kuhn, algorithm, iterations=2)

    def page(console):
        show(walk, console)

    same_numbers(printed(width, page), printed(WIDE, page), width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", ["kuhn_poker", "leduc_poker", "liars_dice(sides=3)"])
@pytest.mark.parametrize("digits", [3, 5])
def test_strategies(done, monkeypatch, game, width, digits):
    done("solve", game, "-n", 50, "--output", "x.npz")
    shown = []
    for columns in (WIDE, width):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown.append(done("strategy", "show", "x.npz", "--digits", digits).output)
    same_numbers(shown[1], shown[0], width)


@pytest.mark.parametrize("width", WIDTHS)
def test_arena(done, monkeypatch, width):
    shown = []
    for columns in (WIDE, width):
        monkeypatch.setenv("COLUMNS", str(columns))
        arguments = ["arena", "cambia", "--agents", AGENTS, "--games", 2, "--workers", 1]
        shown.append(done(*arguments).output)
    same_numbers(shown[1], shown[0], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "line", ["demo --only solve,cambia,arena", "solve kuhn_poker", "compare kuhn_poker -n 100"]
)
def test_whole_commands(done, monkeypatch, line, width):
    monkeypatch.setenv("COLUMNS", str(width))
    assert "…" not in done(*line.split()).output


@pytest.mark.parametrize("line", ["games", "study safety kuhn_poker --steps 20 --workers 1"])
def test_lists_and_studies(done, monkeypatch, line):
    shown = []
    for columns in (WIDE, 40):
        monkeypatch.setenv("COLUMNS", str(columns))
        shown.append(done(*line.split()).output)
    same_numbers(shown[1], shown[0], 40)


@pytest.fixture(scope="module")
def chess():
    return analyse("fog_chess", moves=["e2e4", "e7e5", "g1f3", "b8c6"], steps=200, threads=1)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_searches_of_chess(chess, width):
    parts = [*summary_tables(chess, 10, full=True), *more_tables(chess, 10)]
    text, wide = printed(width, *parts), printed(WIDE, *parts)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    squeezed = "".join(text.split())
    for line in chess.analysis.our_belief[:10]:
        assert line.position in wide
        assert "".join(line.position.split()) in squeezed
    cut = re.compile(r"\S*/\S*")  # a position may go on in the next line, numbers may not
    pure = [numbers(cut.sub("", shown.split("What we think")[0])) for shown in (text, wide)]
    assert pure[0] == pure[1]
    assert len(pure[0]) > 50
    pawns = chess.marginals.weighted[:, SQUARE_KINDS.index("p")]
    rest = int((pawns > 0.005).sum()) - 10
    assert f"and {rest} more" in text


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("width", [40, *WIDTHS, 100])
def test_the_progress_bar(monkeypatch, width, sampled):
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True)
    monkeypatch.setattr(sys.modules["fogtree.terminal.progress"], "messages", lambda: console)
    with SolveBar("leduc_poker(ranks=10) mccfr-external", Meter(10**9, None, None), 2) as bar:
        bar.check(Check(12345, 1.0, 0.0123456, 0.5))
        bar.first = Pulse(0, 0.0)
        work = {"nodes": 10**9, "infosets": 123456} if sampled else {}
        bar.pulse(Pulse(123456789, 10.0, **work))
        bar.bar.refresh()
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    assert "…" not in text
    assert ("iteration 123,456,789" in text) == (width >= 100 or not sampled)
    assert ("exploitability 0.0123" in text) == (width > 40 or sampled)
    assert ("100 M nodes/s" in text) == (sampled and width > 40)
    assert ("123,456 information sets" in text) == (sampled and width >= 80)
    assert max(map(len, re.split(r"[\r\n]+", text))) <= width


def test_what_fits_in_a_line():
    parts = [(0, "first"), (2, "third"), (1, "second")]
    assert line_within(parts, 20) == "first  third  second"
    assert line_within(parts, 19) == "first  second"
    assert line_within(parts, 12) == "first"
    assert line_within(parts, 1) == "first"


def test_a_number_wider_than_the_terminal_is_folded():
    table = NumberTable("name", "number")
    table.add_row("a_name_without_any_spaces_in_it", "1" * 50)
    text = printed(20, table)
    assert text.count("1") == 50
    assert "".join(text.split()).count("a_name") <= 1
    assert max(map(len, text.splitlines())) <= 20
