"""The puzzles of Fog-of-War chess that come with the package, made by scripts/fog_puzzles.py."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fogtree.arena.puzzles import Puzzle, read_puzzles

FILE = Path(__file__).with_name("puzzles.jsonl")


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles, the easiest first."""
    return read_puzzles(FILE)
