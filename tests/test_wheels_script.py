"""``scripts/wheels.py``: what it does before and between the builds."""

from __future__ import annotations

import io
import runpy
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import ROOT


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of the script, with a folder of their own to work in."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    monkeypatch.setattr(sys, "argv", ["wheels.py"])
    path = str(ROOT / "scripts" / "wheels.py")
    names: dict[str, Any] = runpy.run_path(path)["main"].__globals__
    names |= {"WORK": tmp_path / "work", "DIST": tmp_path / "dist"}
    return names


def archive(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as opened:
        for name, text in files.items():
            member = tarfile.TarInfo(f"fogtree-1.0/{name}")
            member.size = len(text)
            opened.addfile(member, io.BytesIO(text.encode()))
    return path


def test_unpacking_again_touches_only_what_has_changed(
    script: dict[str, Any], tmp_path: Path
) -> None:
    first = archive(tmp_path / "1.tar.gz", {"core/a.cpp": "a", "core/b.cpp": "b", "gone": "x"})
    folder: Path = script["unpack"](first)
    before = {name: (folder / "core" / name).stat().st_mtime_ns for name in ("a.cpp", "b.cpp")}
    assert folder == script["unpack"](
        archive(tmp_path / "2.tar.gz", {"core/a.cpp": "a", "core/b.cpp": "changed"})
    )
    after = {name: (folder / "core" / name).stat().st_mtime_ns for name in before}
    assert after["a.cpp"] == before["a.cpp"]
    assert (folder / "core" / "b.cpp").read_text() == "changed"
    assert not (folder / "gone").exists()


def test_it_finds_this_interpreter_or_none(
    script: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    monkeypatch.setitem(script, "shutil", type("Found", (), {"which": lambda _: sys.executable}))
    assert script["find_python"](here) == sys.executable
    assert script["find_python"]("2.0") is None


def test_the_newest_python_of_pyenv_is_taken(
    script: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("3.12.9", "3.12.10", "3.12.2"):
        program = tmp_path / "versions" / version / "bin" / "python"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho 3.12\n")
        program.chmod(0o755)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setitem(script, "shutil", type("Nothing", (), {"which": lambda _: None}))
    assert script["find_python"]("3.12") == str(tmp_path / "versions/3.12.10/bin/python")


def test_an_environment_whose_installation_failed_is_made_again(script: dict[str, Any]) -> None:
    def run(command: list[str], **_: Any) -> None:
        made.append(command[2])
        if command[2] == "venv":
            (script["WORK"] / "tools" / "bin").mkdir(parents=True, exist_ok=True)
            (script["WORK"] / "tools" / "bin" / "python").touch()
        elif len(made) == 2:
            raise subprocess.CalledProcessError(1, command)

    made: list[str] = []
    script["run"] = run
    with pytest.raises(subprocess.CalledProcessError):
        script["environment"]("tools", "python", ("a",))
    script["environment"]("tools", "python", ("a",))
    script["environment"]("tools", "python", ("a",))
    assert made == ["venv", "pip", "venv", "pip"]


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ("manylinux_2_27_x86_64.manylinux_2_28_x86_64", ""),
        ("manylinux2014_aarch64.manylinux_2_17_aarch64", ""),
        ("manylinux_2_28_x86_64", ""),
        ("manylinux_2_31_x86_64", "needs glibc 2.31, not 2.28"),
        ("manylinux_2_100_x86_64", "needs glibc 2.100, not 2.28"),
        ("linux_x86_64", "has no manylinux tag"),
    ],
)
def test_a_wheel_that_needs_a_newer_glibc_ends_the_script(
    script: dict[str, Any], capsys: pytest.CaptureFixture[str], tags: str, message: str
) -> None:
    name = f"fogtree-1.0-cp312-abi3-{tags}.whl"
    if not message:
        script["check_glibc"](name)
        return
    with pytest.raises(SystemExit) as ended:
        script["check_glibc"](name)
    assert ended.value.code == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("built", ["2_28", "2_31"])
def test_the_glibc_of_a_wheel_that_was_built_is_checked(
    script: dict[str, Any], tmp_path: Path, built: str
) -> None:
    def build(*_: Any) -> None:
        folder = tmp_path / "work" / "wheel-3.11-x86_64"
        folder.mkdir(parents=True)
        (folder / "raw.whl").touch()

    script["DIST"].mkdir()
    (script["DIST"] / f"fogtree-1.0-cp311-cp311-manylinux_{built}_x86_64.whl").touch()
    script |= {
        "find_python": lambda _: "python",
        "environment": lambda *_: "python",
        "zig": lambda *_: "zig",
        "run_build": build,
        "run": lambda *_, **__: None,
    }
    if built == "2_28":
        script["build_wheel"]("tools", tmp_path, "3.11", "x86_64")
        return
    with pytest.raises(SystemExit):
        script["build_wheel"]("tools", tmp_path, "3.11", "x86_64")


@pytest.mark.skipif(sys.platform != "linux", reason="wheels are built on Linux")
@pytest.mark.parametrize("machines", [["aarch64", "x86_64"], ["aarch64"]])
def test_wheels_for_this_machine_come_first_and_only_they_are_tried(
    script: dict[str, Any], monkeypatch: pytest.MonkeyPatch, machines: list[str]
) -> None:
    done: list[str] = []
    script["DIST"].mkdir()
    script |= {
        "find_python": lambda _: "python",
        "environment": lambda *_: "tools",
        "build_source_archive": lambda _: None,
        "unpack": lambda _: None,
        "build_wheel": lambda _tools, _source, version, machine: done.append(
            f"{machine} {version}"
        ),
        "try_wheels": lambda built: done.append(f"try {' '.join(built)}"),
    }
    monkeypatch.setitem(script, "platform", type("Here", (), {"machine": lambda: "x86_64"}))
    monkeypatch.setattr(sys, "argv", ["wheels.py", "--machines", *machines])
    assert script["main"]() == 0
    here = ["x86_64 3.11", "x86_64 3.12", "try 3.11 3.12"] if "x86_64" in machines else []
    assert done == [*here, "aarch64 3.11", "aarch64 3.12"]


def test_a_missing_python_is_one_line(
    script: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    script["find_python"] = lambda version: None if version == "3.12" else "python"
    assert script["main"]() == 1
    told = capsys.readouterr().err
    if sys.platform == "linux":
        assert told == "fogtree: no Python 3.12 found on PATH or in pyenv\n"
    else:
        assert "built on Linux" in told
