"""Runs that are killed at random moments and go on: the end has the same bytes as without a kill.

Saves come far more often than they would, so that most kills find something to resume.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.attack.damaged_files import timeless
from tests.attack.part import Case, Finding, Part
from tests.attack.processes import Ended, Setting, end_with_parent, run_forked
from tests.attack.samples import CHESS_DATA, TRAINING

KILLS = 4
"""The most kills of one run."""


@dataclass(frozen=True)
class Run:
    """A command, the one that goes on with it, and the files in which both must end alike."""

    begin: str
    go_on: str
    begun: str
    """A file that is there once the run can go on."""
    same: tuple[str, ...]
    printed: bool = False
    """Whether what it prints must be the same too."""


RUNS = {
    "solve": Run(
        "solve leduc_poker -a cfr+ -n 300 --every 20 --save run",
        "resume run",
        "run/manifest.json",
        ("run/state-*.npz",),
    ),
    "sample": Run(
        "solve leduc_poker -a mccfr-external-linear -n 3000 --seed 3 --batch 50 --every 1000"
        " --save run",
        "resume run",
        "run/manifest.json",
        ("run/state-*.npz",),
    ),
    "simulate": Run(
        "solve cambia(max_turns=4) -a mccfr-outcome --abstraction own_hand -n 3000 --batch 50"
        " --save run",
        "resume run",
        "run/manifest.json",
        ("run/state-*.npz",),
    ),
    "train": Run(
        "train kuhn_poker --config options.toml --save run",
        "resume run",
        "run/manifest.json",
        ("run/state-*.npz", "run/policy.npz", "run/latest.npz"),
    ),
    "arena": Run(
        "arena kuhn_poker --agents random,search(steps=2) --games 60 --workers 1"
        " --file ledger.jsonl --records records.jsonl --json",
        "arena kuhn_poker --agents random,search(steps=2) --games 60 --workers 1"
        " --file ledger.jsonl --records records.jsonl --json",
        "ledger.jsonl",
        ("records.jsonl",),
        printed=True,
    ),
    "chess data": Run(
        CHESS_DATA, CHESS_DATA, "data/manifest.json", ("data/*.fogdata",), printed=True
    ),
}


class Kills(Part):
    """Killed runs."""

    name = "kills"
    goal, required = 320, 500
    short = 4
    chunk = 10

    def prepare(self, shared: Path) -> None:
        known = {}
        for name, run in RUNS.items():
            folder = shared / name
            folder.mkdir()
            (folder / "options.toml").write_text(
                TRAINING.replace("iterations = 3", "iterations = 8")
            )
            ended = do(run.begin, folder)
            if ended.status != 0:
                raise RuntimeError(f"{run.begin}: {ended.status}\n{ended.errors}")
            known[name] = {"seconds": ended.seconds, "printed": timeless(ended.output)}
        (shared / "known.json").write_text(json.dumps(known))

    def attack(self, case: Case) -> Counter[str]:
        luck = case.luck
        name = list(RUNS)[case.seed % len(RUNS)]
        run = RUNS[name]
        known = json.loads((case.shared / "known.json").read_text())[name]
        shutil.copy(case.shared / name / "options.toml", case.folder)
        killed = 0
        for _ in range(luck.randrange(1, KILLS + 1)):
            line = run.go_on if (case.folder / run.begun).exists() else run.begin
            killed += kill(line, case.folder, luck.uniform(0, 0.7 * known["seconds"]))
        begun = (case.folder / run.begun).exists()
        ended = do(run.go_on if begun else run.begin, case.folder)
        if ended.status != 0 or "Traceback" in ended.errors:
            raise Finding(f"{name} does not go on: {ended.status}\n{ended.errors[-2000:]}")
        self._compare(name, run, case, known["printed"], ended)
        return Counter({f"{name} killed": killed})

    def _compare(self, name: str, run: Run, case: Case, printed: str, ended: Ended) -> None:
        whole = case.shared / name
        for pattern in run.same:
            there = sorted(one.relative_to(whole) for one in whole.glob(pattern))
            here = sorted(one.relative_to(case.folder) for one in case.folder.glob(pattern))
            if there != here:
                raise Finding(f"{name} ends with other files: {here}, not {there}")
            for one in there:
                if _bytes(whole / one) != _bytes(case.folder / one):
                    raise Finding(f"{name} ends with another {one}")
        if run.printed and timeless(ended.output) != printed:
            raise Finding(f"{name} prints another answer:\n{ended.output[-1500:]}")
        left = [str(one) for one in case.folder.rglob("*.part")]
        if left:
            raise Finding(f"{name} leaves {left} behind")


def _bytes(path: Path) -> object:
    """The content of a file; of an archive all arrays but those of the clock."""
    if path.suffix != ".npz":
        return path.read_bytes()
    with np.load(path) as archive:
        return {name: archive[name].tobytes() for name in archive.files if name != "seconds"}


def _patched(line: str) -> int:
    """Run a command that saves as often as it can."""
    from fogtree.cli import main
    from fogtree.runs import loop

    loop.SAVE_EVERY_SECONDS, loop.STEP_SECONDS = 0.0, 0.001
    return main(line.split())


def do(line: str, folder: Path) -> Ended:
    """Run a command to its end."""
    return run_forked(lambda: _patched(line), Setting(folder, limited=False))


def kill(line: str, folder: Path, after: float) -> bool:
    """Run a command and kill it after some seconds; returns whether it was still running."""
    child = os.fork()
    if child == 0:
        try:
            end_with_parent()
            os.setsid()
            os.chdir(folder)
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                _patched(line)
        finally:
            os._exit(0)
    end = time.monotonic() + after
    while time.monotonic() < end:
        time.sleep(min(0.002, max(0.0, end - time.monotonic())))
        found, _ = os.waitpid(child, os.WNOHANG)
        if found:
            return False
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    sys.stdout.flush()
    return True
