"""The tutorial holds: its code is the examples', and they do what it says."""

from __future__ import annotations

import re
import runpy
import shutil

import pytest

from fogtree import compile, load_game, solve
from fogtree.cli import main
from fogtree.terminal.inputs import find_algorithm
from tests.support.paths import ROOT

TUTORIAL = (ROOT / "docs" / "tutorials" / "first_solve.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "reference" / "command_line.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.fixture
def workshop(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_code_in_the_tutorial_is_that_of_the_examples():
    blocks = set(re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL))
    shown = {"first_solve.py", "own_game.py", "own_minimizer.py"}
    assert blocks == {(ROOT / "examples" / name).read_text(encoding="utf-8") for name in shown}


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_examples_run(workshop, example):
    runpy.run_path(str(example), run_name="__main__")


@pytest.mark.parametrize("bet", [1, 2, 5])
def test_own_game_has_the_solution_that_pencil_and_paper_find(bet):
    """With a pot of 2, the queen bluffs bet / (2 + bet), the king calls 2 / (2 + bet)."""
    game = type(load_game(str(ROOT / "examples" / "own_game.py") + ":HalfStreet"))(bet=bet)
    run = solve(compile(game), "pcfr+", iterations=2000)
    assert run.strategy["A"]["bet"] == pytest.approx(1, abs=1e-3)
    assert run.strategy["Q"]["bet"] == pytest.approx(bet / (2 + bet), abs=1e-3)
    assert run.strategy["Kb"]["call"] == pytest.approx(2 / (2 + bet), abs=1e-3)
    assert run.value == pytest.approx(bet / (2 + bet), abs=1e-5)


@pytest.mark.parametrize("name", ["Squared", "SQUARED_PLUS"])
def test_own_minimizer_finds_the_equilibrium(name):
    row = find_algorithm(str(ROOT / "examples" / "own_minimizer.py") + f":{name}")
    run = solve(load_game("kuhn_poker"), row, iterations=3000)
    assert run.exploitability < 1e-3
    assert run.value == pytest.approx(-1 / 18, abs=1e-3)


def test_the_reference_names_every_option(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["solve", "--help"]) == 0
    for option in set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}:
        assert option in REFERENCE
