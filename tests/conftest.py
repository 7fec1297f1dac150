"""Fixtures of all tests: compiled games, commands run in this process, and Ray where installed."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import typer.main
from hypothesis import settings

from fogtree import GameTree
from fogtree.cli import main
from tests.support.command_line import Command, Outcome
from tests.support.games import compiled

# The command line is built from its functions once, and not again for each command of a test.
typer.main.get_command = cache(typer.main.get_command)
gc.set_threshold(100_000, 20, 100)  # the collector seldom walks the large trees of some tests
os.environ["FOGTREE_CACHE"] = "off"  # games are compiled anew, and nothing is written at home
os.environ.pop("COLUMNS", None)  # tables are as wide as the tests say, not as the terminal is
os.environ.pop("PYTHONUNBUFFERED", None)  # programs keep output back, as they do for users
settings.register_profile("any machine", deadline=None)  # an example may take as long as it takes
settings.load_profile("any machine")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell without job control starts background work with Ctrl-C ignored, and programs that the
    # tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with tests that are marked `long` run first, so that no process is left with the
    longest file at the end."""
    slowly = {item.path for item in items if item.get_closest_marker("long")}
    items.sort(key=lambda item: item.path not in slowly)


@pytest.fixture(scope="session")
def tree_of() -> Callable[[str], GameTree]:
    return compiled


@pytest.fixture(scope="module")
def ray() -> Iterator[ModuleType]:
    """Its cluster ends with the module; a test that asks for it is skipped without the extra."""
    ray = pytest.importorskip("ray", reason="needs Ray: pip install 'fogtree[ray]'")
    yield ray
    ray.shutdown()


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    """Runs a command in this process, in an empty folder, and catches what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def done(command: Command) -> Command:
    """The same, for commands that must succeed and have nothing to complain about."""

    def run(*arguments: object) -> Outcome:
        outcome = command(*arguments)
        assert outcome.status == 0, outcome.errors
        assert outcome.errors == ""
        return outcome

    return run
