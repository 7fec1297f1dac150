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
def attack(tmp_path_factory):
    """All parts in one process; importing everything takes longer than many cases."""
    command = [sys.executable, str(RUN), "--short", "--workers", "1"]
    folder = ["--folder", str(tmp_path_factory.mktemp("attack"))]
    return subprocess.run([*command, *folder], capture_output=True, text=True, check=False)


def test_its_status_says_that_nothing_is_found(attack):
    assert attack.returncode == 0, attack.stdout[-6000:] + attack.stderr[-3000:]


@pytest.mark.parametrize("part", PARTS, ids=[part.name for part in PARTS])
def test_nothing_is_found(part, attack):
    if missing := part.missing():
        pytest.skip(f"needs {', '.join(missing)}")
    said = attack.stdout[-6000:] + attack.stderr[-3000:]
    lines = [one for one in attack.stdout.splitlines() if one.startswith(f"{part.name}: ")]
    assert len(lines) == 1, said
    assert f", 0 findings; {part.short} cases: " in lines[0], said
