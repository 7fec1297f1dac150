"""Reading files: bounded in memory, with errors in one line.

Every file that a user hands over is read through this module or :mod:`fogtree.system.archives`.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError
from fogtree.system.memory import usual_memory
from fogtree.text.amounts import amount

STREAM_BYTES = 64 << 20
"""Bytes read of a pipe or a device, which do not say how large they are."""
_PIECE = 1 << 20


@contextmanager
def open_file(path: Path) -> Iterator[BufferedReader]:
    """Open a file for reading; errors of the system become a :class:`FileFormatError`."""
    try:
        stream = path.open("rb")
    except ValueError:  # a null character
        raise FileFormatError(f"cannot read '{path}': no file can have this name") from None
    except OSError as error:
        raise read_error(path, error) from error
    with stream:
        try:
            yield stream
        except OSError as error:
            raise read_error(path, error) from error


def read_error(path: Path, error: OSError) -> FileFormatError:
    """The FileFormatError, in one line, for an error of the system while a file is read."""
    if isinstance(error, FileNotFoundError):
        return FileFormatError(f"there is no file '{path}'")
    return FileFormatError(f"cannot read '{path}': {error.strerror or error}")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """The content of a file, if it has at most ``most`` bytes (default: a quarter of the memory
    that may be used)."""
    allowed = usual_memory() // 4 if most is None else most
    pieces, size = [], 0
    with open_file(path) as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            allowed = min(allowed, STREAM_BYTES)
        if status.st_size <= allowed:
            while size <= allowed and (piece := stream.read(_PIECE)):
                pieces.append(piece)
                size += len(piece)
    if max(size, status.st_size) > allowed:
        raise FileFormatError(f"cannot read '{path}': it has more than {amount(allowed)}")
    return b"".join(pieces)


def read_text(path: Path, most: int | None = None) -> str:
    """The content of a text file in UTF-8, with ``\\n`` at the end of every line; ``most`` as in
    :func:`read_bytes`."""
    try:
        text = read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(f"cannot read '{path}': it is not text in UTF-8") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file of at most a mebibyte."""
    text = read_text(path, most=_PIECE)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise FileFormatError(f"'{path}' is nested too deeply") from error
    except ValueError as error:  # also a number of very many digits
        raise FileFormatError(f"'{path}' is not TOML: {error}") from error
