"""Writing files: beside the target, then renamed, so that a file is complete or not there.

The file beside it is locked while it is written. What a killed process left is not locked any more,
and the next one that writes the same file deletes it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

from fogtree.errors import FileFormatError, OptionError
from fogtree.system.path_lock import PathLock


@contextmanager
def whole_file(path: Path, *, new: bool = False) -> Iterator[IO[bytes]]:
    """Opens a file for writing that replaces ``path`` only once it is complete and on disk.

    Links are followed. Pipes, devices and other special files are written to directly, not
    replaced. With ``new``, a file that is there by then is not replaced but an error.
    """
    with _write_errors(path):
        target = _target(path)
        if _is_special(target):
            with target.open("wb") as out:
                yield out
            return
        with _unfinished(target) as beside:
            with beside.open("wb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            if new:
                _put_new(beside, target)
            else:
                os.replace(beside, target)


def write_text(path: Path, text: str) -> None:
    """Write a text file, which appears only when it is complete."""
    with whole_file(path) as out:
        out.write(text.encode())


def check_writable(path: Path) -> None:
    """Raise the error that :func:`whole_file` would raise later, if a file cannot be written; to be
    called before any work is done."""
    with _write_errors(path):
        target = _target(path)
        if target.is_dir():
            raise FileFormatError(f"cannot write '{path}': it is a folder")
        if not _is_special(target):
            with _unfinished(target):
                pass
        elif not os.access(target, os.W_OK):
            raise FileFormatError(f"cannot write '{path}': it is not writable")


def append_whole(path: Path, content: bytes) -> None:
    """Append to a file that exists; if that fails, for example on a full disk, it stays as it
    was."""
    with _write_errors(path):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            size, rest = os.fstat(handle).st_size, memoryview(content)
            try:
                while rest:
                    rest = rest[os.write(handle, rest) :]
            except OSError:
                os.ftruncate(handle, size)
                raise
        finally:
            os.close(handle)


def clear_unfinished(path: Path) -> None:
    """Delete the half-written files that killed processes left beside ``path``. A file that is
    still being written is locked, and stays."""
    target = _target(path)
    with suppress(OSError):
        for left in target.parent.iterdir():
            if left.name.startswith(f".{target.name}.") and left.name.endswith(_UNFINISHED):
                with suppress(OptionError, FileFormatError), PathLock(left) as lock:
                    if lock.held:
                        left.unlink(missing_ok=True)


_UNFINISHED = ".part"
_numbers = count()  # in the names of the temporary files of this process


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A new, locked file beside the target, which is deleted at the end if it is still there."""
    clear_unfinished(target)
    beside, lock = _new_file(target)
    try:
        yield beside
    finally:
        beside.unlink(missing_ok=True)
        lock.release()


def _new_file(target: Path) -> tuple[Path, PathLock]:
    """Make and lock a temporary file beside the target. If another process deletes it as left over
    before it is locked, make another one."""
    while True:
        name = f".{target.name}.{os.getpid()}-{next(_numbers)}{_UNFINISHED}"
        beside = target.with_name(name)
        beside.open("wb").close()
        try:
            lock = PathLock(beside)
        except OptionError:
            continue
        except FileFormatError:
            if beside.exists():
                beside.unlink()
                raise
            continue
        if beside.exists():
            return beside, lock


def _target(path: Path) -> Path:
    """The file that a path leads to; a loop of links is an error of the system."""
    with suppress(FileNotFoundError):
        path.stat()
    return Path(os.path.realpath(path))


def _is_special(target: Path) -> bool:
    """Whether a path is a pipe, a device or a folder rather than a plain file."""
    return target.exists() and not target.is_file()


def _put_new(beside: Path, target: Path) -> None:
    """Give the complete file ``beside`` the name ``target``; an error if another file has it."""
    try:
        os.link(beside, target)
    except FileExistsError as error:
        raise OptionError(
            f"'{target}' has been made by another process meanwhile; choose another name"
        ) from error
    except OSError:  # a file system without links
        os.replace(beside, target)


@contextmanager
def _write_errors(path: Path) -> Iterator[None]:
    """Report errors of the system while a file is written as FileFormatErrors."""
    try:
        yield
    except OSError as error:
        raise FileFormatError(f"cannot write '{path}': {error.strerror or error}") from error
    except ValueError as error:
        if "\0" in str(path):
            raise FileFormatError("cannot write: no file can have a null character") from error
        raise
