"""Tries an installed fogtree: solve, play, analyse and serve; prints sizes and times.

Usage: python scripts/smoke_test.py, with the interpreter that fogtree is installed for. It needs
the extra ``web`` and nothing else: no compiler, no Node, no network.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import distributions
from pathlib import Path
from urllib.request import urlopen

LONGEST = 300  # seconds for one command, on a machine that is busy


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)  # not beside the sources
    print(f"Python {platform.python_version()}, {platform.platform()}")
    show_sizes()
    solve()
    play()
    analyse()
    serve(folder)
    print("all four work")


def show_sizes() -> None:
    """Print the size of fogtree as installed, and of everything that came with it."""
    sizes = {
        found.metadata["Name"]: sum(
            Path(str(found.locate_file(file))).stat().st_size
            for file in found.files or ()
            if Path(str(found.locate_file(file))).is_file()
        )
        for found in distributions()
    }
    rest = sum(sizes.values()) - sizes["fogtree"] - sizes.get("pip", 0)
    print(f"size      fogtree {sizes['fogtree'] / 1e6:.1f} MB, dependencies {rest / 1e6:.1f} MB")


def solve() -> None:
    said = fogtree("solve", "leduc_poker", "--until", "1e-4", "--json")
    found = json.loads(said)["exploitability"]
    expect(0 < found <= 1e-4, f"exploitability {found}")


def play() -> None:
    said = fogtree("play", "kuhn_poker", "--against", "equilibrium", typed="1\n1\n1\n")
    expect(re.search(r"You (win|lose|draw)", said), said)


def analyse() -> None:
    said = fogtree("analyse", "fog_chess", "--moves", "e2e4,e7e5", "--steps", "2000", "--json")
    expect("e2e4" in said and json.loads(said), said)


def serve(folder: Path) -> None:
    """Start the server, ask it for its first page and for the list of games, and end it."""
    began = time.monotonic()
    command = [*program(), "serve", "--no-browser", "--port", "0", "--data", str(folder / "db")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            expect(found, "serve names no address")
            assert found is not None
            for page in ("", "api/version"):
                with urlopen(found[0] + page, timeout=LONGEST) as answer:
                    expect(answer.status == 200 and answer.read(), page)
        finally:
            process.terminate()
    print(f"serve     {time.monotonic() - began:6.2f} s, first page and version")


def fogtree(command: str, *arguments: str, typed: str = "") -> str:
    """What a command prints; its time is shown."""
    began = time.monotonic()
    done = subprocess.run(
        [*program(), command, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    expect(done.returncode == 0, f"fogtree {command}: {done.stderr}")
    print(f"{command:<9} {time.monotonic() - began:6.2f} s, {' '.join(arguments)}")
    return done.stdout


def program() -> list[str]:
    """The command as it is installed beside the interpreter."""
    return [str(Path(sys.executable).with_name("fogtree"))]


def expect(holds: object, otherwise: str) -> None:
    if not holds:
        sys.exit(f"smoke test: {otherwise}")


if __name__ == "__main__":
    main()
