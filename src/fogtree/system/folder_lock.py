"""One process at a time may write into a run's folder.

The folder itself is locked, so nothing is left behind in it; the lock ends with the process that
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
    """Whether a process works on the run in a folder, as far as the system tells. Nothing is locked
    to find out, so that nobody is kept from the folder meanwhile."""
    try:
        place, locks = folder.stat(), _LOCKS.read_text(encoding="ascii")
    except (OSError, ValueError):
        return False
    device, node = place.st_dev, place.st_ino
    name = f"{os.major(device):02x}:{os.minor(device):02x}:{node}"
    return any(
        line.split()[1:2] == ["FLOCK"] and name in line.split() for line in locks.splitlines()
    )


class FolderLock:
    """A lock on a folder, held from construction until :meth:`release`; the folder is made."""

    def __init__(self, folder: Path) -> None:
        self._handle: int | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileFormatError(f"cannot make folder '{folder}': {error.strerror}") from error
        if fcntl is None:
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(handle)
            raise OptionError(
                f"'{folder}' is in use: another process is working on the run there"
            ) from error
        except OSError:
            os.close(handle)
            return
        self._handle = handle

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()
