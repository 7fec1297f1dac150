"""Ctrl-C and SIGTERM while worker processes are at work: one line, the right status, no orphan."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.processes import FOGTREE, HANGS, start, wait_for

pytestmark = pytest.mark.long

ABLATE = ["study", "ablate", "fog_chess", "--games", "200", "--nodes", "300", "--only", "frozen"]
SAFETY = ["study", "safety", "leduc_poker", "kuhn_poker", "--steps", "100000", "--orders", "1"]
ARENA = ["arena", "fog_chess", "--agents", "search(steps=40),random", "--games", "500"]


def group(leader: int) -> list[int]:
    """The processes that a command has left, itself among them."""
    members = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[2]) == leader and fields[0] != "Z":
                members.append(int(entry.name))
    return members


def ended(process: subprocess.Popen[str]) -> str:
    """What it says on standard error once it and all that it started have ended."""
    output, errors = process.communicate(timeout=HANGS)
    assert output == ""
    end = time.monotonic() + HANGS
    while group(process.pid):
        assert time.monotonic() < end, "orphans"
        time.sleep(0.05)
    return errors


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")


@needs_proc
@pytest.mark.parametrize(
    ("number", "whole_group"),
    [
        (signal.SIGINT, True),  # as Ctrl-C does
        (signal.SIGTERM, False),  # as kill does
        pytest.param(signal.SIGINT, False, marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, True, marks=pytest.mark.slow),
    ],
)
def test_a_study_ends_and_keeps_its_games(tmp_path, number, whole_group):
    process = start(tmp_path, *ABLATE, "--workers", "2", "--file", "kept.jsonl", own_group=True)
    wait_for(process, lambda: len(lines(tmp_path)) > 1)
    (os.killpg if whole_group else os.kill)(process.pid, number)
    errors = ended(process)
    assert process.returncode == 128 + number
    word = {2: "interrupted", 15: "terminated"}[number]
    kept = len(lines(tmp_path)) - 1
    assert errors == f"{word}; {kept} of 200 games are kept in kept.jsonl\n"


@needs_proc
@pytest.mark.parametrize(
    ("command", "number"),
    [
        ([*SAFETY, "--workers", "2"], signal.SIGINT),
        ([*SAFETY, "--workers", "1"], signal.SIGTERM),
        ([*ARENA, "--workers", "2"], signal.SIGTERM),
        ([*ARENA, "--workers", "1"], signal.SIGINT),
    ],
)
def test_nothing_is_left_running(tmp_path, command, number):
    process = start(tmp_path, *command, own_group=True)
    if command[-1] == "1":
        wait_for(process, lambda: handles_sigterm(process.pid))
    else:
        wait_for(process, lambda: handles_sigterm(process.pid) and len(group(process.pid)) > 3)
    os.killpg(process.pid, number)
    errors = ended(process)
    assert process.returncode == 128 + number
    things = "conditions" if "safety" in command else "games"
    assert errors.startswith({2: "interrupted after ", 15: "terminated after "}[number])
    assert f"{things}; nothing is kept" in errors
    assert errors.count("\n") == 1


@needs_proc
def test_workers_do_not_outlive_a_killed_command(tmp_path):
    process = start(tmp_path, *ARENA, "--workers", "2", own_group=True)
    wait_for(process, lambda: len(group(process.pid)) > 3)
    process.kill()
    ended(process)


def test_unknown_switches_are_told_before_anything_is_shown(tmp_path):
    done = subprocess.run(
        [*FOGTREE, *ABLATE[:-1], "frozzen"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "fogtree: unknown switch 'frozzen'; did you mean 'frozen'?\n"


def lines(folder: Path) -> list[object]:
    """The whole lines of the file, each a document of its own."""
    path = folder / "kept.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines(True) if line[-1] == "\n"]


def handles_sigterm(pid: int) -> bool:
    """Whether a process has a handler for SIGTERM: the command has begun its task."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) >> (signal.SIGTERM - 1) & 1)
    raise AssertionError("no line of handled signals")
