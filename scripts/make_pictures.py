"""Draws the pictures of the documentation into docs/pictures.

Usage: python scripts/make_pictures.py [analysis] [boards] [browser] [curves] [games] [screens]

Without names all are drawn, in a few minutes. ``boards`` and ``browser``, the pages of the web
app, need Chromium. The curves of benchmarks/sampling_curves.py are made there.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for the server of the tests

from pictures import analysis, boards, browser, curves, games, screens

PARTS = {
    "analysis": analysis.draw,
    "boards": boards.draw,
    "browser": browser.draw,
    "curves": curves.draw,
    "games": games.draw,
    "screens": screens.draw,
}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
