"""Help, the version, and what every command says about the files that it writes."""

from __future__ import annotations

import re
import subprocess
import sys

from fogtree import RECIPES, __version__


def test_help_and_version(done, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert __version__ in done("--version").output
    for arguments in ([], ["--help"]):
        text = done(*arguments).output
        for name in ("games", "info", "solve", "resume", "compare", "exploitability", "strategy"):
            assert name in text
    text = done("solve", "--help").output
    assert all(name in text for name in RECIPES)
    assert "1,000 iterations" in text
    for name in ("show", "diff", "export"):
        assert name in done("strategy", "--help").output


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from fogtree.cli import main; main(['--help'])\n"
        "print(sorted({'numpy', 'scipy', 'matplotlib'} & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stderr.strip() == "[]"


def test_files_that_are_written_are_named(done):
    command = ["analyse", "kuhn_poker", "--infoset", "Jb", "--steps", 20]
    assert done(*command, "--html", "page.html").output.endswith("report written to page.html\n")
    assert "written" not in done(*command, "--html", "page.html", "--json").output
    shown = done(*command, "--trace", "--output", "trace.md").output
    assert shown == "trace written to trace.md\n"


def test_a_run_is_said_to_be_saved_once_and_begins_without_a_gap(done):
    first = done("solve", "kuhn_poker", "-n", 100, "--save", "run").output
    assert first.count("saved") == 1
    assert "\n\nalgorithm" in first
    assert done("resume", "run", "-n", 200).output.startswith("algorithm")


def test_no_range_in_the_help_is_wrapped(done, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("solve", "compare", "arena", "exploit", "train", "analyse"):
        text = done(command, "--help").output
        begun = re.findall(r"\[[^\]\n]*<=[^\]\n]*", text)
        whole = re.findall(r"\[[^\]\n]*<=[^\]\n]*\]", text)
        assert len(begun) == len(whole)
