"""Archives: nothing but arrays of numbers, and no more than the file can honestly hold."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from fogtree.errors import FileFormatError
from fogtree.system.archives import SMALL, archive_kind, read_archive, read_arrays, write_arrays


def archive(path: Path, **members: bytes) -> Path:
    """A zip file with these members, named as arrays are."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in members.items():
            out.writestr(f"{name}.npy", content)
    return path


def npy(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


@pytest.mark.parametrize("compressed", [True, False])
def test_what_is_written_is_read(tmp_path: Path, compressed: bool) -> None:
    arrays = {
        "numbers": np.arange(6.0).reshape(2, 3),
        "columns": np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)),
        "none": np.zeros((0, 3), np.float32),
        "one": np.array(7),
        "yes": np.array([True, False]),
    }
    path = tmp_path / "x.npz"
    write_arrays(path, "test", {"a": 1}, arrays, compressed=compressed)
    header, found = read_arrays(path, "test", ("numbers",))
    assert header["a"] == 1
    assert archive_kind(path) == "test"
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == array.dtype
        assert np.array_equal(found[name], array)
        assert found[name].flags.writeable
    with np.load(path) as loaded:  # and NumPy reads it
        assert np.array_equal(loaded["columns"], arrays["columns"])


BAD = {
    "no array": b"hello",
    "objects": npy(np.array([{"a": 1}], dtype=object)),
    "texts": npy(np.array(["a", "b"])),
    "cut off": npy(np.arange(100))[:-8],
    "too long": npy(np.arange(100)) + b"more",
    "another size": npy(np.arange(100)).replace(b"(100,)", b"(999,)"),
    "a size of 10^18": npy(np.zeros(3)).replace(
        b"(3,), }" + b" " * 17, b"(1000000000000000000,), }"
    ),
    "a negative size": npy(np.arange(100)).replace(b"(100,)", b"(-99,)"),
    "half a header": npy(np.arange(100))[:30],
    "a header of code": npy(np.arange(100)).replace(b"'<i8'", b"f()  "),
}


@pytest.mark.parametrize("name", BAD)
def test_members_that_are_not_arrays_are_refused(tmp_path: Path, name: str) -> None:
    path = archive(tmp_path / "x.npz", header=npy(np.zeros(3, np.uint8)), bad=BAD[name])
    with pytest.raises(FileFormatError, match="damaged or not a fogtree test file"):
        read_archive(path, "test")


def test_other_members_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("readme.txt", "hello")
    with pytest.raises(FileFormatError, match="damaged or not"):
        read_archive(path, "test")


def test_a_small_file_that_unpacks_to_gigabytes_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = npy(np.zeros(SMALL // 8 + 1))
    path = archive(tmp_path / "x.npz", a=many)
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing is unpacked
    with pytest.raises(FileFormatError, match=r"unpack to 67\.1 MB"):
        read_archive(path, "test")


def test_what_is_expected_may_be_large(tmp_path: Path) -> None:
    """A saved state of zeros is small, and how large it must be is known."""
    path = archive(tmp_path / "x.npz", a=npy(np.zeros(SMALL // 8 + 1)))
    assert read_archive(path, "test", expected=SMALL + 1000)["a"].shape == (SMALL // 8 + 1,)


def test_a_lie_about_the_size_is_found(tmp_path: Path) -> None:
    """The directory of the archive says less than the member holds."""
    path = archive(tmp_path / "x.npz", a=npy(np.zeros(1000)))
    content = bytearray(path.read_bytes())
    at = content.rfind(b"PK\x01\x02") + 24
    content[at : at + 4] = (500).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="damaged or not"):
        read_archive(path, "test")


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x03\x04" + bytes(100), b"\0" * 1000])
def test_what_is_no_archive(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="damaged or not"):
        read_archive(path, "test")
    assert archive_kind(path) is None
