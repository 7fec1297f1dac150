"""The script that checks a change names every program that it could not install."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.paths import ROOT

SCRIPT = ROOT / ".ci" / "run"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="a source archive has no CI script")
TOOLS = ("bash", "dirname", "mktemp", "rm", "tee", "grep", "tail")


def program(path: Path, body: str) -> None:
    path.write_text(f"#!{shutil.which('bash')}\n{body}\n")
    path.chmod(0o755)


def run(
    folder: Path, *, there: tuple[str, ...], apt: str, export: str = "exit 0", axe: bool = True
) -> subprocess.CompletedProcess[str]:
    """The script in a folder of its own, where only these programs are; nothing is built.

    ``export`` is what happens when Stockfish's network is asked for; ``axe``: axe-core is there.
    """
    tools, games, root = folder / "tools", folder / "games", folder / "root"
    for made in (tools, games, root / ".ci", root / ".venv/bin"):
        made.mkdir(parents=True)
    for name in TOOLS:
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    program(tools / "id", "echo 0")
    program(tools / "make", 'echo "make $1: 3 passed in 1s"')
    program(tools / "apt-get", apt.format(games=games))
    asked = "-m fogtree chess evaluator export-stockfish-net --output"
    program(root / ".venv/bin/python", f'[[ "$*" == "{asked} "* ]] || exit 9\n{export}')
    for name in there:
        program(games / name, "")
    if axe:
        (root / "web" / "node_modules" / "axe-core").mkdir(parents=True)
    script = root / ".ci" / "run"
    script.write_text(SCRIPT.read_text().replace("/usr/games", str(games)))
    return subprocess.run(
        [tools / "bash", script],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(tools), "TMPDIR": str(folder), "HOME": os.environ.get("HOME", "/")},
    )


def test_a_program_that_cannot_be_installed_is_named_before_and_after(tmp_path: Path) -> None:
    done = run(tmp_path, there=("stockfish",), apt="exit 100")
    assert done.returncode == 0
    missing = "fairy-stockfish chromium-headless-shell "
    assert f"apt-get could not install {missing}" in done.stderr
    skipped = [line for line in done.stderr.splitlines() if "ARE SKIPPED" in line]
    assert len(skipped) == 2
    assert all(f"not installed: {missing}- " in line for line in skipped)
    assert done.stdout.splitlines()[-1] == "make test: 3 passed in 1s"


def test_what_is_missing_is_installed(tmp_path: Path) -> None:
    install = 'for name in "$@"; do [ "$1" = update ] || : > {games}/$name; done\n'
    make_executable = "PATH=/bin:/usr/bin chmod +x {games}/* 2> /dev/null || true"
    done = run(tmp_path, there=("stockfish",), apt=install + make_executable)
    assert done.returncode == 0
    assert done.stderr == ""
    assert (tmp_path / "games" / "fairy-stockfish").exists()
    assert (tmp_path / "games" / "chromium-headless-shell").exists()
    assert not (tmp_path / "games" / "chromium").exists()


@pytest.mark.parametrize("browser", ["chromium-headless-shell", "chromium", "chromium-browser"])
def test_nothing_is_installed_where_all_is_there(tmp_path: Path, browser: str) -> None:
    there = ("stockfish", "fairy-stockfish", browser)
    done = run(tmp_path, there=there, apt="echo called >&2")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_axe_is_named(tmp_path: Path) -> None:
    there = ("stockfish", "fairy-stockfish", "chromium")
    done = run(tmp_path, there=there, apt="echo called >&2", axe=False)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "axe-core is not installed" in line
    assert "ARE SKIPPED" in line


def test_another_stockfish_than_the_one_we_read_is_named(tmp_path: Path) -> None:
    there = ("stockfish", "fairy-stockfish", "chromium")
    export = "echo 'fogtree: exported.nnue is not the network of Stockfish 15.1' >&2; exit 1"
    done = run(tmp_path, there=there, apt="echo called >&2", export=export)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "WARNING: fogtree: exported.nnue is not the network of Stockfish 15.1" in line
    assert "ARE SKIPPED" in line
    assert done.stdout.splitlines()[-1] == "make test: 3 passed in 1s"


def test_no_network_is_asked_for_where_there_is_no_stockfish(tmp_path: Path) -> None:
    done = run(tmp_path, there=("fairy-stockfish",), apt="exit 100", export="echo 1 >&2; exit 1")
    assert done.returncode == 0
    skipped = [line for line in done.stderr.splitlines() if "ARE SKIPPED" in line]
    assert len(skipped) == 2
    assert all("not installed: stockfish " in line for line in skipped)
