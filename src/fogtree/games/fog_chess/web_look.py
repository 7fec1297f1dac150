"""A look into the fog for the browser: where the other side's pieces may be, and likely boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fogtree._core import FogChessPosition
from fogtree.games.fog_chess.analysis_report import weighted_marginals
from fogtree.games.fog_chess.belief import FogBelief, opponent_columns, opponent_kinds
from fogtree.games.fog_chess.board_text import COLORS, PIECE_NAMES
from fogtree.games.fog_chess.observation import SQUARES, FogObservation
from fogtree.games.fog_chess.search import FogChessNotation
from fogtree.games.fog_chess.svg import position_marks
from fogtree.search.analysis import Line

_BOARDS = 12  # possible boards shown of many
_ALL_SHOWN = 20  # so many are all shown
_DOUBTED = 0.75  # below this part of its share among equally likely positions, a piece is doubted
_ROUNDED = 1e-6  # shares that differ less, relatively, count as equal
_COMPARED = 2048  # positions of a belief among which those that look the same are found


def look_document(belief: FogBelief, lines: Sequence[Line], seat: int) -> dict[str, Any]:
    """Marginals and possible boards of one side's belief. ``lines`` are the boards at the root of
    the search tree (``Analysis.our_belief``), the likeliest first, or nothing if no search goes on
    there. ``even`` says whether all positions count the same; ``doubted`` are the squares on which
    the search expects a piece clearly less than if they did; ``more_boards`` whether there are
    other boards than those that are listed."""
    uniform = belief.marginals()
    even = _count_the_same(lines)
    shares = uniform if even else weighted_marginals(lines)
    doubted = shares < _DOUBTED * uniform
    letters = opponent_kinds(seat)
    boards, more = _boards_alike(belief) if even else _boards_of_search(lines)
    return {
        "positions": len(belief),
        "complete": belief.complete,
        "even": even,
        "marginals": {
            letter: [round(float(share), 4) for share in shares[:, column]]
            for letter, column in zip(letters, opponent_columns(seat), strict=True)
        },
        "doubted": {
            letter: np.flatnonzero(doubted[:, column]).tolist()
            for letter, column in zip(letters, opponent_columns(seat), strict=True)
        },
        "boards": boards,
        "more_boards": more,
    }


def _count_the_same(lines: Sequence[Line]) -> bool:
    """Whether every position of the lines has the same probability."""
    single = [line.share / line.alike for line in lines]
    return not single or max(single) - min(single) <= _ROUNDED * max(single)


def _boards_of_search(lines: Sequence[Line]) -> tuple[list[dict[str, Any]], bool]:
    """The likeliest boards of a search, and whether it has more."""
    boards = [
        {"marks": "".join(position_marks(line.state)), "share": round(line.share, 4)}
        for line in lines[: _shown(len(lines))]
    ]
    return boards, len(boards) < len(lines)


def _boards_alike(belief: FogBelief) -> tuple[list[dict[str, Any]], bool]:
    """Boards of a belief whose positions are all equally likely, and whether there are more. A
    board that stands for several positions, which differ in the right to castle or to take en
    passant, has their shares."""
    notation = FogChessNotation()
    alike: dict[str, list[FogChessPosition]] = {}
    for position in belief.sample(_COMPARED):
        alike.setdefault(notation.diagram(position), []).append(position)
    likeliest = sorted(alike.values(), key=len, reverse=True)
    boards = [
        {"marks": "".join(position_marks(one[0])), "share": round(len(one) / len(belief), 4)}
        for one in likeliest[: _shown(len(alike))]
    ]
    return boards, len(boards) < len(alike) or len(belief) > _COMPARED


def _shown(count: int) -> int:
    """How many of ``count`` possible boards are shown."""
    return count if count <= _ALL_SHOWN else _BOARDS


def lost_pieces(before: FogChessPosition, after: FogChessPosition, side: int) -> str:
    """The pieces that a side lost between two positions, in words such as "the knight on f6"."""
    taken = []
    for square in range(64):
        letter, left = before.letter_at(square), after.letter_at(square)
        if _owner(letter) == side and _owner(left) != side:
            taken.append(f"the {PIECE_NAMES[letter.lower()]} on {SQUARES[square]}")
    return " and ".join(taken)


def unlikely_pieces(
    positions: Sequence[FogChessPosition],
    moves: Sequence[str],
    view: FogObservation,
    look: dict[str, Any],
    bound: float,
) -> list[tuple[str, str, float]]:
    """The opponent's pieces in the fog, pawns left out, that stand on squares where a look doubted
    them and gave them a probability below ``bound``.

    ``positions`` are those of the game up to the look, ``moves`` the moves between them, as people
    read them. Each piece is a name, which it keeps as long as it stays on its square, a sentence
    that says since when it has stood there, and its probability.
    """
    found = []
    other = 1 - view.player
    for square, mark in enumerate(view.marks()):
        letter = positions[-1].letter_at(square)
        if mark != "?" or _owner(letter) != other or letter.lower() == "p":
            continue
        share = look["marginals"][letter][square]
        if share < bound and square in look["doubted"][letter]:
            since = _standing_since(positions, square)
            piece = f"{COLORS[other].capitalize()}'s {PIECE_NAMES[letter.lower()]}"
            if since == 0:
                stood = f"had stood on {SQUARES[square]} from the start"
            elif since < len(moves):
                move = _numbered(positions[since - 1], moves[since - 1])
                stood = f"had stood on {SQUARES[square]} since {move}"
            else:
                stood = f"stood on {SQUARES[square]}"
            found.append((f"{letter}{SQUARES[square]} {since}", f"{piece} {stood}", share))
    return found


def _standing_since(positions: Sequence[FogChessPosition], square: int) -> int:
    """The number of the first position from which on the piece has stood on this square."""
    since = len(positions) - 1
    letter = positions[since].letter_at(square)
    while since > 0 and positions[since - 1].letter_at(square) == letter:
        since -= 1
    return since


def _numbered(before: FogChessPosition, move: str) -> str:
    """A move with its number, as lists of moves write it: "9. Re1" or "9...Re8"."""
    return f"{before.fullmove}{'. ' if before.side == 0 else '...'}{move}"


def _owner(letter: str) -> int | None:
    """Whose piece a letter is; None for an empty square."""
    if not letter.isalpha():
        return None
    return 0 if letter.isupper() else 1
