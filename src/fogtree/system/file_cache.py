"""A cache of files that are large and loaded often, such as strategies of agents."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

Content = TypeVar("Content")


def read_once(load: Callable[[Path], Content]) -> Callable[[str | Path], Content]:
    """Wrap ``load`` so that a file is read once per process, and again only if it has changed."""

    @lru_cache(maxsize=4)
    def load_version(path: Path, written: int) -> Content:
        """Load a file; ``written``, its last change, makes the cache load a changed file again."""
        del written  # a part of the cache's key
        return load(path)

    def read(path: str | Path) -> Content:
        """The content of a file, from the cache if the file has not changed."""
        found = Path(path)
        return load_version(found, last_change(found))

    return read


def last_change(path: Path) -> int:
    """The modification time of a path in nanoseconds: of a file, when it was last written; of a
    folder, when a file in it was last added, replaced or removed. 0 if there is no such path."""
    return path.stat().st_mtime_ns if path.exists() else 0
