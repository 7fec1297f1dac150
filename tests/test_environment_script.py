"""``scripts/environment.py``: what it builds and says when something is there already."""

from __future__ import annotations

import os
import runpy
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tests.support.paths import DOCS

SCRIPT = DOCS.parent / "scripts" / "environment.py"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of the script with an environment of their own, in which nothing is built, and
    without what CMake may be told about headers outside the tests."""
    for name in list(os.environ):
        if "CMAKE" in name:
            monkeypatch.delenv(name)
    names: dict[str, Any] = runpy.run_path(str(SCRIPT))["main"].__globals__
    python = tmp_path / "python"
    python.touch()
    (tmp_path / "Python.h").touch()
    calls: list[str] = []
    names |= {
        "PYTHON": python,
        "STAMP": tmp_path / "installed.txt",
        "calls": calls,
        "fingerprint": lambda: "now",
        "headers_of": lambda python: ("3.14", [tmp_path]),
        "install": lambda extras: calls.append("build"),
        "pip": lambda verb, *packages: calls.append(verb),
    }
    return names


@pytest.mark.parametrize(
    ("stamp", "calls", "words"),
    [
        (None, ["build"], "building and installing, once"),
        ("earlier dev plot web", ["build"], "have changed: installing again"),
        ("now dev plot", ["install"], "installing what dev, plot, web need"),
        ("now dev plot web", [], ""),
    ],
)
def test_only_what_is_missing_is_done(
    script: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    stamp: str | None,
    calls: list[str],
    words: str,
) -> None:
    if stamp is not None:
        script["STAMP"].write_text(stamp)
    assert script["main"](["web"]) == 0
    assert script["calls"] == calls
    said = capsys.readouterr().out
    assert words in said
    assert bool(said) == bool(words)
    assert script["main"](["web"]) == 0  # and then all is there
    assert script["calls"] == calls


@pytest.mark.parametrize(
    ("arguments", "stamp", "calls"),
    [
        (["web"], None, []),
        (["web"], "earlier web", []),
        (["web", "dev"], "now web", ["install"]),  # nothing is built
        (["web"], "now web", []),
        (["--only", "docs"], None, ["install"]),
    ],
)
def test_without_the_headers_of_python_nothing_is_begun_that_needs_them(
    script: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    stamp: str | None,
    calls: list[str],
) -> None:
    (tmp_path / "Python.h").unlink()
    if stamp is not None:
        script["STAMP"].write_text(stamp)
    builds = "--only" not in arguments and not str(stamp).startswith("now")
    assert script["main"](arguments) == builds
    assert script["calls"] == calls
    said = capsys.readouterr()
    if builds:
        assert said.err == (
            "fogtree: the headers of Python 3.14 are missing, which building needs "
            "(on Debian: python3.14-dev or python3-dev)\n"
        )
        assert not said.out
        monkeypatch.setenv("CMAKE_ARGS", "-DPython_INCLUDE_DIR=/elsewhere")
        assert script["main"](arguments) == 0  # they are elsewhere


def test_a_python_says_where_its_headers_are() -> None:
    headers_of = runpy.run_path(str(SCRIPT))["headers_of"]
    version, folders = headers_of(Path(sys.executable))
    assert version == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert Path(sysconfig.get_path("include")) in folders


def test_the_extras_name_packages_only(script: dict[str, Any]) -> None:
    """An extra that stands for others, as in ``fogtree[test,docs]``, is what they are together."""
    table = script["project"]()["project"]
    wanted = script["requirements"](table, ["dev"])
    assert not any(text.startswith("fogtree") for text in wanted)
    for extra in ("test", "docs", "web"):
        own = {text for text in table["optional-dependencies"][extra] if "[" not in text}
        assert own <= set(wanted)


def test_the_compiler_of_ziglang_includes_what_nanobind_needs(
    script: dict[str, Any], tmp_path: Path
) -> None:
    """By the stable ABI, Python's headers do not include <stdio.h>, and neither does libc++."""
    script["ENVIRONMENT"] = tmp_path
    (tmp_path / "bin").mkdir()
    compiler = Path(script["zig_compiler"]())
    assert script["calls"] == ["install"]
    assert 'ziglang c++ -include cstdio "$@"' in compiler.read_text()


def test_packages_of_an_extra_alone_build_nothing(script: dict[str, Any]) -> None:
    packages: list[str] = []
    script["pip"] = lambda verb, *given: packages.extend(given)
    assert script["main"](["--only", "docs"]) == 0
    wanted = ["zensical", "mkdocstrings-python", "ruff"]
    assert [package.split(">")[0] for package in packages] == wanted
    assert script["calls"] == []
    assert not script["STAMP"].exists()
