"""``fogtree strategy``: show, diff, export and plot."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from fogtree import Strategy, compile, load_game, solve


@pytest.fixture
def kuhn(tmp_path):
    """A strategy file of a short run."""
    run = solve(load_game("kuhn_poker"), "cfr+", iterations=1000)
    run.strategy.save(tmp_path / "kuhn.npz")
    return run.strategy


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
