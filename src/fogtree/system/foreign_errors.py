"""Errors in code that is not ours, told in one line: what it was, and where in whose file."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fogtree.errors import FogtreeError


@contextmanager
def blamed(what: str, file: str | None, kind: type[FogtreeError]) -> Iterator[None]:
    """Whatever ``what`` raises becomes a ``kind``; ``file`` is where its code is, if that is known.

    What says clearly enough what is wrong stays as it is, and so does a machine without memory.
    """
    try:
        yield
    except (FogtreeError, MemoryError):
        raise
    except Exception as error:
        raise kind(f"{what} fails{_place(error, file)}: {_told(error)}") from error


def _told(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _place(error: Exception, file: str | None) -> str:
    """The last line of that file on the way to the error, if it got there."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f" ({Path(error.filename).name}, line {error.lineno})"
    steps = traceback.extract_tb(error.__traceback__)
    theirs = [step for step in steps if file is None or _same(step.filename, file)]
    return f" ({Path(theirs[-1].filename).name}, line {theirs[-1].lineno})" if theirs else ""


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()
