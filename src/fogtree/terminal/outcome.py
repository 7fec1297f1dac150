"""How a command ends: one line for what went wrong, never a traceback.

Exit status 0: done. 2: something in the input was wrong. 130: Ctrl-C. 143: SIGTERM. 1: the
reader of the output is gone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from inspect import signature
from itertools import pairwise
from pathlib import Path
from typing import NoReturn, TextIO, TypeVar, get_args

import typer

from fogtree.errors import FogtreeError, OptionError, shortened
from fogtree.system.termination import Interrupted, Terminated, exit_at_once, interruptions
from fogtree.system.user_code import user_code_failure
from fogtree.terminal.console import printable, write_anywhere

INTERRUPTED = 130
ENDED_EARLY = {"interrupted": INTERRUPTED, "terminated": 143}
"""Exit statuses of runs that a signal ended, by ``Run.stopped``."""

Result = TypeVar("Result")


def to_the_end(work: Callable[[], Result]) -> Result:
    """The result of ``work``, a function that solves or trains; if SIGTERM ended it, the result so
    far."""
    try:
        return work()
    except Terminated as end:
        so_far: Result = end.run
        return so_far


def end_at_once(end: KeyboardInterrupt | SystemExit) -> NoReturn:
    """End the process with the exit status of the exception ``end``, without waiting for other
    threads."""
    status = end.code if isinstance(end, SystemExit) else INTERRUPTED
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    exit_at_once(status if isinstance(status, int) else 1)


def run_to_exit_code(app: typer.Typer, arguments: list[str] | None) -> int:
    """Run a command; return its exit status, after one line for an error. Any error after Ctrl-C
    counts as the interruption itself."""
    _open_closed_streams()
    write_anywhere()
    with ExitStack() as last:
        for stream in (sys.stdout, sys.stderr):  # if Python could not flush one, it would exit 120
            last.callback(_write_or_forget, stream, "")
        with interruptions() as interrupted:
            return _exit_code(app, arguments, interrupted)


def _exit_code(app: typer.Typer, arguments: list[str] | None, interrupted: Interrupted) -> int:
    """Run the command and turn its errors into one line and an exit status."""
    try:
        _check_names(app, sys.argv[1:] if arguments is None else arguments)
        status = app(arguments, standalone_mode=False, prog_name="fogtree")
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except BrokenPipeError:
        _forget(sys.stdout)
        return 1
    except Exception as error:
        if interrupted():
            return INTERRUPTED
        message = _message(error)
        if message is None:
            raise
        _write_or_forget(sys.stderr, f"fogtree: {printable(_one_line(message))}\n")
        return 2
    return status if isinstance(status, int) else 0


def _check_names(app: typer.Typer, arguments: list[str]) -> None:
    """Refuse options for files and folders with an empty name (``--save ""``), which would mean the
    present folder."""
    for argument, following in pairwise([*arguments, "-"]):  # "-" so that the last one has a pair
        option = argument.removesuffix("=")
        empty = argument == f"{option}=" or following == ""
        if empty and option in _file_options(app):
            raise OptionError(f"{option} needs a name, and not an empty one")


def _file_options(app: typer.Typer) -> Iterator[str]:
    """The flags of all options of all commands whose values are files or folders."""
    for group in app.registered_groups:
        if group.typer_instance is not None:
            yield from _file_options(group.typer_instance)
    for command in app.registered_commands:
        assert command.callback is not None
        for parameter in signature(command.callback, eval_str=True).parameters.values():
            kind, *more = get_args(parameter.annotation) or (None,)
            if kind is Path or Path in get_args(kind) or kind == list[Path] | None:
                flags = [flag for info in more for flag in getattr(info, "param_decls", None) or ()]
                yield from flags or [f"--{parameter.name.strip('_').replace('_', '-')}"]


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
    """A message in one line of limited length."""
    return shortened(" ".join(message.split()))


def _open_closed_streams() -> None:
    """Open closed standard streams (``>&-``, ``<&-``) on the null device, so that no file opened
    later gets their descriptors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _write_or_forget(stream: TextIO, text: str) -> None:
    """Write a text to a stream; if that fails, for example on a full disk, give the text up."""
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        _forget(stream)
    except KeyboardInterrupt:  # the reader of a pipe does not read
        _forget(stream)
        raise


def _forget(stream: TextIO) -> None:
    """Replace a stream that cannot be written by the null device, so that nothing fails at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
