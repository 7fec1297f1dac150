"""Puzzles from played games: a decision, what led to it, and what long searches found there.

A puzzle's steps are the truth. Whoever is to solve it must be shown only what the seat to move saw
on the way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fogtree.errors import FileFormatError
from fogtree.game import History
from fogtree.registry import game_by_name
from fogtree.system.file_reader import read_text
from fogtree.system.files import whole_file

_KIND = "puzzle"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class PuzzleMove:
    """An action at the decision: how often the search plays it, and its value in payoffs."""

    action: str
    probability: float
    value: float


@dataclass(frozen=True)
class Puzzle:
    """A decision of a game between ``agents``, at which one action is clearly the best."""

    game: str
    agents: tuple[str, ...]
    steps: tuple[str, ...]
    """Actions and chance outcomes before the decision."""
    played: str
    """What was played in the game."""
    positions: int
    """Positions that the seat to move could not rule out."""
    level: int
    """1 if the game's greedy agent finds the best action, 2 if a short search does, else 3."""
    moves: tuple[PuzzleMove, ...]
    """Every legal action, the best first."""

    @cached_property
    def id(self) -> str:
        """An identifier computed from the game and its steps."""
        text = f"{self.game} {' '.join(self.steps)}"
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    @property
    def best(self) -> PuzzleMove:
        """The best action, which solves the puzzle."""
        return self.moves[0]

    @property
    def gap(self) -> float:
        """How much better the best action is than the second, in payoffs."""
        return self.moves[0].value - max(move.value for move in self.moves[1:])

    def history(self) -> History:
        """The game up to the decision."""
        return History.of(game_by_name(self.game), self.steps)

    def to_json(self) -> str:
        """The puzzle as one line of a file of puzzles."""
        moves = [[move.action, move.probability, move.value] for move in self.moves]
        return json.dumps({"fogtree": _KIND, "version": _VERSION, **asdict(self), "moves": moves})


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write one line per puzzle; the file appears only when it is complete."""
    with whole_file(path) as out:
        for puzzle in puzzles:
            out.write(puzzle.to_json().encode() + b"\n")


def read_puzzles(path: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a file."""
    lines = read_text(path).splitlines()
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(_read(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            raise FileFormatError(f"'{path}', line {number}: this is not a puzzle") from error
    return tuple(found)


def _read(content: dict[str, Any]) -> Puzzle:
    """A puzzle from one parsed JSON line; another kind or version of line is an error."""
    if content.pop("fogtree") != _KIND:
        raise ValueError("another kind of file")
    version = content.pop("version")
    if version != _VERSION:
        raise FileFormatError(f"its format is {version}, this fogtree reads {_VERSION}")
    moves = tuple(PuzzleMove(*row) for row in content.pop("moves"))
    agents, steps = tuple(content.pop("agents")), tuple(content.pop("steps"))
    return Puzzle(agents=agents, steps=steps, moves=moves, **content)
