"""``fogtree train --set … --seeds N``: several runs, a table, Ctrl-C, and going on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from fogtree.cli import main
from tests.support.processes import HANGS

QUICK = ["--set", "traversals=20", "--set", "hidden=[8]", "--set", "regret.steps=5"]


def sweep(folder, iterations, *more):
    limit = ["--set", f"iterations={iterations}", "--processes", "2"]
    return ["train", "kuhn_poker", *QUICK, *limit, "--save", str(folder), *more]


@pytest.mark.long
def test_combinations_are_trained_and_compared(tmp_path, capsys):
    methods = ["--set", "method=dcfr_plus,mmd", "--seeds", "2"]
    assert main(sweep(tmp_path, 2, *methods, "--json")) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [dict(row["settings"])["run.method"] for row in rows] == ["dcfr_plus", "mmd"]
    assert all(row["runs"] == len(row["final"]) == 2 for row in rows)
    assert len(set(rows[1]["final"])) == 2  # the seeds differ
    folders = sorted(path.name for path in tmp_path.iterdir())
    assert folders[0] == "method-dcfr_plus_seed-0"
    assert len(folders) == 4
    again = main(sweep(tmp_path, 3, *methods))  # longer: the runs go on
    printed = capsys.readouterr()
    assert again == 0
    assert "method-mmd_seed-1: 3 iterations" in printed.err
    assert "exploitability" in printed.out
    lines = (tmp_path / "method-mmd_seed-1" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["iteration"] for line in lines] == [1, 2, 3]


def test_runs_of_other_options_or_another_game_do_not_go_on(tmp_path, capsys):
    assert main(sweep(tmp_path, 1, "--seeds", "2")) == 0
    capsys.readouterr()
    assert main(sweep(tmp_path, 2, "--seeds", "2", "--set", "regret.learning_rate=0.5")) == 2
    assert "[regret] is not as it was" in capsys.readouterr().err
    other = ["train", "leduc_poker", *QUICK, "--seeds", "2", "--save", str(tmp_path)]
    assert main(other) == 2
    assert "holds a run of kuhn_poker" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--set", "metod=mmd"], "did you mean 'method'?"),
        (["--set", "method=mmd,mmdd"], "did you mean 'mmd'?"),
        (["--set", "average=last,single"], "needs average"),
        (["--processes", "3"], "--processes is for several runs"),
        (["--set", "seed=5", "--seeds", "2"], "--seeds chooses the seeds"),
    ],
)
def test_wrong_sweeps_are_refused_before_anything_runs(tmp_path, capsys, more, says):
    command = ["train", "kuhn_poker", "--save", str(tmp_path / "new"), *more]
    assert main(command) == 2
    told = capsys.readouterr().err.strip()
    assert says in told
    assert "\n" not in told
    assert not (tmp_path / "new").exists()


def test_one_value_is_an_ordinary_run(tmp_path, capsys):
    command = [
        "train",
        "kuhn_poker",
        *QUICK,
        "--set",
        "iterations=1",
        "--save",
        str(tmp_path / "r"),
    ]
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["iterations"] == 1
    assert (tmp_path / "r" / "policy.npz").is_file()


@pytest.mark.long
def test_asked_to_stop_all_runs_save(tmp_path):
    command = [sys.executable, "-m", "fogtree", *sweep(tmp_path, 10**6, "--seeds", "2")]
    child = subprocess.Popen(
        [*command, "--set", "checkpoint_seconds=0"], stderr=subprocess.PIPE, text=True
    )
    manifests = [tmp_path / f"seed-{seed}" / "manifest.json" for seed in (0, 1)]
    deadline = time.monotonic() + HANGS
    while not all(path.exists() for path in manifests) and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    told = child.communicate(timeout=HANGS)[1]
    assert child.returncode == 130
    assert "The same command goes on with it." in told
    done = [json.loads(path.read_text())["iteration"] for path in manifests]
    assert all(number > 0 for number in done)
    assert main(sweep(tmp_path, max(done) + 1, "--seeds", "2")) == 0
