"""The page on native simulators works as written: its blocks as files, its commands in order."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest

from fogtree import include_dir
from tests.support.compilers import compiler
from tests.support.paths import DOCS

PAGE = (DOCS / "howto" / "write_a_native_simulator.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    (source,), (game, script) = blocks("c"), blocks("python")
    for name, text in (("kuhn.c", source), ("native_kuhn.py", game), ("script.py", script)):
        (place / name).write_text(text, encoding="utf-8")
    words = shlex.split(re.sub(r"\$\(.*\)", "HERE", console()[0]))
    assert words[0] == "cc"
    words = [f"-I{include_dir()}" if word.startswith("-I") else word for word in words[1:]]
    subprocess.run([compiler("c"), *words], cwd=place, check=True)
    return place


def console() -> list[str]:
    (lines,) = blocks("console")
    return [line.removeprefix("$ ") for line in lines.splitlines()]


def python(folder, *words):
    environment = {**os.environ, "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_do_what_they_say(folder):
    solved, shown, played = (python(folder, "-m", *shlex.split(line)) for line in console()[1:])
    assert "native_kuhn, from its native simulator" in solved
    assert re.search(r"^Kcb .* 0\.0\d\d +\d", shown, re.MULTILINE)
    assert "tabular:table" in played


def test_the_script_prints_what_the_page_shows(folder):
    assert python(folder, "script.py") == "True\n"
