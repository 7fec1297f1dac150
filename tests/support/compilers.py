"""Shared libraries compiled by the tests."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from tempfile import gettempdir

import pytest

NAMES = {"c": ("CC", "cc", "gcc", "clang"), "cpp": ("CXX", "c++", "g++", "clang++")}
"""For each suffix of source files: the variable that names the compiler, and usual names of it."""


def compiler(suffix: str) -> str:
    """A compiler of such files; a test without one is skipped."""
    variable, *usual = NAMES[suffix]
    for name in (os.environ.get(variable), sysconfig.get_config_var(variable), *usual):
        found = shutil.which(name.split()[0]) if name else None
        if found:
            return found
    pytest.skip(f"no compiler of .{suffix} files")


def shared_library(text: str, suffix: str, *options: str) -> ctypes.CDLL:
    """The library of one source file, compiled once."""
    name = hashlib.sha256("\n".join([text, *options]).encode()).hexdigest()[:16]
    path = Path(gettempdir()) / f"fogtree_tests_{os.getuid()}_{name}.so"
    if not path.exists():
        source = path.with_suffix(f".{os.getpid()}.{suffix}")
        source.write_text(text)
        made = source.with_suffix(".so")
        command = [compiler(suffix), *options, "-shared", "-fPIC", str(source), "-o", str(made)]
        subprocess.run(command, check=True)
        made.replace(path)
        source.unlink()
    return ctypes.CDLL(str(path))
