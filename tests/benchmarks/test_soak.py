"""Many games of the search against itself; ``benchmarks/soak.py`` plays as many as you like."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

SOAK = ROOT / "benchmarks" / "soak.py"


@pytest.mark.slow
def test_nothing_breaks_in_many_games() -> None:
    done = subprocess.run(
        [sys.executable, str(SOAK), "--games", "40", "--workers", "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["games"] == 40
    assert not report["failures"]
