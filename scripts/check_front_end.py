"""Checks that the built front end in the package is what its sources build to.

Usage: python scripts/check_front_end.py

Without Node nothing can be built, and nothing is checked.
"""

from __future__ import annotations

import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "src" / "fogtree" / "web" / "static"


def main() -> int:
    if shutil.which("npm") is None:
        print("fogtree: no Node here; the built front end is not compared with its sources")
        return 0
    folder = ROOT / "web"
    for command in (
        ["npm", "ci", "--silent", "--no-audit", "--no-fund"],
        ["npx", "tsc", "--noEmit"],
    ):
        if subprocess.run(command, cwd=folder, check=False).returncode:
            print(f"fogtree: '{' '.join(command)}' failed in web/", file=sys.stderr)
            return 1
    with tempfile.TemporaryDirectory() as fresh:
        subprocess.run(["node", "build.mjs", fresh], cwd=folder, check=True)
        names = sorted(path.name for path in Path(fresh).iterdir())
        if names != sorted(path.name for path in BUILT.iterdir()):
            return complain()
        same, *others = filecmp.cmpfiles(fresh, BUILT, names, shallow=False)
        return 0 if len(same) == len(names) and not any(others) else complain()


def complain() -> int:
    print("fogtree: the built front end is not that of web/: run  make web", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
