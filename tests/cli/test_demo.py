"""``fogtree demo``: every scene, skipping them, and what is said of a missing extra."""

from __future__ import annotations

import re
import sys

import pytest

from fogtree.cli import demo_scenes
from fogtree.errors import MissingExtraError


@pytest.fixture
def quick(monkeypatch):
    """Scenes that are bounded by time take as little as possible."""
    for name in ("SAMPLE_SECONDS", "TRAIN_SECONDS", "SEARCH_SECONDS"):
        monkeypatch.setattr(demo_scenes, name, 0.3)
    monkeypatch.setattr(demo_scenes, "GAMES", 4)


def skip_all_but(monkeypatch, **scenes):
    monkeypatch.setattr(demo_scenes, "SCENES", scenes)


def test_the_tour_says_where_the_program_is(done, monkeypatch):
    monkeypatch.setattr("sys.argv", [".venv/bin/fogtree", "demo"])
    module = sys.modules["fogtree.cli.demo"]
    monkeypatch.setattr(module, "which", lambda name: None)
    line = ("demo", "--only", "explain")
    assert "(fogtree is not on your path yet: it is .venv/bin/fogtree)" in done(*line).output
    monkeypatch.setattr(module, "which", lambda name: "/usr/bin/fogtree")
    assert "on your path" not in done(*line).output


def test_all_scenes(done, quick):
    output = done("demo").output
    assert [f"{n} of 7: " in output for n in range(1, 8)] == [True] * 7
    assert "-1/18" in output
    assert all(name in output for name in ("cfr", "cfr+", "normalhedge", "normalhedge+"))
    assert "Next: always bet." in output
    assert "walks; exploitability" in output
    assert "what the networks play" in output
    assert "It plays " in output
    assert "You look at your card 1: " in output
    assert "greedy - memory_heuristic" in output
    assert "fogtree serve" in output


def test_the_findings_as_json(done, quick):
    found = {one["scene"]: one for one in done("demo", "--json").document["scenes"]}
    assert list(found) == ["solve", "explain", "sample", "train", "search", "cambia", "arena"]
    for one in found["solve"]["algorithms"]:
        assert one["value"] == pytest.approx(-1 / 18, abs=1e-4)
    assert found["explain"]["steps"][0]["infoset"] == "J"
    assert sum(found["cambia"]["returns"]) == 0
    assert found["search"]["nodes"] > 0


def test_what_a_seat_may_not_know_is_not_told(done):
    """The log of the game has no card of the other side before it was shown to all."""
    lines = done("demo", "--only", "cambia").output.splitlines()
    log = lines[: next(n for n, line in enumerate(lines) if "The game is over" in line)]
    draws = [line for line in log if "Player 1 draws" in line]
    assert draws
    assert all(line.strip() == "Player 1 draws from the stock." for line in draws)
    [hand] = [line for line in lines if line.startswith("  player 1 ")]  # shown at the end
    cards = re.findall(r"\d: (\w\w)", hand)
    assert cards
    assert not any(card in "".join(log) for card in cards)


def test_the_picture_of_a_belief_keeps_what_is_seen(done, quick):
    output = done("demo", "--only", "search").output
    rows = [line.split() for line in output.splitlines() if line[:2] in {f"{n} " for n in range(9)}]
    board = {row[0]: row[1:] for row in rows if len(row) == 9}
    assert board["1"] == ["R", "N", "B", "Q", "K", ".", ".", "R"]
    assert board["2"] == ["P", "P", "P", "P", ".", "P", "P", "P"]
    assert board["5"][4] == "p"
    assert "f6" not in output.split("It plays")[0]  # the knight's move is in the fog
    assert board["8"][4].startswith("k")


def test_ctrl_c_goes_to_the_next_scene_and_twice_ends(command, monkeypatch):
    monkeypatch.setattr(sys.modules["fogtree.cli.demo"], "_TWICE", 1e6)

    def interrupted(console):
        raise KeyboardInterrupt

    def whole(console):
        console.print("the scene itself")
        return {}

    skip_all_but(monkeypatch, solve=interrupted, explain=whole)
    outcome = command("demo")
    assert outcome.status == 0
    assert "skipped" in outcome.output
    assert "the scene itself" in outcome.output
    skip_all_but(monkeypatch, solve=interrupted, search=interrupted, explain=whole)
    outcome = command("demo")
    assert outcome.status == 130
    assert "the scene itself" not in outcome.output


def test_a_missing_extra_is_named_and_the_tour_goes_on(done, monkeypatch):
    def needy(console):
        raise MissingExtraError("jax", "deep")

    skip_all_but(monkeypatch, train=needy, explain=demo_scenes.explain)
    output = done("demo").output
    assert "fogtree[deep]" in output
    assert "Next: always bet." in output
