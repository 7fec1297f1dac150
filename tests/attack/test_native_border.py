"""Nothing that the native core is handed kills the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT


def attack(seed: int, calls: int, folder: Path) -> None:
    log = folder / "calls.txt"
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack.native_calls", str(seed), str(calls), str(log)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )
    last = log.read_text(errors="replace").splitlines()[-1] if log.exists() else ""
    assert done.returncode == 0, f"seed {seed}: {done.returncode} in\n{last}\n{done.stderr}"


@pytest.mark.parametrize("seed", range(4))
def test_random_calls_never_kill_the_process(seed: int, tmp_path: Path) -> None:
    attack(seed, 2000, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_random_calls_never_kill_the_process(seed: int, tmp_path: Path) -> None:
    attack(seed, 20_000, tmp_path)
