"""Openings for matches: starting positions that make the games of a match differ.

A game begins at the position after the opening, which both players know; each opening is played
twice, with colours changed.
"""

from __future__ import annotations

import random
from pathlib import Path

from fogtree.arena.openings import Openings
from fogtree.errors import FileFormatError, FogtreeError, OptionError
from fogtree.game import TERMINAL, Game
from fogtree.games.fog_chess.game import FogChess, FogChessState
from fogtree.games.fog_chess.rules import START_FEN
from fogtree.system.file_reader import read_text

BOOK = (
    "e4 e5",
    "e4 c5",
    "e4 e6",
    "e4 c6",
    "e4 Nf6",
    "e4 d6",
    "d4 d5",
    "d4 Nf6",
    "d4 e6",
    "d4 f5",
    "c4 e5",
    "c4 Nf6",
    "Nf3 d5",
    "Nf3 Nf6",
    "g3 d5",
    "b3 e5",
    "e4 e5 Nf3 Nc6",
    "d4 d5 c4 e6",
    "d4 Nf6 c4 g6",
    "e4 c5 Nf3 d6",
)
"""Quiet beginnings in which no piece can be taken for nothing."""

MOST_PLIES = 60
"""Plies of the longest random opening."""
MOST_BYTES = 16 << 20
"""The largest file of openings."""
_TRIES = 1000
_VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def find_openings(game: Game, spec: str | None, *, count: int, seed: int) -> Openings:
    """The openings of a match; by default the book, or the start of a game with its own FEN."""
    assert isinstance(game, FogChess)
    chosen = spec or ("book" if game.fen == START_FEN else "start")
    return Openings(chosen, openings(game, chosen, count, seed), deals_per_task=1)


def openings(game: FogChess, spec: str, count: int, seed: int) -> tuple[FogChess, ...]:
    """Games that begin where ``spec`` says: ``start``, ``book``, ``random:PLIES`` or a file.

    A file has a FEN, or moves from the start, in every line. ``count`` random ones are drawn.
    """
    if spec == "start":
        return (game,)
    if spec == "book":
        return tuple(_after(game, line) for line in BOOK)
    if spec == "random" or spec.startswith("random:"):
        text = spec.partition(":")[2] or "6"
        plies = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        if not 1 <= plies <= MOST_PLIES:
            raise OptionError(f"random openings have 1 to {MOST_PLIES} plies, not '{text[:20]}'")
        return tuple(_random(game, plies, f"{seed}/{number}") for number in range(count))
    return _from_file(game, Path(spec))


def _game_from(game: FogChess, state: FogChessState) -> FogChess:
    """The game with this state as its start."""
    return FogChess(rules=game.rules, fen=state.fen)


def _after(game: FogChess, line: str) -> FogChess:
    """The game that begins after these moves, in UCI or standard notation, with spaces between."""
    state = game.root()
    for word in line.split():
        state = state.child(word if word in state.actions() else state.read_san(word))
    return _game_from(game, state)


def _random(game: FogChess, plies: int, seed: str) -> FogChess:
    """The game that begins after random moves, drawn anew until both sides have equal material and
    neither king can be taken."""
    dice = random.Random(f"opening/{seed}")
    for _ in range(_TRIES):
        state = game.root()
        for _ in range(plies):
            if state.player == TERMINAL:
                break
            state = state.child(dice.choice(state.actions()))
        if state.player != TERMINAL and _is_fair(state):
            return _game_from(game, state)
    raise OptionError(f"no fair opening of {plies} random plies was found")


def _is_fair(state: FogChessState) -> bool:
    """Whether both sides have pieces of the same value and neither king can be taken."""
    letters = state.fen.split()[0]
    balance = sum(
        _VALUES.get(letter.lower(), 0) * (1 if letter.isupper() else -1) for letter in letters
    )
    return balance == 0 and not _attacked(state, 0) and not _attacked(state, 1)


def _attacked(state: FogChessState, player: int) -> bool:
    """Whether the other side could take the player's king."""
    king = "Kk"[player]
    return any(
        state.observation(1 - player).piece(f"{file}{row}") == king
        for file in "abcdefgh"
        for row in range(1, 9)
    )


def _from_file(game: FogChess, path: Path) -> tuple[FogChess, ...]:
    """The openings of a file, a FEN or moves in each line; empty lines and lines that begin with
    ``#`` are skipped."""
    try:
        lines = read_text(path, MOST_BYTES).splitlines()
    except FileFormatError as error:
        raise OptionError(f"{error}; openings are start, book, random:PLIES or a file") from None
    found = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            opened = FogChess(game.rules, text) if "/" in text else _after(game, text)
            if opened.root().player == TERMINAL:
                raise OptionError("the game is over there")
        except FogtreeError as error:
            raise FileFormatError(f"'{path}', line {number}: {error}") from None
        found.append(opened)
    if not found:
        raise FileFormatError(f"there is no opening in '{path}'")
    return tuple(found)
