"""The committed stub of the native core is the one nanobind writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fogtree


def test_stub_is_current(tmp_path):
    out = tmp_path / "_core.pyi"
    command = [
        sys.executable,
        "-m",
        "nanobind.stubgen",
        "-q",
        "-m",
        "fogtree._core",
        "-o",
        str(out),
    ]
    subprocess.run(command, check=True)
    committed = Path(fogtree.__file__).with_name("_core.pyi")
    assert out.read_text() == committed.read_text(), "run: make stub"
