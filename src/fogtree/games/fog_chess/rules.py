"""Rule presets: the rules in which servers of Fog-of-War chess differ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from fogtree._core import FogChessPosition, FogChessSight
from fogtree.errors import NotationError, UnknownNameError

DEFAULT_PRESET = "chesscom"
START_FEN = FogChessPosition().fen


@dataclass(frozen=True)
class FogRules:
    """The rules beyond those of chess; `name` goes into every record."""

    name: str
    stalemate: Literal["loss", "draw", "win"] = "loss"
    """The result of a player who has no move."""
    mark_blocked: bool = True
    """Whether a player sees that the square in front of an own pawn is occupied."""
    pawn_diagonals_always: bool = False
    """Whether pawns see the squares they attack, or only those they can capture on."""
    show_en_passant_victim: bool = True
    """Whether the pawn that can be taken en passant is shown."""

    @property
    def sight(self) -> FogChessSight:
        """The rules of sight for the native core."""
        return FogChessSight(
            mark_blocked=self.mark_blocked,
            pawn_diagonals_always=self.pawn_diagonals_always,
            show_en_passant_victim=self.show_en_passant_victim,
        )


PRESETS = {
    rules.name: rules
    for rules in (
        FogRules("chesscom"),
        FogRules("openspiel", stalemate="draw", mark_blocked=False),
        FogRules("fairy", stalemate="draw", mark_blocked=False, show_en_passant_victim=False),
        FogRules("attacks", mark_blocked=False, pawn_diagonals_always=True),
        FogRules("stalemate-wins", stalemate="win"),
    )
}


def preset(name: str) -> FogRules:
    """The rule preset of this name; an unknown name is an error."""
    if name not in PRESETS:
        raise UnknownNameError("rules of Fog-of-War chess", name, PRESETS)
    return PRESETS[name]


@contextmanager
def as_notation_errors() -> Iterator[None]:
    """Raise a parsing error of the native core, a ValueError, as a NotationError."""
    try:
        yield
    except ValueError as error:
        raise NotationError(str(error)) from None


def read_fen(fen: str) -> FogChessPosition:
    """The position that a FEN describes."""
    with as_notation_errors():
        return FogChessPosition(fen)
