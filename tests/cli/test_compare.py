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
    assert "not two-player zero-sum" in text
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
