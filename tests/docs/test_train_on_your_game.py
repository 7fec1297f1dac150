"""The page on training works as written: its blocks as files, its commands one after another."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys

import pytest

from tests.support.paths import DOCS

pytestmark = pytest.mark.long

PAGE = DOCS / "howto" / "train_on_your_game.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    game, script = blocks("python")
    (options,) = blocks("toml")
    for name, text in (("high_card.py", game), ("script.py", script), ("training.toml", options)):
        (place / name).write_text(text, encoding="utf-8")
    return place


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
    (console,) = blocks("console")
    commands = [shlex.split(line.removeprefix("$ ")) for line in console.splitlines()]
    assert [words[1] for words in commands[:2]] == ["train", "resume"]
    printed = [python(folder, "-m", *words) for words in commands]
    assert "30 iterations" in printed[0]
    (exploitability,) = re.findall(r"exploitability of the average strategy: (\S+)", printed[0])
    assert float(exploitability) < 0.05
    assert printed[1] == printed[0]  # there was nothing left to do
    assert "best response (exact)" in printed[3]


def test_the_script_does_the_same(folder):
    first, *table = python(folder, "script.py").splitlines()
    assert float(first) < 0.05
    assert len(table) == 10  # five cards for each
