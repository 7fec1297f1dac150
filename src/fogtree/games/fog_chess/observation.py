"""One player's view of a game of Fog-of-War chess, as an object that can be shown and compared."""

from __future__ import annotations

from dataclasses import dataclass

from fogtree._core import FogChessObservation, FogChessPosition
from fogtree.games.fog_chess.rules import DEFAULT_PRESET, FogRules, as_notation_errors, preset
from fogtree.games.fog_chess.svg import Board

SQUARES = tuple(f"{file}{row}" for row in range(1, 9) for file in "abcdefgh")
"""Names of the squares in the core's order: a1, b1, … h8."""


@dataclass(frozen=True, slots=True, repr=False)
class FogObservation:
    """One player's view: own pieces, the squares they could move to, and what stands there.

    Two views that look the same are equal and have the same bytes; nothing else is in them: not
    the halfmove clock, not the other side's rights, not how often a position occurred.
    """

    native: FogChessObservation

    @classmethod
    def of(cls, position: FogChessPosition, player: int, rules: FogRules) -> FogObservation:
        """A player's view of a position, under the sight rules of ``rules``."""
        return cls(position.observation(player, rules.sight))

    @classmethod
    def from_fog_fen(cls, fog_fen: str, rules: str | FogRules = DEFAULT_PRESET) -> FogObservation:
        """Read a fog FEN; the squares seen must be those that the pieces shown would see."""
        chosen = preset(rules) if isinstance(rules, str) else rules
        with as_notation_errors():
            return cls(FogChessObservation(fog_fen, chosen.sight))

    @property
    def fog_fen(self) -> str:
        """The view as a fog FEN: the board, the side to move, own castling rights, the square where
        the viewer can take en passant, and the viewer. On the board ``?`` is an unseen square and
        ``#`` one that is occupied by an unknown piece."""
        return self.native.fog_fen

    @property
    def player(self) -> int:
        """The player whose view this is: 0 is White, 1 is Black."""
        return self.native.player

    @property
    def side(self) -> int:
        """The player who is to move."""
        return self.native.side

    @property
    def has_king(self) -> bool:
        """Whether the viewer's own king is still there."""
        return "Kk"[self.player] in self.fog_fen.split()[0]

    @property
    def seen(self) -> frozenset[str]:
        """Names of the squares seen."""
        return _names(self.native.seen)

    @property
    def blocked(self) -> frozenset[str]:
        """Names of the squares known to be taken, but not by what."""
        return _names(self.native.blocked)

    def piece(self, square: str) -> str | None:
        """The letter of the piece on a square; empty if none stands there, None if not seen."""
        if square not in SQUARES:
            raise KeyError(square)
        index = SQUARES.index(square)
        return self.native.letter_at(index) if self.native.seen >> index & 1 else None

    def __bytes__(self) -> bytes:
        """The view as bytes, equal for equal views."""
        return self.native.to_bytes()

    def __str__(self) -> str:
        """The board as text, one mark per square, with the viewer's side at the bottom."""
        rows = range(7, -1, -1) if self.player == 0 else range(8)
        files = range(8) if self.player == 0 else range(7, -1, -1)
        lines = [
            f"{row + 1} " + " ".join(self._mark(8 * row + file) for file in files) for row in rows
        ]
        return "\n".join([*lines, "  " + " ".join("abcdefgh"[file] for file in files)])

    def __repr__(self) -> str:
        return f"FogObservation({self.fog_fen!r})"

    def _repr_svg_(self) -> str:
        """The board as an SVG picture, for notebooks."""
        return Board(self.marks(), flipped=self.player == 1)._repr_svg_()

    def marks(self) -> list[str]:
        """One character per square from a1 to h8: a piece's letter, ``.`` empty, ``?`` unseen,
        ``#`` occupied by something unseen."""
        return [self._mark(square) for square in range(64)]

    def own_marks(self) -> list[str]:
        """One character per square from a1 to h8: the letter of an own piece, else ``.``."""
        own = str.isupper if self.player == 0 else str.islower
        return [mark if own(mark) else "." for mark in self.marks()]

    def _mark(self, square: int) -> str:
        """The character of a square, as in :meth:`marks`."""
        if self.native.seen >> square & 1:
            return self.native.letter_at(square) or "."
        return "#" if self.native.blocked >> square & 1 else "?"


def _names(mask: int) -> frozenset[str]:
    """The names of the squares whose bits are set in a mask, a1 lowest."""
    return frozenset(name for index, name in enumerate(SQUARES) if mask >> index & 1)
