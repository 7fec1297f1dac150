"""Draws the pictures of the documentation into docs/pictures.

Usage: python scripts/make_pictures.py [analysis] [curves] [games] [screens]

Without names all are drawn, in about two minutes. Screenshots of the web app (``web_*.png``) and
the curves of benchmarks/sampling_curves.py are made elsewhere.
"""

from __future__ import annotations

import sys

from pictures import analysis, curves, games, screens

PARTS = {
    "analysis": analysis.draw,
    "curves": curves.draw,
    "games": games.draw,
    "screens": screens.draw,
}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
