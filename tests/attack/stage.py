"""A folder of sound files that one case after another may change: only changes are put right."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

DEPTH = ("a", "b", "here")
"""Folders around the files, so that ``..`` leads to something harmless."""
MOST_ODD = 50
"""Changes from which on a new copy is made."""
Stamp = tuple[int, ...]
"""What changes with a file: its inode, kind, times and size; of a folder the first two."""


class Stage:
    """A copy of a folder, made anew wherever a case has changed it."""

    def __init__(self, sound: Path, around: Path) -> None:
        self._sound, self._around = sound, around
        self._names = set(_stamps(sound))
        self.folder = around.joinpath(*DEPTH)
        self._make()

    def _make(self) -> None:
        shutil.rmtree(self._around, ignore_errors=True)
        shutil.copytree(self._sound, self.folder, symlinks=True)
        self._stamps = _stamps(self._around)

    def changes(self) -> dict[str, bytes | None]:
        """What is another file now than before, and its content; None if it was deleted."""
        now = _stamps(self._around)
        prefix = "/".join(DEPTH)
        found: dict[str, bytes | None] = {}
        for name in self._names:
            stamp = now.get(f"{prefix}/{name}")
            if stamp != self._stamps[f"{prefix}/{name}"]:
                content = None if stamp is None else _content(self.folder / name)
                if content != _content(self._sound / name):
                    found[name] = content
        return found

    def added(self) -> set[str]:
        """The names that were not there before."""
        return set(_stamps(self.folder)) - self._names

    def restore(self) -> None:
        """Make everything as it was."""
        now = _stamps(self._around)
        names = {*now, *self._stamps}
        odd = {name for name in names if now.get(name) != self._stamps.get(name)}
        folders = [name for name in odd & self._stamps.keys() if len(self._stamps[name]) == 2]
        if folders or len(odd) > MOST_ODD:
            self._make()
            return
        for name in sorted(odd & now.keys(), reverse=True):
            path = self._around / name
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        for name in odd & self._stamps.keys():
            path = self._around / name
            shutil.copy2(self._sound / path.relative_to(self.folder), path, follow_symlinks=False)
        if odd & self._stamps.keys():
            self._stamps = _stamps(self._around)

    def close(self) -> None:
        """Remove the copy."""
        shutil.rmtree(self._around, ignore_errors=True)


def _stamps(folder: Path) -> dict[str, Stamp]:
    """Every path below a folder; links are not followed."""
    found: dict[str, Stamp] = {}
    waiting = [""]
    while waiting:
        here = waiting.pop()
        with os.scandir(folder / here) as entries:
            for entry in entries:
                name = f"{here}/{entry.name}" if here else entry.name
                about = entry.stat(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                times = () if is_folder else (about.st_mtime_ns, about.st_ctime_ns, about.st_size)
                found[name] = (about.st_ino, about.st_mode, *times)
                if is_folder:
                    waiting.append(name)
    return found


def _content(path: Path) -> bytes:
    """What a file holds; links and folders are named."""
    if path.is_symlink():
        return b"link " + os.fsencode(os.readlink(path))
    return path.read_bytes() if path.is_file() else b"folder"
