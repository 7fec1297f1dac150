"""How processes of the attack end."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack import processes
from tests.support.sanitizers import address_sanitizer

ROOT = Path(__file__).parents[2]
CRASH = """
import ctypes, sys, tempfile
from pathlib import Path

import numpy
from tests.attack.processes import Setting, run_forked

def crash():
    return ctypes.string_at(0)

ended = run_forked(crash, Setting(Path(tempfile.gettempdir()), stderr=sys.argv[1]))
print(ended.status)
print(ended.errors)
"""


@pytest.mark.skipif(address_sanitizer(), reason="the sanitizer reports crashes itself")
@pytest.mark.parametrize("stderr", ["file", "closed"])
def test_a_crash_shows_its_stack(stderr):
    command = [sys.executable, "-c", CRASH, stderr]
    said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    status, errors = said.stdout.split("\n", 1)
    assert status == "-11", said.stderr
    assert errors.startswith("Fatal Python error: Segmentation fault\n")
    assert ", line 9 in crash\n" in errors
    assert "Extension modules" not in errors


@pytest.mark.parametrize(("interrupted", "status"), [(True, 130), (False, -signal.SIGINT)])
def test_an_interpreter_that_ctrl_c_meets_at_its_end(monkeypatch, tmp_path, interrupted, status):
    found = processes.Ended(-signal.SIGINT, "all of it", "", 1.0, 50, interrupted, False)
    monkeypatch.setattr(processes, "run_forked", lambda work, setting: found)
    ended = processes.run_interpreter(["--version"], processes.Setting(tmp_path))
    assert (ended.status, ended.output) == (status, "all of it")
