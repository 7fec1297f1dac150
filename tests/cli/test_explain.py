"""``fogtree explain``: tables, JSON and files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from fogtree import RECIPES, compile, load_game
from fogtree.cli.explain import register
from fogtree.errors import FogtreeError
from fogtree.explanation import explain
from fogtree.explanation.markdown import markdown
from tests.support.paths import DOCS

KUHN = compile(load_game("kuhn_poker"))

app = typer.Typer()
register(app)


@app.command()
def nothing() -> None:
    """A second command, so that the first is called by its name."""


def run(*args: str) -> str:
    result = CliRunner().invoke(app, ["explain", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


KEYS = {
    "iteration", "deal", "infoset", "player", "actions", "own_reach", "opponent_reach", "strategy",
    "values", "expected_value", "regret", "cumulative_regret", "next_strategy",
    "average_strategy",
}  # fmt: skip


@pytest.mark.parametrize("algorithm", RECIPES)
def test_json(algorithm: str) -> None:
    text = run("kuhn_poker", "--algorithm", algorithm, "--deals", "JQ", "QK", "--json")
    document = json.loads(text)
    assert (document["game"], document["algorithm"]) == ("kuhn_poker", algorithm)
    assert document["deals"] == ["JQ", "QK"]
    steps = document["iterations"]
    assert [(s["iteration"], s["deal"], s["infoset"]) for s in steps] == [
        (1, "JQ", "J"), (1, "JQ", "Qc"), (1, "JQ", "Jcb"), (1, "JQ", "Qb"),
        (2, "QK", "Q"), (2, "QK", "Kc"), (2, "QK", "Qcb"), (2, "QK", "Kb"),
    ]  # fmt: skip
    for step in steps:
        assert set(step) >= KEYS
        assert ("scale" in step) == algorithm.startswith("normalhedge")
        assert len(step["weights"]) == len(step["actions"])
    assert steps[0]["values"] == [-1.25, -0.5]


def test_json_of_the_whole_game() -> None:
    document = json.loads(run("kuhn_poker", "--algorithm", "cfr", "--iterations", "2", "--json"))
    assert document["deals"] is None
    assert len(document["iterations"]) == 24
    assert {step["deal"] for step in document["iterations"]} == {None}


@pytest.mark.parametrize(
    "args",
    [
        ["kuhn_poker", "--deals", "JQ", "QK", "--algorithm", "cfr"],
        ["kuhn_poker", "--algorithm", "cfr", "--deals", "JQ", "--deals", "QK"],
        ["kuhn_poker", "--algorithm", "cfr", "--deals=JQ", "QK"],
        ["--deals", "JQ", "QK", "--algorithm", "cfr", "kuhn_poker"],
        ["--algorithm", "cfr", "--deals", "JQ", "QK", "--", "kuhn_poker"],
    ],
)
def test_ways_to_give_several_deals(args: list[str]) -> None:
    assert json.loads(run("--json", *args))["deals"] == ["JQ", "QK"]


def test_terminal_shows_every_step() -> None:
    text = run("kuhn_poker", "--algorithm", "normalhedge", "--deals", "JQ", "QK")
    for part in ("Iteration 1: deal JQ", "Iteration 2: deal QK", "0.047193", "35.253", "-0.375"):
        assert part in text
    for name in ("J", "Qc", "Jcb", "Qb", "Q", "Kc", "Qcb", "Kb"):
        assert f"{name}, player" in text


def test_output_files(tmp_path: Path) -> None:
    file = tmp_path / "walk.md"
    assert run("kuhn_poker", "--deals", "JQ", "--markdown", "--output", str(file)) == ""
    assert file.read_text() == markdown(explain(KUHN, "cfr+", deals=["JQ"]))
    file = tmp_path / "walk.json"
    printed = run("kuhn_poker", "--deals", "JQ", "--json", "--output", str(file))
    assert json.loads(printed) == json.loads(file.read_text())
    file = tmp_path / "walk.txt"
    assert run("kuhn_poker", "--deals", "JQ", "--output", str(file)) == ""
    assert "J, player 0" in file.read_text()
    assert "\x1b" not in file.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["walk.json", "walk.md", "walk.txt"]


@pytest.mark.parametrize(
    "args",
    [
        ["kuhn_poker", "--deals", "JJ"],
        ["kuhn_poker", "--markdown", "--json"],
        ["kuhn_poker", "--iterations", "-1"],
        ["kuhn_poker", "--algorithm", "cfg"],
        ["kuhn", "--deals", "JQ"],
        ["kuhn_poker", "--deals", "JQ", "--markdown", "--output", "no/such/folder/x.md"],
    ],
)
def test_mistakes_are_one_line(args: list[str]) -> None:
    result = CliRunner().invoke(app, ["explain", *args])
    assert isinstance(result.exception, FogtreeError)
    assert "\n" not in str(result.exception)
    assert result.stdout == ""


def test_large_games_are_cut_to_what_a_person_reads(capsys, tmp_path):
    from fogtree.cli import main

    assert main(["explain", "leduc_poker", "--markdown"]) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "100 of 936 steps written, those with the largest reach, of 1 iteration; "
        "all with --most 936\n"
    )
    assert captured.out.count("Player 0 decides") + captured.out.count("Player 1 decides") == 100
    assert main(["explain", "leduc_poker", "--most", "936", "--markdown"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.count(" decides at ") == 936


def test_json_is_whole_unless_asked_otherwise(capsys):
    from fogtree.cli import main

    for more, written in (([], 936), (["--most", "5"], 5)):
        assert main(["explain", "leduc_poker", "--json", *more]) == 0
        captured = capsys.readouterr()
        assert len(json.loads(captured.out)["iterations"]) == written
        assert bool(captured.err) == bool(more)


def test_tutorial_is_what_the_command_writes() -> None:
    page = (DOCS / "tutorials" / "walk_through.md").read_text()
    for algorithm in ("cfr", "cfr+", "normalhedge", "normalhedge+"):
        text = run("kuhn_poker", "--algorithm", algorithm, "--deals", "JQ", "QK", "--markdown")
        assert re.sub("^#", "##", text, flags=re.MULTILINE) in page
