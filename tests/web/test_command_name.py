"""How fogtree is called in advice that people paste into a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fogtree.web.command_name import command_name


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that this process seems to have been started as, and that no path leads to."""
    file = tmp_path / "own folder" / "bin" / "fogtree"
    file.parent.mkdir(parents=True)
    file.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(file), "serve"])
    monkeypatch.setenv("PATH", str(tmp_path))
    return file


def test_a_program_below_the_present_folder(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(program.parents[1])
    assert command_name() == "bin/fogtree"


def test_a_program_elsewhere_is_quoted(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (program.parents[2] / "empty").mkdir()
    monkeypatch.chdir(program.parents[2] / "empty")
    assert command_name() == f"'{program}'"


def test_a_program_on_the_path(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(program.parent))
    assert command_name() == "fogtree"


def test_a_module(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(program.with_name("__main__.py")), "serve"])
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    monkeypatch.chdir(program.parent)
    assert command_name() == "./python -m fogtree"


def test_another_program_that_serves_games(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(program.with_name("pytest"))])
    assert command_name() == "fogtree"
