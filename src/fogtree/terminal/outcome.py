"""How a command ends: one line for what went wrong, never a traceback.

Exit status 0: done. 2: something in the input was wrong. 130: Ctrl-C. 143: SIGTERM. 1: the
reader of the output is gone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn, TypeVar

import typer

from fogtree.errors import FogtreeError
from fogtree.system.termination import Terminated, exit_at_once
from fogtree.system.user_code import user_code_failure
from fogtree.terminal.console import printable, write_anywhere

INTERRUPTED = 130
ENDED_EARLY = {"interrupted": INTERRUPTED, "terminated": 143}

_LONG_WORD, _KEPT = 300, 100  # letters of a word in an error, and of each end of a longer one

Result = TypeVar("Result")


def to_the_end(work: Callable[[], Result]) -> Result:
    """The result of a run; if SIGTERM ended it, the result so far."""
    try:
        return work()
    except Terminated as end:
        so_far: Result = end.run
        return so_far


def end_at_once(end: KeyboardInterrupt | SystemExit) -> NoReturn:
    """End the process with this status, without waiting for other threads."""
    status = end.code if isinstance(end, SystemExit) else INTERRUPTED
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    exit_at_once(status if isinstance(status, int) else 1)


def run_to_exit_code(app: typer.Typer, arguments: list[str] | None) -> int:
    """Run a command; return its exit status, after one line for an error."""
    _open_closed_streams()
    write_anywhere()
    try:
        status = app(arguments, standalone_mode=False, prog_name="fogtree")
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BrokenPipeError:
        _forget_output()
        return 1
    except Exception as error:
        message = _message(error)
        if message is None:
            raise
        sys.stderr.write(f"fogtree: {printable(_one_line(message))}\n")
        try:
            sys.stdout.flush()
        except OSError:  # a full disk, say
            _forget_output()
        return 2
    return status if isinstance(status, int) else 0


def _message(error: Exception) -> str | None:
    """The one-line message for the user; ``None`` if the error is a bug."""
    if isinstance(error, FogtreeError):
        return str(error)
    if isinstance(error, MemoryError):
        return "out of memory; choose smaller parameters"
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return f"{what}: '{error.filename}'" if error.filename else f"cannot write: {what}"
    # Errors of the argument parser have their own message. Versions of the parser have them in
    # different classes, but with the same method.
    message = getattr(error, "format_message", None)
    return user_code_failure(error) if message is None else str(message())


def _one_line(message: str) -> str:
    """A message in one line, in which very long words, such as given names, are shortened."""
    words = message.split()
    short = (w if len(w) <= _LONG_WORD else f"{w[:_KEPT]}…{w[-_KEPT:]}" for w in words)
    return " ".join(short)


def _open_closed_streams() -> None:
    """Open closed standard streams (``>&-``, ``<&-``) on the null device, so that no file opened
    later gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _forget_output() -> None:
    """Replace standard output that cannot be written, so that nothing is flushed to it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
