"""``fogtree compare``."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest


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
    numbers = re.findall(r"[-+]?\d[\d.]*e[-+]\d+", text)  # as elsewhere: only what is below 0.0001
    assert all(0 < abs(float(number)) < 1e-4 for number in numbers)
    assert "0.008226" in text
    text = done("compare", "kuhn_poker(players=3)", "-a", "cfr", "-n", 10).output
    assert "NashConv / 3" in text
    assert "not a two-player zero-sum game: it has 3 players" in " ".join(text.split())
    text = done("compare", "leduc_poker", "-a", "cfr", "-n", 10, "--no-distances").output
    assert "distances from equilibrium left out, as asked" in text
    text = done("compare", "liars_dice(sides=5)", "-a", "cfr", "-n", 1).output
    assert "the game is large (ask with --distances)" in text


def test_differences_that_a_linear_program_cannot_see_are_none(done):
    text = done("compare", "kuhn_poker", "-a", "cfr,pcfr+", "-n", 2000).output
    table = text.split("difference from the nearest equilibrium")[1]
    differences = [float(number) for number in re.findall(r" ([-+]\d\S+)", table)]
    assert len(differences) >= 8
    assert min(map(abs, differences)) >= 1e-7


SHARED = """
from dataclasses import dataclass

from fogtree.games.matrix import MatrixState
from fogtree.games.rock_paper_scissors import RockPaperScissors


class SharedState(MatrixState):
    def child(self, action):
        return SharedState(self.labels, self.payoffs, (*self.chosen, action))

    def returns(self):
        return tuple((1 + gain) / 2 for gain in super().returns())


@dataclass(frozen=True)
class Shared(RockPaperScissors):
    short_name = "shared"

    def root(self):
        first = super().root()
        return SharedState(first.labels, first.payoffs)
"""


def test_games_of_constant_sum_are_called_so_and_measured_as_zero_sum_games_are(done, command):
    """Payoffs of 0, 1/2 and 1 for each player add up to 1: the game has equilibria all the same."""
    Path("shared.py").write_text(SHARED)
    game = "shared.py:Shared"
    assert "2, constant-sum" in done("info", game).output
    document = done("info", game, "--json").document
    assert (document["zero_sum"], document["payoff_sum"]) == (False, 1.0)
    assert "2, zero-sum" in done("info", "rock_paper_scissors").output
    assert "3, zero-sum" in done("info", "kuhn_poker(players=3)").output
    assert "2, general-sum" in done("info", "battleship(loss_multiplier=2.0)").output
    found = done("compare", game, "-a", "cfr+", "-n", 100, "--json").document
    assert found["equilibrium_value"] == pytest.approx(0.5)
    assert found["algorithms"][0]["distance"] == pytest.approx(0, abs=1e-3)
    asked = ("--agent", "random", "--method", "exact", "--method", "local", "--json")
    bounds = command("exploit", game, *asked).document["bounds"]  # with lines of progress
    assert [one["value"] for one in bounds] == pytest.approx([0, 0])
