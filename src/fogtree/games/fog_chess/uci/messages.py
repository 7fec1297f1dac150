"""Parsing of UCI messages: ``go``, ``setoption`` and ``position``.

The protocol is S. Meyer-Kahlen's *Universal Chess Interface* (2004). *Deviations:* none known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fogtree.agents.clock import time_for_move
from fogtree.errors import NotationError
from fogtree.games.fog_chess.rules import START_FEN

_NUMBERS = ("movetime", "nodes", "wtime", "btime", "winc", "binc", "movestogo", "depth", "mate")
_WORDS = (*_NUMBERS, "infinite", "ponder", "searchmoves")
_CLOCKS = ("wtime", "btime", "winc", "binc")  # below 0 once they have run out
_MEANINGLESS = ("depth", "mate")
_LARGEST = {"nodes": 10**18}
_LARGEST_TIME = 10**9


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of a ``go`` message; times are in milliseconds."""

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
    notes: tuple[str, ...] = ()  # about values that were replaced or ignored

    def seconds(self, side: int, overhead: int) -> float:
        """Seconds for this move of ``side``, less an ``overhead`` in milliseconds; 0 if the time is
        not limited."""
        if self.movetime:
            return max(1, self.movetime - overhead) / 1000
        left, gain = (self.wtime, self.winc) if side == 0 else (self.btime, self.binc)
        if not left:
            return 0.0
        share = time_for_move(left / 1000, gain / 1000, self.movestogo)
        return max(0.001, share - overhead / 1000)


def read_go(words: list[str]) -> Go:
    """Read the words after ``go``; an unknown word is an error."""
    values: dict[str, Any] = {}
    moves: list[str] = []
    notes: list[str] = []
    at = 0
    while at < len(words):
        word, at = words[at], at + 1
        if word in _NUMBERS:
            sent = _number(word, words[at] if at < len(words) else "")
            values[word] = _clamped(word, sent)
            if word in _MEANINGLESS:
                notes.append(f"{word} means nothing here")
            elif sent > values[word]:
                notes.append(f"{word} {sent} is taken as {values[word]}")
            at += 1
        elif word in ("infinite", "ponder"):
            values[word] = True
        elif word == "searchmoves":
            while at < len(words) and words[at] not in _WORDS:
                moves.append(words[at])
                at += 1
        else:
            raise NotationError(f"go does not know '{word[:40]}'")
    return Go(searchmoves=tuple(moves), notes=tuple(notes), **values)


def read_spin(name: str, text: str, low: int, high: int) -> int:
    """Read a whole number within its range."""
    value = _number(name, text)
    if not low <= value <= high:
        raise NotationError(f"{name} is a whole number from {low} to {high}, not {value}")
    return value


def _number(name: str, text: str) -> int:
    """The whole number that a word of a command stands for; ``name`` is what the error calls it."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise NotationError(f"{name} needs a whole number, not '{text[:40]}'")
    return int(text)


def _clamped(name: str, value: int) -> int:
    """A limit within the range that fogtree accepts; only clocks may be sent below 0."""
    if value < 0 and name not in _CLOCKS:
        raise NotationError(f"{name} needs a whole number from 0 up, not {value}")
    least = 1 if name in ("wtime", "btime", "movetime") else 0
    return min(max(value, least), _LARGEST.get(name, _LARGEST_TIME))


def read_position(words: list[str]) -> tuple[str, list[str]]:
    """Read the words after ``position``: the starting FEN and the moves."""
    cut = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:cut], words[cut + 1 :]
    if start == ["startpos"]:
        return START_FEN, moves
    if start[:1] == ["fen"] and len(start) > 1:
        return " ".join(start[1:]), moves
    raise NotationError("position needs 'startpos' or 'fen FEN', then 'moves' and moves")


def read_setoption(words: list[str]) -> tuple[str, str]:
    """Read the words after ``setoption``: a name and a value, which may contain spaces."""
    if words[:1] != ["name"]:
        raise NotationError("setoption needs 'name NAME value VALUE'")
    cut = words.index("value") if "value" in words else len(words)
    return " ".join(words[1:cut]), " ".join(words[cut + 1 :])
