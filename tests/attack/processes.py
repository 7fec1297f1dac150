"""Commands in forked copies of this process, which has imported everything already.

A fork takes milliseconds, a new interpreter half a second. The parent must not have started
threads.
"""

from __future__ import annotations

import ctypes
import faulthandler
import importlib
import os
import re
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
CPU_SECONDS = 600 if SANITIZED else 120
"""Processor time after which a process counts as hanging."""
MEMORY = 3 << 30
"""Address space of a process; not under a sanitizer, which reserves terabytes."""
AFTER_INTERRUPT = 120.0
"""Seconds of real time that a command has to end after Ctrl-C, on a busy machine."""
ONCE_MORE = 20.0
"""Seconds after which Ctrl-C comes again: a library that is being imported may swallow it."""
KEPT_VARIABLES = (
    "PYTHONPATH",
    "LD_PRELOAD",
    "PATH",
    "JAX_PLATFORMS",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
)
"""Environment variables that a new interpreter needs."""

Stream = str
"""Where a standard stream leads: ``file``, ``closed``, ``broken`` (a pipe without a reader), or the
path of a device."""


@dataclass(frozen=True)
class Setting:
    """Surroundings of a command: its folder, streams and encoding, and when Ctrl-C comes."""

    folder: Path
    typed: bytes = b""
    stdin: Stream = "file"
    stdout: Stream = "file"
    stderr: Stream = "file"
    encoding: str = "utf-8"
    interrupt: float | None = None
    """Processor time after which Ctrl-C comes, or a few times as much of real time."""
    environment: dict[str, str] = field(default_factory=dict)
    limited: bool = True


@dataclass(frozen=True)
class Ended:
    """How a process ended; a negative status is the signal that ended it."""

    status: int
    output: str
    errors: str
    seconds: float
    megabytes: int
    interrupted: bool
    left: bool
    """Whether it left processes behind."""

    @property
    def hung(self) -> bool:
        return self.status in (-signal.SIGKILL, -signal.SIGXCPU)


def run_command(arguments: Sequence[str], setting: Setting) -> Ended:
    """Run ``fogtree`` with these arguments in a fork of this process."""

    def command() -> int:
        sys.argv = ["fogtree", *arguments]
        main = importlib.import_module("fogtree.__main__")
        sys.modules["__main__"] = main  # which worker processes import
        status: int = main.main()
        return status

    return run_forked(command, setting)


def run_forked(work: Callable[[], int], setting: Setting) -> Ended:
    """Run a function in a fork of this process; its result is the exit status."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.monotonic()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        child = os.fork()
        if child == 0:
            _be_child(work, setting, out.fileno(), err.fileno())
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        status, usage, interrupted = _wait(child, setting, began)
        seconds = time.monotonic() - began
        left = _left_processes(child)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read(1 << 20).decode("utf-8", "replace"))
    texts[1] = re.sub(r"\nExtension modules: .*\n", "", texts[1])  # faulthandler's list, too long
    code = os.waitstatus_to_exitcode(status)
    memory = usage.ru_maxrss >> 10
    return Ended(code, texts[0], texts[1], seconds, memory, interrupted, left)


def run_interpreter(arguments: Sequence[str], setting: Setting) -> Ended:
    """Run ``fogtree`` in a new interpreter with a bare environment. Ctrl-C that comes while the
    interpreter ends, after the command, ends it by the signal: for a shell that is 130 too."""
    variables = {key: os.environ[key] for key in KEPT_VARIABLES if key in os.environ}
    variables |= {"PYTHONIOENCODING": setting.encoding, **setting.environment}
    command = [sys.executable, "-m", "fogtree", *(os.fsencode(one) for one in arguments)]

    def become() -> int:
        os.execve(sys.executable, command, variables)

    ended = run_forked(become, setting)
    by_signal = ended.interrupted and ended.status == -signal.SIGINT
    return replace(ended, status=128 + signal.SIGINT) if by_signal else ended


def _wait(child: int, setting: Setting, began: float) -> tuple[int, resource.struct_rusage, bool]:
    """Wait for a child; Ctrl-C comes when the setting says, and the end when it takes too long."""
    interrupted, limit, again = False, None, 0.0
    ended = os.pidfd_open(child)  # readable when the child ends
    try:
        while True:
            select.select([ended], [], [], 0.02)
            found, status, usage = os.wait4(child, os.WNOHANG)
            if found:
                return status, usage, interrupted
            now = time.monotonic() - began
            if not interrupted and setting.interrupt is not None and _due(child, now, setting):
                os.kill(child, signal.SIGINT)
                interrupted, limit, again = True, now + AFTER_INTERRUPT, now + ONCE_MORE
            elif interrupted and now > again:
                os.kill(child, signal.SIGINT)
                again = now + ONCE_MORE
            if now > (limit or CPU_SECONDS * 5):
                os.kill(child, signal.SIGKILL)
    finally:
        os.close(ended)


def _due(child: int, now: float, setting: Setting) -> bool:
    """Whether it is time for Ctrl-C: a busy machine must not make it come earlier in the work."""
    assert setting.interrupt is not None
    if now < setting.interrupt:
        return False
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    used = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return used > setting.interrupt or now > 5 * setting.interrupt


def _left_processes(group: int) -> bool:
    """Whether processes of a group stay after its leader; they get a moment, then they are
    ended."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except (ProcessLookupError, PermissionError):
            return False
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
    return True


_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """The process that calls this is killed when the one that forked it ends."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def show_fatal_signals(file: int) -> None:
    """Write the stacks of all threads to a file when a signal such as SIGSEGV ends this process.
    A sanitizer does that itself."""
    if not SANITIZED:
        faulthandler.enable(file)


def _be_child(work: Callable[[], int], setting: Setting, out: int, err: int) -> NoReturn:
    status = 70
    try:
        end_with_parent()
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if setting.limited and not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        show_fatal_signals(err)
        os.chdir(setting.folder)
        os.environ.update(setting.environment)
        _set_streams(setting, out, err)
        status = _status_of(work)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


def _status_of(work: Callable[[], int]) -> int:
    """The exit status of an interpreter that runs ``work`` and then exits."""
    try:
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
            status = work()
        finally:  # Ctrl-C that comes later is too late
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    except KeyboardInterrupt as end:
        steps = traceback.extract_tb(end.__traceback__)
        if any("fogtree" in step.filename for step in steps):
            traceback.print_exc()
        status = 130
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        status = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            status = 120  # as the interpreter does
    return status


def _set_streams(setting: Setting, out: int, err: int) -> None:
    """Standard streams of a new process, as an interpreter makes them."""
    reader, writer = os.pipe()
    os.write(writer, setting.typed[:60_000])
    os.close(writer)
    sys.stdin = _opened(0, setting.stdin, reader, "r", setting)
    sys.stdout = _opened(1, setting.stdout, out, "w", setting)
    sys.stderr = _opened(2, setting.stderr, err, "w", setting)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def _opened(number: int, where: Stream, file: int, mode: str, setting: Setting):
    if where == "closed":
        with suppress(OSError):
            os.close(number)
        return None
    if where == "file":
        source = file
    elif where == "broken":
        reader, source = os.pipe()
        os.close(reader)
    else:
        source = os.open(where, os.O_RDONLY if mode == "r" else os.O_WRONLY)
    os.dup2(source, number)
    errors = "backslashreplace" if number == 2 else "strict"
    return open(number, mode, encoding=setting.encoding, errors=errors, closefd=False)
