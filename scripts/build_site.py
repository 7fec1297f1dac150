"""Builds the documentation site of the project in this folder; a warning is a failure.

Usage: python scripts/build_site.py

Zensical now and then crashes while Python shuts down, when the site is complete
(https://github.com/zensical/zensical/issues/71); so this process ends without shutting down.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from zensical import build


def main() -> int:
    try:
        build(str(Path("zensical.toml").resolve()), {"clean": True, "strict": True})
        # It lists addresses, which a site without an address of its own does not have.
        Path("build/site/sitemap.xml").unlink(missing_ok=True)
    except Exception as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
