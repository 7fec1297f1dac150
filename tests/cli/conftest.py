"""Runs commands in this process, in an empty folder, and catches what they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fogtree.cli import main


@dataclass(frozen=True)
class Outcome:
    status: int
    output: str
    errors: str

    @property
    def document(self) -> Any:
        """The JSON document that is all of standard output; NaN and Infinity are not JSON."""

        def refuse(constant: str) -> None:
            raise AssertionError(f"{constant} in JSON")

        return json.loads(self.output, parse_constant=refuse)


Command = Callable[..., Outcome]


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
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
