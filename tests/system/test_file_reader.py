"""Reading files: bounded, and by nobody else."""

from __future__ import annotations

import ast
import errno
import os
from pathlib import Path

import pytest

import fogtree
from fogtree.errors import FileFormatError
from fogtree.system.file_reader import read_bytes, read_text, read_toml
from fogtree.system.files import append_whole, check_writable, whole_file

SOURCE = Path(fogtree.__file__).parent
READERS = (
    "open",
    "read_text",
    "read_bytes",
    "load",
    "ZipFile",
    "fromfile",
    "open_memmap",
    "loadtxt",
)
"""Names of functions and methods that read files."""
ALLOWED = {
    "system/file_reader.py": "the reader itself",
    "system/archives.py": "the reader of archives, on streams of the reader",
    "system/files.py": "writes",
    "system/path_lock.py": "opens to lock; reads the system's list of locks",
    "system/memory.py": "reads what the system says about memory",
    "terminal/outcome.py": "opens the null device",
    "deep/reservoir.py": "makes files of samples",
    "web/routes/games.py": "reads back what it has just written",
    "web/own_code.py": "reads what its own process has just written",
    "web/own_code_process.py": "writes",
    "web/child_process.py": "opens the null device",
}


def calls(tree: ast.AST) -> set[str]:
    """The functions and methods in a module that are called by a reader's name."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            name = node.func.id if isinstance(node.func, ast.Name) else name
            if name in READERS:
                found.add(name)
    return found


def imported(tree: ast.AST) -> set[str]:
    """Names that a module has from the bounded reader."""
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith("file_reader")
        for alias in node.names
    }


OWN_METHODS = {"load", "open"}
"""Names that our classes use too: Strategy.load, Session.open."""


def test_every_reader_of_files_is_the_bounded_one() -> None:
    others = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        wrong = calls(tree) - imported(tree) - OWN_METHODS
        text = path.read_text(encoding="utf-8")
        wrong |= {one for one in ("np.load(", '.open("r', "tomllib.load") if one in text}
        if wrong and name not in ALLOWED:
            others[name] = sorted(wrong)
    assert not others
    assert all((SOURCE / name).exists() for name in ALLOWED)


def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(
        FileFormatError, match=r"cannot read '/dev/zero': it has more than 67\.1 MB"
    ):
        read_bytes(Path("/dev/zero"))
    with pytest.raises(FileFormatError, match="more than 10 B"):
        read_bytes(Path("/dev/zero"), 10)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as out:
        out.truncate(1 << 40)  # it takes no space on disk
    with pytest.raises(FileFormatError, match="it has more than"):
        read_text(path)
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    with pytest.raises(FileFormatError, match="it has more than 4 B"):
        read_bytes(path, 4)


def test_pipes_are_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"a\r\nb\rc")
    os.close(writing)
    assert read_text(Path(f"/dev/fd/{reading}")) == "a\nb\nc"
    os.close(reading)


def test_errors_are_one_line(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path, reason in (
        (tmp_path / "nothing", "there is no file"),
        (tmp_path, "Is a directory"),
        (loop, "Too many levels of symbolic links"),
        (tmp_path / "a\0b", "no file can have this name"),
        (tmp_path / ("n" * 300), "File name too long"),
    ):
        for read in (read_bytes, read_text, read_toml):
            with pytest.raises(FileFormatError, match=reason):
                read(path)


def test_what_cannot_be_written_is_found_before(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path in (loop, tmp_path, tmp_path / ("n" * 300), tmp_path / "no" / "x", tmp_path / "a\0b"):
        with pytest.raises(FileFormatError, match="cannot write"):
            check_writable(path)
    check_writable(tmp_path / "x")
    check_writable(Path("/dev/null"))
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with whole_file(path, new=True) as out:
        out.write(b"1")
    with (
        pytest.raises(fogtree.FogtreeError, match="by another process"),
        whole_file(path, new=True) as out,
    ):
        out.write(b"2")
    assert path.read_bytes() == b"1"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_line_is_appended_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"one\n")
    write = os.write

    def full(handle: int, content: bytes) -> int:
        if len(content) < 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, content[:1])

    monkeypatch.setattr("fogtree.system.files.os.write", full)
    with pytest.raises(FileFormatError, match="No space left"):
        append_whole(path, b"two\n\n")
    monkeypatch.undo()
    assert path.read_bytes() == b"one\n"
    append_whole(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
