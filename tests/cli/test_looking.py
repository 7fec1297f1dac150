"""``games``, ``info``, ``strategy``, ``compare``, ``demo``, help and version."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fogtree import RECIPES, Strategy, __version__, compile, game_names, load_game, solve


@pytest.fixture
def kuhn(tmp_path):
    """A strategy file of a short run."""
    run = solve(load_game("kuhn_poker"), "cfr+", iterations=1000)
    run.strategy.save(tmp_path / "kuhn.npz")
    return run.strategy


def test_games(done):
    listed = done("games", "--json").document["games"]
    assert [game["name"] for game in listed] == list(game_names())
    for game in listed:
        load_game(game["signature"])
    text = done("games").output
    assert all(name in text for name in game_names())


def test_info_of_kuhn(done):
    document = done("info", "kuhn_poker", "--json").document
    expected = {
        "nodes": 58,
        "terminals": 30,
        "chance_nodes": 4,
        "decision_nodes": 24,
        "infosets": [6, 6],
        "sequences": [13, 13],
        "nonzeros": 30,
    }
    assert {key: document[key] for key in expected} == expected
    assert document["bytes"] > 0
    assert document["merged_infosets"] == [6, 6]


def test_info_with_parameters(done):
    document = done("info", "leduc_poker(ranks=2)", "--json").document
    assert document["game"] == "leduc_poker(ranks=2)"
    assert "4 chance" in done("info", "kuhn_poker").output


def test_strategy_show(done, kuhn):
    document = done("strategy", "show", "kuhn.npz", "--json").document
    rows = {row["infoset"]: row for row in document["infosets"]}
    assert document["total"] == len(rows) == 12
    for name, mix in kuhn.items():
        assert {a: x["probability"] for a, x in rows[name]["actions"].items()} == mix
    assert rows["J"]["reach"] == pytest.approx(1 / 3)
    assert rows["Kcb"]["actions"]["call"]["value"] == pytest.approx(2)


def test_strategy_show_selects(done, kuhn):
    names = ["--infoset", "Jcb", "--infoset", "Q"]
    document = done("strategy", "show", "kuhn.npz", *names, "--json").document
    assert {row["infoset"] for row in document["infosets"]} == {"Jcb", "Q"}
    document = done("strategy", "show", "kuhn.npz", "--min-reach", 0.2, "--json").document
    assert all(row["reach"] >= 0.2 for row in document["infosets"])
    assert 0 < len(document["infosets"]) < 12
    document = done("strategy", "show", "kuhn.npz", "--top", 3, "--json").document
    assert [row["infoset"] for row in document["infosets"]] == ["J", "Q", "K"]
    assert "3 of 12" in done("strategy", "show", "kuhn.npz", "--top", 3).output


def test_strategy_show_measures_rounding(done, kuhn):
    document = done("strategy", "show", "kuhn.npz", "--rounding", 1, "--json").document
    done("strategy", "export", "kuhn.npz", "--rounding", 1, "-o", "rounded.npz")
    measured = done("exploitability", "kuhn_poker", "-s", "rounded.npz", "--json").document
    keys = ("exploitability", "nash_conv")
    assert {key: document["rounded"][key] for key in keys} == pytest.approx(
        {key: measured[key] for key in keys}
    )
    whole = done("exploitability", "kuhn_poker", "-s", "kuhn.npz", "--json").document
    text = done("strategy", "show", "kuhn.npz", "--rounding", 1).output
    numbers = f"{measured['exploitability']:.6g} instead of {whole['exploitability']:.6g}"
    assert f"rounded to 1 decimal: exploitability {numbers} (NashConv / 2)" in text


def test_strategies_of_other_parameters_are_measured_with_a_note(command, kuhn):
    for source in ("kuhn.npz", "kuhn.json"):
        if source == "kuhn.json":
            command("strategy", "export", "kuhn.npz", "-o", source)
        outcome = command("exploitability", "kuhn_poker(bet=2)", "-s", source, "--json")
        assert outcome.document["exploitability"] > 0.05
        note = f"note: '{source}' was made for 'kuhn_poker' and is used for 'kuhn_poker(bet=2)'\n"
        assert outcome.errors == note
        assert command("exploitability", "kuhn_poker", "-s", source).errors == ""
    command("solve", "kuhn_poker(bet=2)", "--output", "two.npz")
    outcome = command("strategy", "diff", "kuhn.npz", "two.npz", "--json")
    assert outcome.document["largest"] > 0
    assert "'kuhn.npz' was made for 'kuhn_poker', 'two.npz' for" in outcome.errors


def test_strategy_show_of_a_run_folder(done):
    answer = done("solve", "kuhn_poker", "--save", "run", "--json").document
    before = {path.name: path.read_bytes() for path in Path("run").iterdir()}
    document = done("strategy", "show", "run", "--json").document
    shown = {
        row["infoset"]: {a: x["probability"] for a, x in row["actions"].items()}
        for row in document["infosets"]
    }
    assert shown == answer["strategy"]
    assert {path.name: path.read_bytes() for path in Path("run").iterdir()} == before


def test_strategy_plot(done, kuhn):
    done("strategy", "show", "kuhn.npz", "--plot", "mix.svg")
    assert "<svg" in Path("mix.svg").read_text()


def test_names_cannot_steer_the_terminal(done, tmp_path):
    (tmp_path / "evil.py").write_text(EVIL)
    done("solve", "evil.py:Evil", "--output", "evil.npz")
    text = done("strategy", "show", "evil.npz", "--game", "evil.py:Evil").output
    assert "\x1b]0;" not in text
    assert "[red]" in text


EVIL = """
from fogtree.games.rock_paper_scissors import RockPaperScissors
from fogtree.games.matrix import MatrixState
class Evil(RockPaperScissors):
    short_name = "evil"
    def root(self):
        return Named(super().root().labels, super().root().payoffs)
