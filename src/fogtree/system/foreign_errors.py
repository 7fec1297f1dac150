"""Errors raised by users' code, reported in one line with the place in their file."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fogtree.errors import FogtreeError


@contextmanager
def report_errors(what: str, file: str | None, kind: type[FogtreeError]) -> Iterator[None]:
    """Turn any exception of users' code into a ``kind`` that names ``what`` and the line.

    ``file`` is where the code is, if known. FogtreeError and MemoryError pass through unchanged.
    """
    try:
        yield
    except (FogtreeError, MemoryError):
        raise
    except Exception as error:
        raise kind(failure_text(what, file, error)) from error


def failure_text(what: str, file: str | None, error: Exception) -> str:
    """One line that says that ``what`` fails, at which line of ``file``, and with which error."""
    return f"{what} fails{_place(error, file)}: {_error_text(error)}"


def _error_text(error: Exception) -> str:
    """An error's type and message in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _place(error: Exception, file: str | None) -> str:
    """Where an error arose, as text after a blank, such as "(my_game.py, line 12)": the last place
    of the traceback that is in ``file``, or in any file if that is None. Empty if there is none."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f" ({Path(error.filename).name}, line {error.lineno})"
    steps = traceback.extract_tb(error.__traceback__)
    theirs = [step for step in steps if file is None or _same(step.filename, file)]
    return f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""


def _same(one: str, other: str) -> bool:
    """Whether two paths lead to the same file."""
    return os.path.realpath(one) == os.path.realpath(other)
