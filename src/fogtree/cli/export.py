"""The formats of strategies as an option of commands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path


class Format(StrEnum):
    """The formats of strategy files: JSON, CSV, or NumPy's binary archive."""

    json = "json"
    csv = "csv"
    npz = "npz"


def format_of(path: Path) -> Format:
    """The format that a file's ending names; without an ending it is binary."""
    from fogtree.strategy import formats

    return Format(formats.format_of(path))
