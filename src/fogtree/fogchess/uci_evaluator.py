"""Any UCI engine as an evaluator: one search of depth 1 with a line for every move.

B. H. Zhang & T. Sandholm, "General search techniques without common knowledge for
imperfect-information games, and application to superhuman Fog of War chess" (2025), evaluate the
leaves of their search this way.
*Deviations:* none known. Chess engines know neither captured kings nor moves into check, so what
the rules decide is never sent, and castling out of or through attack, which they do not offer, is
valued by its child. An engine remembers earlier searches, so that a value asked for again may
differ a little.
"""

from __future__ import annotations

import numpy as np

from fogtree._core import FogChessPosition, fog_chess_ruled, fog_chess_squashed, fog_chess_write_uci
from fogtree.fogchess.evaluators import FogEvaluator, Values
from fogtree.fogchess.rules import DEFAULT_PRESET
from fogtree.fogchess.uci_engine import UciEngine


class UciEvaluator(FogEvaluator):
    """Values from an engine's own search."""

    def __init__(self, program: str, *, rules: str = DEFAULT_PRESET, seconds: float = 20.0) -> None:
        super().__init__(f"uci:{program}", rules)
        self.engine = UciEngine(program, seconds=seconds)

    def close(self) -> None:
        self.engine.close()

    def mover_values(self, position: FogChessPosition) -> Values:
        moves = position.moves()
        values = np.empty(len(moves), dtype=np.float32)
        open_moves: dict[str, int] = {}
        for index, move in enumerate(moves):
            decided = fog_chess_ruled(position.play(move), self.native_rules)
            if decided is None:
                open_moves[fog_chess_write_uci(move)] = index
            else:
                values[index] = decided
        for uci, value in self._searched(position, len(open_moves)).items():
            if uci in open_moves:
                values[open_moves.pop(uci)] = value
        for index in open_moves.values():
            values[index] = -self._value(position.play(moves[index]))
        return values

    def _searched(self, position: FogChessPosition, open_moves: int) -> dict[str, float]:
        """Values of the moves that the engine knows of, where it can be asked at all."""
        if not open_moves or not self.engine.multi_pv or _can_take_king(position):
            return {}
        lines = self.engine.search(position.fen)
        return {line.move: fog_chess_squashed(line.centipawns) for line in lines}

    def _value(self, position: FogChessPosition) -> float:
        """The value of a position whose waiting side's king is safe, for the side to move."""
        lines = self.engine.search(position.fen, lines=1)
        # Without a legal move every move there is leaves the king to be taken.
        return fog_chess_squashed(lines[0].centipawns) if lines else -1.0


def _can_take_king(position: FogChessPosition) -> bool:
    other = 1 - position.side
    return any(not position.play(move).has_king(other) for move in position.moves())
