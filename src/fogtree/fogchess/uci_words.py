"""What a chess program says in UCI: ``go``, ``setoption`` and ``position``, read with patience.

The protocol is S. Meyer-Kahlen's *Universal Chess Interface* (2004). *Deviations:* none known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fogtree.errors import NotationError
from fogtree.fogchess.rules import START_FEN
from fogtree.search.clock import time_for_move

_NUMBERS = ("movetime", "nodes", "wtime", "btime", "winc", "binc", "movestogo", "depth", "mate")
_WORDS = (*_NUMBERS, "infinite", "ponder", "searchmoves")
_LARGEST = 10**9


@dataclass(frozen=True, slots=True)
class Go:
    """How long to think. Times are in milliseconds, as they are sent."""

    movetime: int = 0
    nodes: int = 0
    wtime: int = 0
    btime: int = 0
    winc: int = 0
    binc: int = 0
    movestogo: int = 0
    depth: int = 0
    mate: int = 0
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()

    def seconds(self, side: int, overhead: int) -> float:
        """Time for this move; 0 if it is not limited."""
        if self.movetime:
            return max(1, self.movetime - overhead) / 1000
        left, gain = (self.wtime, self.winc) if side == 0 else (self.btime, self.binc)
        if not left:
            return 0.0
        share = time_for_move(left / 1000, gain / 1000, self.movestogo)
        return max(0.001, share - overhead / 1000)


def read_go(words: list[str]) -> Go:
    """What follows ``go``; a word that means nothing is an error."""
    values: dict[str, Any] = {}
    moves: list[str] = []
    at = 0
    while at < len(words):
        word, at = words[at], at + 1
        if word in _NUMBERS:
            values[word] = read_number(word, words[at] if at < len(words) else "")
            at += 1
        elif word in ("infinite", "ponder"):
            values[word] = True
        elif word == "searchmoves":
            while at < len(words) and words[at] not in _WORDS:
                moves.append(words[at])
                at += 1
        else:
            raise NotationError(f"go does not know '{word[:40]}'")
    return Go(searchmoves=tuple(moves), **values)


def read_number(name: str, text: str) -> int:
    """A number between 0 and a billion; clocks that have run out may be below."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise NotationError(f"{name} needs a whole number, not '{text[:40]}'")
    value = int(text)
    return min(max(value, 1 if name in ("wtime", "btime", "movetime") else 0), _LARGEST)


def read_position(words: list[str]) -> tuple[str, list[str]]:
    """What follows ``position``: the first position and the moves from there."""
    cut = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:cut], words[cut + 1 :]
    if start == ["startpos"]:
        return START_FEN, moves
    if start[:1] == ["fen"] and len(start) > 1:
        return " ".join(start[1:]), moves
    raise NotationError("position needs 'startpos' or 'fen FEN', then 'moves' and moves")


def read_setoption(words: list[str]) -> tuple[str, str]:
    """What follows ``setoption``: a name and a value, both of which may have spaces."""
    if words[:1] != ["name"]:
        raise NotationError("setoption needs 'name NAME value VALUE'")
    cut = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:cut]), " ".join(words[cut + 1 :])
