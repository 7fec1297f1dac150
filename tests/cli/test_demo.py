"""``fogtree demo``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def test_the_tour_says_where_the_program_is(done, monkeypatch):
    monkeypatch.setattr("sys.argv", [".venv/bin/fogtree", "demo"])
    module = sys.modules["fogtree.cli.demo"]
    monkeypatch.setattr(module, "which", lambda name: None)
    assert "(fogtree is not on your path yet: it is .venv/bin/fogtree)" in done("demo").output
    monkeypatch.setattr(module, "which", lambda name: "/usr/bin/fogtree")
    assert "on your path" not in done("demo").output


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
