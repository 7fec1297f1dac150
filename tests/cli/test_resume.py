"""``fogtree resume`` refuses what it cannot resume and gives the right reason."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fogtree import load_game, solve


@pytest.fixture(autouse=True)
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = solve(load_game("kuhn_poker"), "cfr+", iterations=100, save="run")
    run.strategy.save("kuhn.npz")
    Path("notes.txt").write_text("hello")
    Path("empty").mkdir()


def said(command, *arguments):
    outcome = command(*arguments)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.errors.count("\n") == 1
    return outcome.errors.removeprefix("fogtree: ").rstrip()


def change(**entries):
    path = Path("run/manifest.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("nowhere", "there is no such folder"),
        ("empty", "it has no manifest.json"),
        ("notes.txt", "it is a file, and a run is a folder (solve --save)"),
        ("kuhn.npz", "it is a fogtree strategy file, and a run is a folder (solve --save)"),
        ("run/state-100.npz", "it is a fogtree run-state file, and a run is a folder"),
        ("run/manifest.json", "it is a file, and a run is a folder"),
    ],
)
def test_what_is_no_run(command, source, reason):
    line = said(command, "resume", source)
    assert line.startswith(f"'{source}' is not a saved run: {reason}")


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        (2, "was written by a newer fogtree: its format is 2, this one reads 1"),
        (0, "is damaged: there is no format 0"),
        ("x", "is damaged: there is no format 'x'"),
        (None, "is damaged: there is no format None"),
    ],
)
def test_other_versions(command, version, reason):
    change(version=version)
    assert said(command, "resume", "run") == f"'run/manifest.json' {reason}"


def test_states_that_are_not_the_runs(command):
    state = Path("run/state-100.npz")
    whole = state.read_bytes()
    state.write_bytes(whole[:300])
    reason = "is damaged or not a fogtree run-state file"
    assert said(command, "resume", "run") == f"'run/state-100.npz' {reason}"
    state.write_bytes(Path("kuhn.npz").read_bytes())
    reason = "is not a fogtree run-state file but a fogtree strategy file"
    assert said(command, "resume", "run") == f"'run/state-100.npz' {reason}"
    state.unlink()
    assert said(command, "resume", "run") == "there is no file 'run/state-100.npz'"


def test_other_games(command):
    line = said(command, "resume", "run", "--game", "leduc_poker")
    assert line == "'run' is a run of 'kuhn_poker', and not of 'leduc_poker'"
    line = said(command, "exploitability", "kuhn_poker(bet=2)", "-s", "run")
    assert line == "'run' is a run of 'kuhn_poker', and not of 'kuhn_poker(bet=2)'"
    change(fingerprint="0")
    line = said(command, "resume", "run")
    assert line == "'run' was made with other rules of 'kuhn_poker' than there are now"
    change(game="nowhere")
    assert "of game 'nowhere', which cannot be made from that name (unknown game" in said(
        command, "resume", "run"
    )
    change(game="kuhn_poker(players=1)")
    assert "(kuhn_poker: players must be at least 2, not 1)" in said(command, "resume", "run")


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"minimizer": "magic"}, "unknown minimizer 'magic'"),
        ({"precision": "float16"}, "precision must be float64 or float32"),
        ({"iteration": 50}, "at iteration 100"),
        ({"iteration": -3}, "manifest is at iteration -3, 'state-100.npz' at iteration 100"),
        ({"threads": 0}, "threads must be 1 to 256"),
        ({"delay": 100}, "leaves out all 100 iterations"),
        ({"algorithm": "magic"}, None),
        ({"averaging": "cubic"}, "unknown averaging 'cubic'"),
        ({"goal": {"until": -1}}, "until must be above 0"),
        ({"checks": 99}, "metrics.jsonl"),
    ],
)
def test_manifests_that_say_something_else(command, entries, reason):
    change(**entries)
    if reason is None:  # the name is only a name: the row is written out
        assert command("resume", "run", "--json").status == 0
    else:
        assert reason in said(command, "resume", "run")


def test_a_folder_that_may_only_be_read(command, monkeypatch):
    """Asked as the system would answer somebody who is no superuser."""

    def access(path, mode):
        return Path(path) != Path("run") or not mode & os.W_OK

    monkeypatch.setattr("os.access", access)
    line = said(command, "resume", "run", "--iterations", 200)
    assert line == "cannot write into folder 'run': it is not writable"
    line = said(command, "solve", "kuhn_poker", "--save", "run/deeper")
    assert line == "cannot make folder 'run/deeper': 'run' is not writable"
