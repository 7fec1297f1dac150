"""What a command printed and how it ended."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest


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


def play(command: Any, monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    outcome = command("play", *arguments)
    assert outcome.status == 0, outcome.errors
    return str(outcome.output)
