"""The short form of the attack: the first cases of every part, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.parts import PARTS

pytestmark = pytest.mark.long

RUN = Path(__file__).with_name("run.py")


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_nothing_is_found(part, tmp_path):
    if missing := part.missing():
        pytest.skip(f"needs {', '.join(missing)}")
    command = [sys.executable, str(RUN), part.name, "--short", "--workers", "1"]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    assert f", 0 findings; {part.short} cases: " in done.stdout