class Named(MatrixState):
    def child(self, action):
        return Named(self.labels, self.payoffs, (*self.chosen, action))
    def name(self):
        return "\\x1b]0;title\\x07[red]" + super().name()
"""


@pytest.mark.parametrize("kind", ["json", "csv", "npz"])
def test_strategy_export(done, kuhn, kind):
    outcome = done("strategy", "export", "kuhn.npz", "--format", kind, "-o", "out.x", "--json")
    assert outcome.document["infosets"] == 12
    content = Path("out.x")
    if kind == "json":
        document = json.loads(content.read_text())
        assert document == {"game": "kuhn_poker", "strategy": kuhn.to_dict()}
    elif kind == "csv":
        rows = list(csv.DictReader(content.read_text().splitlines()))
        assert len(rows) == 24
        for row in rows:
            assert float(row["probability"]) == kuhn[row["infoset"]][row["action"]]
    else:
        assert Strategy.load(content).to_dict() == kuhn.to_dict()


def test_strategy_diff(done, kuhn, tmp_path):
    tree = compile(load_game("kuhn_poker"))
    Strategy.from_mapping(tree, {**kuhn.to_dict(), "J": {"check": 1}}).save(tmp_path / "other.npz")
    document = done("strategy", "diff", "kuhn.npz", "other.npz", "--json").document
    assert next(iter(document["differences"])) == "J"
    assert document["largest"] == pytest.approx(kuhn["J"]["bet"])
    assert "largest" in done("strategy", "diff", "kuhn.npz", "other.npz").output
    text = done("strategy", "diff", "kuhn.npz", "kuhn.npz").output
    assert "12 of them equal" in text


def test_compare(done):
    document = done(
        "compare", "kuhn_poker", "--algorithms", "cfr,cfr+,pcfr+", "--iterations", 2000,
        "--plot", "out.png", "--csv", "out.csv", "--json",
    ).document  # fmt: skip
    assert document["exploitability_is"] == "NashConv / 2"
    assert document["equilibrium_value"] == pytest.approx(-1 / 18)
    contenders = {one["algorithm"]: one for one in document["algorithms"]}
    assert list(contenders) == ["cfr", "cfr+", "pcfr+"]
    for one in contenders.values():
        targets = [milestone["target"] for milestone in one["milestones"]]
        assert targets == [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
        for milestone in one["milestones"]:
            reached = [c for c in one["curve"] if c["exploitability"] <= milestone["target"]]
            assert milestone["iteration"] == (reached[0]["iteration"] if reached else None)
        assert len(one["mixes"]) == 12
    assert contenders["pcfr+"]["distance"] < contenders["cfr"]["distance"]
    rows = list(csv.DictReader(Path("out.csv").read_text().splitlines()))
    assert len(rows) == sum(len(one["curve"]) for one in contenders.values())
    assert Path("out.png").read_bytes().startswith(b"\x89PNG")


def test_compare_prints_tables(done):
    text = done("compare", "kuhn_poker", "-a", "cfr,cfr+", "-n", 100).output
    assert "NashConv / 2" in text
    assert "1e-06" in text
    assert "Qcb" in text
    text = done("compare", "kuhn_poker(players=3)", "-a", "cfr", "-n", 10).output
    assert "NashConv / 3" in text
    assert "not two-player zero-sum" in text
    text = done("compare", "leduc_poker", "-a", "cfr", "-n", 10, "--no-distances").output
    assert "distances from equilibrium left out, as asked" in text
    text = done("compare", "liars_dice(sides=5)", "-a", "cfr", "-n", 1).output
    assert "the game is large (ask with --distances)" in text


def test_the_tour_says_where_the_program_is(done, monkeypatch):
    monkeypatch.setattr("sys.argv", [".venv/bin/fogtree", "demo"])
    module = sys.modules["fogtree.cli.demo"]
    monkeypatch.setattr(module, "which", lambda name: None)
    assert "(fogtree is not on your path yet: it is .venv/bin/fogtree)" in done("demo").output
    monkeypatch.setattr(module, "which", lambda name: "/usr/bin/fogtree")
    assert "on your path" not in done("demo").output


def test_differences_that_a_linear_program_cannot_see_are_none(done):
    text = done("compare", "kuhn_poker", "-a", "cfr,pcfr+", "-n", 2000).output
    differences = [float(number) for number in re.findall(r"[-+]\d\.\de[-+]\d+", text)]
    assert len(differences) >= 8
    assert min(map(abs, differences)) >= 1e-7


def test_demo(done):
    outcome = done("demo")
    assert "-1/18" in outcome.output
    assert all(name in outcome.output for name in ("cfr", "cfr+", "normalhedge", "normalhedge+"))
    assert Path("kuhn_convergence.png").exists()
    document = done("demo", "--plot", "other.png", "--json").document
    for one in document["algorithms"]:
        assert one["value"] == pytest.approx(-1 / 18, abs=1e-4)
    assert document["plot"] == "other.png"


def test_demo_without_matplotlib_still_tours(done, monkeypatch):
    monkeypatch.setattr("fogtree.plot.figure.find_spec", lambda name: None)
    assert "fogtree[plot]" in done("demo").output
    assert not Path("kuhn_convergence.png").exists()


def test_help_and_version(done, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert __version__ in done("--version").output
    for arguments in ([], ["--help"]):
        text = done(*arguments).output
        for name in ("games", "info", "solve", "resume", "compare", "exploitability", "strategy"):
            assert name in text
    text = done("solve", "--help").output
    assert all(name in text for name in RECIPES)
    assert "1,000 iterations" in text
    for name in ("show", "diff", "export"):
        assert name in done("strategy", "--help").output


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from fogtree.cli import main; main(['--help'])\n"
        "print(sorted({'numpy', 'scipy', 'matplotlib'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stderr.strip() == "[]"


def test_files_that_are_written_are_named(done):
    command = ["analyse", "kuhn_poker", "--infoset", "Jb", "--steps", 20]
    assert done(*command, "--html", "page.html").output.endswith("report written to page.html\n")
    assert "written" not in done(*command, "--html", "page.html", "--json").output
    shown = done(*command, "--trace", "--output", "trace.md").output
    assert shown == "trace written to trace.md\n"


def test_a_run_is_said_to_be_saved_once_and_begins_without_a_gap(done):
    first = done("solve", "kuhn_poker", "-n", 100, "--save", "run").output
    assert first.count("saved") == 1
    assert "\n\nalgorithm" in first
    assert done("resume", "run", "-n", 200).output.startswith("algorithm")
