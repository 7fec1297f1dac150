"""The log of a search on Fog-of-War chess."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fogtree import _core
from fogtree.games.fog_chess.analysis import follow_game
from fogtree.games.fog_chess.board_text import COLORS
from fogtree.games.fog_chess.game import FogChess
from fogtree.search.settings import SearchSettings
from fogtree.search.trace import Tracer


class FogChessTraceNotation:
    """Writes positions as FEN boards and moves in standard notation."""

    def position(self, state: Any) -> str:
        fen: str = state.fen
        return " ".join(fen.split()[:2])

    def action(self, state: Any, number: int) -> str:
        try:
            san: str = state.write_san(number)
        except ValueError:
            return _core.fog_chess_write_uci(number)
        return san

    def infoset(self, key: int, player: int) -> str | None:
        del key, player
        return None  # they have no names


def trace_game(
    game: FogChess,
    moves: Sequence[str],
    settings: SearchSettings,
    *,
    player: int | None = None,
    earlier: int = 1,
    seed: str = "analysis",
) -> str:
    """The log of a search for the side to move after these moves."""
    agent, end = follow_game(game, moves, settings, player=player, earlier=earlier, seed=seed)
    tracer = Tracer(agent.native, FogChessTraceNotation(), end.player, settings.options)
    log = tracer.text(lambda callback: agent.watch(callback, every=True))
    return (
        f"# A search of Fog-of-War chess as {COLORS[end.player]}, step by step\n\n"
        f"We see {agent.belief.view.fog_fen}; {len(agent.belief):,} positions are possible.\n\n"
        f"{log}"
    )
