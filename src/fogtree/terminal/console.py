"""The consoles of commands: answers on standard output, progress on standard error."""

from __future__ import annotations

import codecs
import json
import math
import os
import sys
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

PIPED_WIDTH = 120  # columns of output that does not go to a terminal
PLAIN_LETTERS = {
    "∞": "inf", "−": "-", "–": "-", "±": "+-", "µ": "u", "…": "...", "→": "->",
    "×": "x", "·": "*", "′": "'", "σ": "s", "η": "eta", "⁺": "+",
}  # fmt: skip


def output() -> Console:
    """Standard output for people. Names of games and actions are text, not markup."""
    return _console(stderr=False)


def messages() -> Console:
    """Standard error, for progress and messages."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    """A Rich console on a standard stream; pipes get a fixed width."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(
        stderr=stderr, markup=False, highlight=False, emoji=False, width=width, soft_wrap=False
    )


def write_anywhere() -> None:
    """Set up standard output and error: characters that their encoding lacks are written as plain
    letters, and COLUMNS=0 in the environment is ignored."""
    codecs.register_error("fogtree.plain", _replacement)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="fogtree.plain")
    if not os.environ.get("COLUMNS", "1").strip("0"):
        del os.environ["COLUMNS"]


def _replacement(error: UnicodeError) -> tuple[str, int]:
    """An error handler of Python's codecs: the letters that replace characters which the output's
    encoding lacks, and the place after them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(
        PLAIN_LETTERS.get(letter) or _without_accent(letter) for letter in missing
    ), error.end


def _without_accent(letter: str) -> str:
    """The nearest letter in ASCII, such as the letter without its accent; a question mark if there
    is none."""
    kept = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return kept or "?"


def take_any_input() -> None:
    """Replace bytes on standard input that are not text; call it before the first line is read."""
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="replace")


def print_json(document: Mapping[str, Any]) -> None:
    """Print one JSON document; NaN and infinity become ``null``."""
    text = json.dumps(_as_json_value(document), indent=2, allow_nan=False)
    sys.stdout.write(text + "\n")


def printable(text: str) -> str:
    """A text without control characters, which could steer the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _as_json_value(value: Any) -> Any:
    """A copy of a value that JSON can express: paths become texts, tuples lists, NaN and infinity
    None."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _as_json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json_value(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    return value
