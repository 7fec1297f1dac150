"""``fogtree resume`` refuses what it cannot resume and gives the right reason."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fogtree import load_game, solve
from tests.support.manifests import change_manifest, damage_manifest, read_manifest


@pytest.fixture(autouse=True)
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = solve(load_game("kuhn_poker"), "cfr+", iterations=100, save="run")
    run.strategy.save("kuhn.npz")
    Path("notes.txt").write_text("hello")
    Path("empty").mkdir()


CHANGED = "its game or its options are not those that the run was saved with"


def said(command, *arguments):
    outcome = command(*arguments)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.errors.count("\n") == 1
    return outcome.errors.removeprefix("fogtree: ").rstrip()


def change(**entries):
    change_manifest(Path("run"), **entries)


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
        (3, "was written by a newer fogtree: its format is 3, this one reads 1 to 2"),
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
        ({"minimizer": "hedge"}, CHANGED),
        ({"precision": "float16"}, 'precision must be one of "float32", "float64"'),
        ({"precision": "float32"}, CHANGED),
        ({"iteration": 50}, "the state after iteration 50 is in state-50.npz, not in 'state-100"),
        ({"iteration": 50, "state": "state-50.npz"}, "there is no file 'run/state-50.npz'"),
        ({"iteration": -3}, "iteration must be at least 0, not -3"),
        ({"state": "../victim/state-100.npz"}, "is in state-100.npz, not in '../victim/state-100"),
        ({"threads": 0}, "threads must be at least 1, not 0"),
        ({"threads": 2}, CHANGED),
        ({"delay": 100}, CHANGED),
        ({"algorithm": "magic"}, CHANGED),
        ({"averaging": "cubic"}, 'averaging must be one of "last", "linear"'),
        ({"averaging": "uniform"}, CHANGED),
        ({"positive_exponent": "1.5"}, CHANGED),
        ({"game": "kuhn_poker(players=2, ante=1)"}, CHANGED),
        ({"version": True}, "there is no format True"),
        ({"version": 1.0}, "there is no format 1.0"),
        ({"seconds": "x" * 5000}, "seconds must be a number"),
        ({"goal": {"until": -1}}, "until must be above 0"),
        ({"checks": 99}, "metrics.jsonl"),
    ],
)
def test_manifests_that_say_something_else(command, entries, reason):
    change(**entries)
    before = {path: path.read_bytes() for path in Path("run").iterdir()}
    assert reason in said(command, "resume", "run")
    assert {path: path.read_bytes() for path in Path("run").iterdir()} == before


@pytest.mark.parametrize("entries", [{"goal": {"iterations": 120}}, {"seconds": 5.0}, {"x": 1}])
def test_a_manifest_that_was_edited_is_refused(command, done, entries):
    before = read_manifest(Path("run"))
    damage_manifest(Path("run"), **entries)
    for words in (["resume", "run"], ["strategy", "show", "run"]):
        line = said(command, *words)
        assert line.startswith("'run/manifest.json' was changed or damaged since it was saved")
    damage_manifest(Path("run"), digest=None)
    assert "was changed or damaged" in said(command, "resume", "run")
    Path("run/manifest.json").write_text(json.dumps(before))
    assert done("resume", "run", "-n", 120, "--json").document["iterations"] == 120


def test_a_folder_that_may_only_be_read(command, monkeypatch):
    """Asked as the system would answer somebody who is no superuser."""

    def access(path, mode):
        return Path(path) != Path("run") or not mode & os.W_OK

    monkeypatch.setattr("os.access", access)
    line = said(command, "resume", "run", "--iterations", 200)
    assert line == "cannot write into folder 'run': it is not writable"
    line = said(command, "solve", "kuhn_poker", "--save", "run/deeper")
    assert line == "cannot make folder 'run/deeper': 'run' is not writable"


@pytest.mark.parametrize("option", [("--workers", 2), ("--backend", "ray"), ("--config", "x.toml")])
def test_options_of_training_are_refused_for_a_solver(command, option):
    line = said(command, "resume", "run", *option)
    assert line == "--config, --workers and --backend are for training runs"


@pytest.mark.parametrize(
    "option", [("--until", 1), ("--every", 5), ("--memory", "1GB"), ("--output", "x.npz")]
)
def test_options_of_a_solver_are_refused_for_training(command, option):
    Path("run/manifest.json").write_text('{"fogtree": "training", "version": 1}')
    assert said(command, "resume", "run", *option) == f"a training run has no {option[0]}"
