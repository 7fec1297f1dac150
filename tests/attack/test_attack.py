"""The short form of the attack: the first cases of every part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.parts import PARTS

pytestmark = pytest.mark.long

RUN = Path(__file__).with_name("run.py")


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What all parts print in one process; importing everything takes longer than many cases."""
    command = [sys.executable, str(RUN), "--short", "--workers", "1"]
    folder = ["--folder", str(tmp_path_factory.mktemp("attack"))]
    done = subprocess.run([*command, *folder], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr[-3000:]


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_nothing_is_found(part, said):
    if missing := part.missing():
        pytest.skip(f"needs {', '.join(missing)}")
    lines = [line for line in said.splitlines() if line.startswith(f"{part.name}: ")]
    assert len(lines) == 1, said[-9000:]
    assert f", 0 findings; {part.short} cases: " in lines[0], said[-9000:]
