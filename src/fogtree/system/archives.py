"""Archives of arrays with a JSON header (head), in NumPy's format ``.npz``.

The sizes that an archive declares are checked before anything is unpacked, and no more than that is
ever read. Only arrays of numbers are read, so no code in a file can run.
"""

from __future__ import annotations

import io
import json
import math
import os
import stat
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from fogtree.errors import FileFormatError
from fogtree.system.file_reader import open_file, read_bytes
from fogtree.system.files import whole_file
from fogtree.system.memory import usual_memory
from fogtree.text.amounts import amount

Arrays = Mapping[str, NDArray[Any]]

SMALL = 64 << 20
"""Bytes that an archive may unpack to however small it is."""
MOST_TIMES = 100
"""How many times its own size a larger archive may unpack to. What fogtree writes stays far below,
because names, hash keys and weights of networks hardly compress."""
_END = ".npy"
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def write_arrays(
    path: Path, kind: str, header: Mapping[str, Any], arrays: Arrays, *, compressed: bool = True
) -> None:
    """Write arrays by name, with a JSON header that begins with the ``kind`` of file, such as
    "policy"; the file appears only when it is complete."""
    text = json.dumps({"fogtree": kind, "version": 1, **header})
    named: dict[str, Any] = {"header": np.frombuffer(text.encode(), np.uint8), **arrays}
    with whole_file(path) as out:
        if not compressed:
            np.savez(out, **named)
            return
        content = io.BytesIO()
        np.savez_compressed(content, **named)
        out.write(content.getbuffer())


def read_arrays(
    path: Path, kind: str, needed: tuple[str, ...] = (), *, expected: int = 0
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the arrays of a file that :func:`write_arrays` wrote. A file of another kind,
    or one that lacks an array in ``needed``, is an error in one line.

    The file may unpack to ``expected`` bytes, however small it is.
    """
    arrays = read_archive(path, kind, expected=expected)
    header = read_header(arrays.pop("header", None))
    check_head(path, header, kind)
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise FileFormatError(f"'{path}' is damaged: it has no '{missing[0]}'")
    return header, arrays


def check_finite(array: NDArray[Any], name: str) -> None:
    """Raise a FileFormatError if an array has numbers that are not finite; ``name`` is its name in
    the file."""
    if array.dtype.kind != "f" or not array.size:
        return
    if not (math.isfinite(array.min()) and math.isfinite(array.max())):
        raise FileFormatError(f"'{name}' has values that are not finite numbers")


def read_archive(path: Path, kind: str, *, expected: int = 0) -> dict[str, NDArray[Any]]:
    """All arrays of an archive by name; ``kind`` is what the file should be, for errors. It may
    unpack to ``expected`` bytes, however small it is."""
    with _open_archive(path) as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                _check_size(path, archive, stream, expected)
                return {
                    member.filename.removesuffix(_END): _read_array(archive, member)
                    for member in archive.infolist()
                }
        except (FileFormatError, MemoryError):
            raise
        except Exception as error:  # zip, zlib and array headers raise many kinds
            raise FileFormatError(f"'{path}' is damaged or not a fogtree {kind} file") from error


def archive_kind(path: Path) -> str | None:
    """The kind of a file that :func:`write_arrays` wrote; ``None`` for any other file."""
    try:
        with _open_archive(path) as stream, zipfile.ZipFile(stream) as archive:
            member = archive.getinfo(f"header{_END}")
            if member.file_size > SMALL:
                return None
            kind = read_header(_read_array(archive, member)).get("fogtree")
    except Exception:  # zip, zlib and array headers raise many kinds
        return None
    return kind if isinstance(kind, str) else None


def check_head(path: Path, head: Any, kind: str, *, newest: int = 1) -> None:
    """Refuse a file whose head, its JSON header, names another kind or a format that is not one of
    1 to ``newest``."""
    found = head.get("fogtree") if isinstance(head, dict) else None
    if found != kind:
        but = f" but a fogtree {found:.40} file" if isinstance(found, str) and found else ""
        raise FileFormatError(f"'{path}' is not a fogtree {kind} file{but}")
    version = head.get("version")
    if type(version) is int and 1 <= version <= newest:
        return
    if type(version) is int and version > newest:
        raise FileFormatError(
            f"'{path}' was written by a newer fogtree: its format is {str(version)[:20]}, this one "
            f"reads {'1' if newest == 1 else f'1 to {newest}'}"
        )
    raise FileFormatError(f"'{path}' is damaged: there is no format {version!r:.40}")


def read_header(content: NDArray[Any] | None) -> dict[str, Any]:
    """The JSON header in an archive's array of bytes; empty if there is none."""
    if content is None or content.dtype != np.uint8 or content.ndim != 1:
        return {}
    try:
        header = json.loads(content.tobytes().decode())
    except (ValueError, RecursionError):
        return {}
    return header if isinstance(header, dict) else {}


@contextmanager
def _open_archive(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for random access; a pipe or a device is read into memory first, up to a
    limit."""
    with open_file(path) as stream:
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            yield stream
            return
    yield io.BytesIO(read_bytes(path))


def _check_size(path: Path, archive: zipfile.ZipFile, stream: IO[bytes], expected: int) -> None:
    """Refuse an archive that would unpack to more than is plausible for its size (SMALL, MOST_TIMES
    and ``expected`` say what is), or than fits into memory."""
    packed = stream.seek(0, os.SEEK_END)
    size = sum(member.file_size for member in archive.infolist())
    if size > max(SMALL, expected, MOST_TIMES * packed):
        raise FileFormatError(
            f"'{path}' is damaged or not ours: its {amount(packed)} unpack to {amount(size)}"
        )
    if size > usual_memory():
        raise FileFormatError(f"cannot read '{path}': it unpacks to {amount(size)} of memory")


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Read one member of an archive as an array of numbers; a ValueError if it is anything else."""
    if not member.filename.endswith(_END):
        raise ValueError("not an array")
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        shape, by_columns, kind = _HEADERS[version](stream)
        if kind.kind not in "biuf" or min(shape, default=0) < 0:
            raise ValueError("not an array of numbers")
        count = math.prod(shape)
        if count * kind.itemsize != member.file_size - stream.tell():
            raise ValueError("an array of another size than it says")
        array = np.empty(count, kind)
        _fill(stream, array.view(np.uint8))
        if stream.read(1):  # nothing is left; zipfile checks the sum only now
            raise ValueError("an array with more bytes than it says")
    return array.reshape(shape, order="F" if by_columns else "C")


def _fill(stream: IO[bytes], space: NDArray[np.uint8]) -> None:
    """Fill an array of bytes from a stream; a ValueError if the stream ends before that."""
    done = 0
    while done < len(space):
        piece = stream.read(min(len(space) - done, 1 << 20))
        if not piece:
            raise ValueError("an array is cut off")
        space[done : done + len(piece)] = np.frombuffer(piece, np.uint8)
        done += len(piece)
