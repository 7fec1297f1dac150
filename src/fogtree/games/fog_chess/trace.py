"""A trace of a search on Fog-of-War chess."""

from __future__ import annotations

from typing import Any

from fogtree import _core
from fogtree.games.fog_chess.board_text import COLORS
from fogtree.search.agent import SearchAgent
from fogtree.search.trace import Tracer


class FogChessTraceNotation:
    """How a search of chess is written in a trace: positions as the first two fields of a FEN,
    moves in standard notation."""

    def position(self, state: Any) -> str:
        """A position as the pieces on the board and the side to move."""
        fen: str = state.fen
        return " ".join(fen.split()[:2])

    def step(self, state: Any, number: int) -> str:
        """A move in standard notation, or in UCI if it is not legal at this position."""
        try:
            san: str = state.write_san(number)
        except ValueError:
            return _core.fog_chess_write_uci(number)
        return san

    def infoset(self, key: int, player: int) -> str | None:
        """None: information sets of chess have no names."""
        del key, player
        return None  # they have no names


def trace_search(agent: SearchAgent, player: int) -> str:
    """Search with an agent that is about to decide, and write down every step."""
    tracer = Tracer(agent.native, FogChessTraceNotation(), player, agent.settings.options)
    log = tracer.text(lambda callback: agent.watch(callback, every=True))
    return (
        f"# A search of Fog-of-War chess as {COLORS[player]}, step by step\n\n"
        f"We see {agent.belief.view.fog_fen}; {len(agent.belief):,} positions are possible.\n\n"
        f"{log}"
    )
