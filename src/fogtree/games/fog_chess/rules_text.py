"""The rules of Fog-of-War chess in words, with those in which its presets differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fogtree.games.fog_chess.game import FogChess

_STALEMATE = {"loss": "loses", "draw": "draws", "win": "wins"}


def rules_text(game: FogChess) -> str:
    """The rules of a game by the preset that it names."""
    rules = game.preset
    more = ", and all squares that your pawns attack" if rules.pawn_diagonals_always else ""
    blocked = (
        "If the square in front of your pawn is occupied you are told so, but not by what. "
        if rules.mark_blocked
        else "An occupied square in front of your pawn is not marked: the pawn just cannot move "
        "there. "
    )
    passing = "" if rules.show_en_passant_victim else "not "
    return (
        "Chess in which you see your own pieces and the squares they can move to"
        f"{more}; the rest of the board is in the fog. {blocked}A pawn that you can take en "
        f"passant is {passing}shown. Nobody tells you of a check, and any piece may be moved "
        "anywhere it goes: whoever takes the king wins. A player without a move "
        f"{_STALEMATE[rules.stalemate]}."
    )
