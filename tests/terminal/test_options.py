"""Checks of options before the work begins."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fogtree.errors import OptionError
from fogtree.terminal.options import check_file


@pytest.fixture
def closed_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder in which this user may not make files."""
    ask = os.access

    def access(path: str | Path, mode: int) -> bool:
        return Path(path) != tmp_path and ask(path, mode)

    monkeypatch.setattr(os, "access", access)
    return tmp_path


def test_a_device_needs_no_folder_that_is_writable(closed_folder: Path) -> None:
    os.mkfifo(closed_folder / "pipe")
    check_file(closed_folder / "pipe")


def test_a_file_needs_a_folder_that_is_writable(closed_folder: Path) -> None:
    with pytest.raises(OptionError, match="is not writable"):
        check_file(closed_folder / "new.json")
