"""One process at a time may write into a run's folder, or append to a file.

The folder or file itself is locked, so nothing is left behind; the lock ends with the process that
holds it, however that ends. Where the system has no such locks, nothing is locked.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

from fogtree.errors import FileFormatError, OptionError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:
    fcntl = None


_LOCKS = Path("/proc/locks")


def in_use(folder: Path) -> bool:
    """Whether a process works on the run in a folder. Only Linux tells this without taking the
    lock; elsewhere the answer is False."""
    try:
        place, locks = folder.stat(), _LOCKS.read_text(encoding="ascii")
    except (OSError, ValueError):
        return False
    device, node = place.st_dev, place.st_ino
    # /proc/locks names a locked file by its device, in hexadecimal, and its inode.
    name = f"{os.major(device):02x}:{os.minor(device):02x}:{node}"
    return any(
        line.split()[1:2] == ["FLOCK"] and name in line.split() for line in locks.splitlines()
    )


class PathLock:
    """A lock on a file or folder that is there, held from construction until :meth:`release`."""

    _handle: int | None = None  # here, because __del__ comes even if __init__ was interrupted

    def __init__(self, path: Path) -> None:
        """Lock a path at once; an error if another process holds the lock."""
        if fcntl is None:
            return
        try:
            handle = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise FileFormatError(f"cannot read '{path}': {error.strerror}") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise OptionError(f"'{path}' is in use: another process is working on it") from error
        except OSError:
            os.close(handle)
            return
        self._handle = handle

    @property
    def held(self) -> bool:
        """Whether the path is locked; False where the system has no locks."""
        return self._handle is not None

    def release(self) -> None:
        """Give the lock back; it may be called more than once."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def __del__(self) -> None:
        self.release()

    def __enter__(self) -> PathLock:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()


def lock_folder(folder: Path) -> PathLock:
    """A lock on a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileFormatError(f"cannot make folder '{folder}': {error.strerror}") from error
    return PathLock(folder)
