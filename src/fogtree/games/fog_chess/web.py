"""Fog-of-War chess in the browser: boards as 64 marks, and nothing that a side cannot see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from fogtree.game import TERMINAL, Action, State
from fogtree.games.fog_chess.belief import FogBelief
from fogtree.games.fog_chess.game import FogChessState
from fogtree.games.fog_chess.visible_position import known_position
from fogtree.games.fog_chess.web_look import look_document, lost_pieces, unlikely_pieces
from fogtree.search.analysis import Line

_visible = lru_cache(maxsize=64)(known_position)
"""``known_position``, computed once per view: all moves of a view are written from it."""


class FogChessView:
    """The browser's view of a game of Fog-of-War chess."""

    def seat_view(self, state: State, seat: int) -> dict[str, Any]:
        """The data that the page draws for one seat: the board as this side sees it, and the number
        of moves made, which both sides know."""
        assert isinstance(state, FogChessState)
        view = state.observation(seat)
        return {
            "kind": "chess",
            "marks": "".join(view.marks()),
            "mover": view.side,
            "side": seat,
            "ply": _ply(state),
        }

    def action_label(self, state: State, action: Action, seat: int) -> str:
        """A move in standard notation, by what the mover can see of the position."""
        assert isinstance(state, FogChessState)
        position = _visible(state.observation(seat))
        return position.write_san(position.read_uci(str(action)))

    def review_label(self, state: State, action: Action) -> str:
        """A move in standard notation, by the whole position."""
        return state.action_name(action)

    def look(self, belief: FogBelief, lines: Sequence[Line], seat: int) -> dict[str, Any]:
        """The data of a look into the fog: where the other side's pieces may be, and the likeliest
        boards."""
        return look_document(belief, lines, seat)

    def lost(self, before: State, after: State, seat: int) -> str:
        """The pieces that a side lost between two positions, in words."""
        assert isinstance(before, FogChessState)
        assert isinstance(after, FogChessState)
        return lost_pieces(before.position, after.position, seat)

    def unlikely(
        self,
        line: Sequence[tuple[State, Action]],
        state: State,
        look: dict[str, Any],
        seat: int,
        bound: float,
    ) -> list[tuple[str, str, float]]:
        """Pieces in the fog on squares where a look had hardly expected them."""
        assert isinstance(state, FogChessState)
        positions, moves = [], []
        for before, move in line:
            assert isinstance(before, FogChessState)
            positions.append(before.position)
            moves.append(before.action_name(move))
        positions.append(state.position)
        return unlikely_pieces(positions, moves, state.observation(seat), look, bound)

    def full_view(self, state: State) -> dict[str, Any]:
        """The data that the page draws of finished games: the whole board."""
        assert isinstance(state, FogChessState)
        letters = [state.position.letter_at(square) or "." for square in range(64)]
        return {
            "kind": "chess",
            "marks": "".join(letters),
            "mover": state.position.side,
            "ply": _ply(state),
            "fen": state.fen,
            "over": state.player == TERMINAL,
        }


def _ply(state: FogChessState) -> int:
    """The number of plies made, by the move number of the FEN, which begins at 1."""
    return 2 * (state.position.fullmove - 1) + state.position.side


VIEW = FogChessView()
