"""Files: written beside the target, then renamed; array archives with a JSON header (head)."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import FileFormatError

Arrays = Mapping[str, NDArray[Any]]


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Opens a file for writing that replaces ``path`` only once it is complete and on disk.

    Links are followed. Pipes, devices and other special files are written to directly, not
    replaced.
    """
    target = path.resolve()
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as out:
                yield out
            return
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with beside.open("wb") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise FileFormatError(f"cannot write '{path}': {error.strerror or error}") from error


def write_text(path: Path, text: str) -> None:
    """Write a text file, which appears only when it is complete."""
    with whole_file(path) as out:
        out.write(text.encode())


def read_text(path: Path) -> str:
    """The content of a text file; an error in one line if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"cannot read '{path}': it is not text in UTF-8") from error
    except OSError as error:
        raise FileFormatError(f"cannot read '{path}': {error.strerror or error}") from error


def write_arrays(path: Path, kind: str, header: Mapping[str, Any], arrays: Arrays) -> None:
    """Write arrays with a JSON header, in NumPy's compressed archive format."""
    text = json.dumps({"fogtree": kind, "version": 1, **header})
    content = io.BytesIO()
    named: dict[str, Any] = {"header": np.frombuffer(text.encode(), np.uint8), **arrays}
    np.savez_compressed(content, **named)
    with whole_file(path) as out:
        out.write(content.getbuffer())


def read_arrays(
    path: Path, kind: str, needed: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read what :func:`write_arrays` wrote; any other file is an error in one line."""
    try:
        with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except FileNotFoundError as error:
        raise FileFormatError(f"there is no file '{path}'") from error
    except PermissionError as error:
        raise FileFormatError(f"'{path}' cannot be read: {error.strerror}") from error
    except Exception as error:  # zip, zlib and array headers raise many kinds
        raise FileFormatError(f"'{path}' is damaged or not a fogtree {kind} file") from error
    header = _header(arrays.pop("header", None))
    check_head(path, header, kind)
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise FileFormatError(f"'{path}' is damaged: it has no '{missing[0]}'")
    return header, arrays


def check_head(path: Path, head: Any, kind: str) -> None:
    """Refuse a file whose head, its JSON header, names another kind or a format we do not read."""
    found = head.get("fogtree") if isinstance(head, dict) else None
    if found != kind:
        but = f" but a fogtree {found} file" if isinstance(found, str) and found else ""
        raise FileFormatError(f"'{path}' is not a fogtree {kind} file{but}")
    version = head.get("version")
    if version == 1:
        return
    if isinstance(version, int) and version > 1:
        raise FileFormatError(
            f"'{path}' was written by a newer fogtree: its format is {version}, this one reads 1"
        )
    raise FileFormatError(f"'{path}' is damaged: there is no format {version!r}")


def archive_kind(path: Path) -> str | None:
    """The kind of a file that :func:`write_arrays` wrote; ``None`` for any other file."""
    try:
        with zipfile.ZipFile(path), np.load(path, allow_pickle=False) as archive:
            kind = _header(archive["header"]).get("fogtree")
    except Exception:  # zip, zlib and array headers raise many kinds
        return None
    return kind if isinstance(kind, str) else None


def _header(content: NDArray[Any] | None) -> dict[str, Any]:
    if content is None or content.dtype != np.uint8 or content.ndim != 1:
        return {}
    try:
        header = json.loads(content.tobytes().decode())
    except (ValueError, RecursionError):
        return {}
    return header if isinstance(header, dict) else {}
