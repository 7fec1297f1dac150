"""A run of the attack that is stopped says what it has done, and the next one adds to it."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.attack.damage import Damaged
from tests.attack.damaged_files import judge
from tests.attack.part import Part
from tests.attack.results import Results
from tests.attack.stage import Stage

RUN = Path(__file__).with_name("run.py")


class Kuhn(Part):
    """A part with two outcomes in every case."""

    name, goal, required, short = "kuhn", 10, 7, 1


def report(seed: int, finding: str | None = None) -> dict[str, object]:
    outcomes = {} if finding else {"same": 1, "refused": 1}
    times = {"seconds": 0.5, "processor": 0.25}
    return {"seed": seed, "outcomes": outcomes, "finding": finding, **times}


def test_counts_of_several_runs_are_added(tmp_path):
    for run in range(2):
        results = Results(tmp_path, [Kuhn()])
        score = results.scores["kuhn"]
        assert score.next == 2 * run
        score.add(report(2 * run))
        score.add(report(2 * run + 1, "a crash" if run else None))
        score.next += 2
        results.save()
    found = Results(tmp_path, [Kuhn()])
    assert found.scores["kuhn"].outcomes == Counter({"same": 3, "refused": 3})
    assert found.summary() == (
        "kuhn: 7 of 7 required, 1 findings; 4 cases: same 3, refused 3; "
        "2 s (1 of processor time), slowest 0.5 s, seed 3; next seed 4"
    )


def test_what_is_missing_is_said(tmp_path):
    assert Results(tmp_path, [Kuhn()]).summary().startswith("kuhn: 0 of 7 required (7 missing), ")


@pytest.mark.long
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_stopped_run_prints_its_counts_and_goes_on_later(number, tmp_path):
    command = [sys.executable, str(RUN), "fog_pairs", "--workers", "1", "--folder", str(tmp_path)]
    process = subprocess.Popen(
        [*command, "--cases", "1000000"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert "findings" in process.stdout.readline()  # it has begun
    process.send_signal(number)
    said = process.communicate(timeout=120)[0]
    assert "fog_pairs: " in said.splitlines()[-1]
    before = json.loads((tmp_path / "results.json").read_text())["fog_pairs"]
    done = subprocess.run(
        [*command, "--cases", "2"], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    after = json.loads((tmp_path / "results.json").read_text())["fog_pairs"]
    assert after["cases"] == before["cases"] + 2
    assert after["next"] == before["next"] + 2


def test_a_stage_is_as_before_after_any_change(tmp_path):
    sound = tmp_path / "sound"
    (sound / "run").mkdir(parents=True)
    (sound / "run" / "state.npz").write_bytes(b"state")
    (sound / "notes.txt").write_bytes(b"notes")
    (sound / "link").symlink_to("nowhere")
    stage = Stage(sound, tmp_path / "stage")
    before = listing(stage.folder)
    here = stage.folder
    deeds = {
        "append": lambda: (here / "notes.txt").open("ab").write(b"more"),
        "delete": (here / "run" / "state.npz").unlink,
        "replace": lambda: (here / "notes.txt").write_bytes(b"notez"),
        "add": lambda: (here / "run" / "new.npz").write_bytes(b""),
        "around": lambda: (here / ".." / "x").write_bytes(b""),
        "folder": lambda: (here / "deep" / "er").mkdir(parents=True),
        "link": (here / "link").unlink,
        "rename": lambda: (here / "run").rename(here / "walk"),
    }
    luck = random.Random(1)
    for _ in range(60):
        done = luck.sample(sorted(deeds), luck.randrange(1, 3))
        for name in done:
            try:
                deeds[name]()
            except FileNotFoundError:
                continue
        stage.restore()
        assert listing(here) == before, done
        assert list((tmp_path / "stage" / "a" / "b").iterdir()) == [here]
        assert not stage.changes()
        assert not stage.added()
    (here / "notes.txt").write_bytes(b"other")
    (here / "run" / "state.npz").unlink()
    (here / "run" / "more.npz").write_bytes(b"")
    assert stage.changes() == {"notes.txt": b"other", "run/state.npz": None}
    assert stage.added() == {"run/more.npz"}
    stage.close()
    assert not (tmp_path / "stage").exists()


def listing(folder: Path) -> dict[str, object]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else path.is_symlink()
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("interrupted", [True, False])
def test_only_an_interruption_may_end_a_reader_without_an_answer(interrupted):
    """Training with long defaults ends at once after a second Ctrl-C, and prints nothing."""
    crashed = {"status": 130, "output": "", "errors": "", "crashed": True}
    found = {"answers": [crashed], "status": 130, "megabytes": 10, "hung": False, "left": False}
    known = {"answers": [{"status": 0, "output": "x", "errors": ""}], "megabytes": 10}
    damaged = Damaged(b"", "random", noise=True)
    wrong, outcome = judge(known, {**found, "interrupted": interrupted}, damaged, "options.toml")
    assert (wrong == "", outcome) == ((True, "interrupted") if interrupted else (False, ""))
