"""Output to encodings that lack letters, and to terminals without a width."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

FOGTREE = [sys.executable, "-m", "fogtree"]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*FOGTREE, *words], env={**os.environ, **environment}, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    ("command", "holds"),
    [
        ("solve kuhn_poker --iterations 10", "exploitability"),
        ("explain kuhn_poker", "EV    = sum over a of s[a] x v[a]"),
        ("study safety kuhn_poker --steps 20 --orders inf --gadgets both --workers 1", "k = inf"),
        ("solve --help", "Usage"),
    ],
)
def test_letters_that_an_encoding_lacks_are_written_plainly(command, holds):
    done = run(*command.split(), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stderr == b""
    assert holds in done.stdout.decode("ascii")


def test_no_columns_is_no_width():
    usual = run("games", COLUMNS="120")
    assert usual.stdout.count(b"\n") > 10
    for nothing in ("0", "00", ""):
        assert run("games", COLUMNS=nothing).stdout == usual.stdout
