"""Files are written beside their target; only what killed processes left there is deleted."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fogtree.system.files import check_writable, clear_unfinished, whole_file, write_text

WRITER = """
import sys
from pathlib import Path
from fogtree.system.files import whole_file
with whole_file(Path(sys.argv[1])) as out:
    out.write(b"theirs")
    print("writing", flush=True)
    sys.stdin.readline()
"""


def writer(path: Path) -> subprocess.Popen[bytes]:
    """A process that is in the middle of writing a file."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    return process


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob(".*.part"))


@pytest.mark.parametrize(
    "use", [check_writable, clear_unfinished, lambda path: write_text(path, "ours")]
)
def test_what_a_killed_process_left_is_deleted(tmp_path: Path, use) -> None:
    path = tmp_path / "records.jsonl"
    process = writer(path)
    assert len(parts(tmp_path)) == 1
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(parts(tmp_path)) == 1
    use(path)
    assert parts(tmp_path) == []


def test_what_another_process_is_writing_stays(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    process = writer(path)
    check_writable(path)
    clear_unfinished(path)
    write_text(path, "ours")
    assert path.read_text() == "ours"
    assert len(parts(tmp_path)) == 1
    process.communicate(b"\n")
    assert process.returncode == 0
    assert path.read_text() == "theirs"
    assert parts(tmp_path) == []


def test_two_threads_may_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "one"
    with whole_file(path) as first:
        first.write(b"first")
        with whole_file(path) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert parts(tmp_path) == []


def test_an_error_while_writing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="closed"), whole_file(tmp_path / "one") as out:
        out.close()
    assert list(tmp_path.iterdir()) == []
