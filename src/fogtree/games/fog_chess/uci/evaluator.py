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

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from fogtree._core import FogChessPosition, fog_chess_ruled_children, fog_chess_squashed
from fogtree.games.fog_chess.evaluator import FogEvaluator, Values
from fogtree.games.fog_chess.rules import DEFAULT_PRESET
from fogtree.games.fog_chess.uci.chess_rules import can_take_king
from fogtree.games.fog_chess.uci.process import ANSWERING, EngineError, UciEngine


class UciEvaluator(FogEvaluator):
    """Values from an engine's own search. Threads that ask at the same time have an engine each."""

    def __init__(
        self, program: str, *, rules: str = DEFAULT_PRESET, seconds: float = ANSWERING
    ) -> None:
        """Start one engine process; more are started when threads ask at the same time."""
        super().__init__(f"uci:{program}", rules)
        self.engine = UciEngine(program, seconds=seconds)
        self._idle = [self.engine]
        self._lock = threading.RLock()  # the garbage collector may call close() while it is held
        self._closed = False

    def close(self) -> None:
        """End the engine processes that are idle; those in use end when they are given back."""
        with self._lock:
            self._closed = True
            for engine in self._idle:
                engine.close()

    @contextmanager
    def _taken(self) -> Iterator[UciEngine]:
        """Borrow an engine process that no other thread is using."""
        with self._lock:
            if self._closed:
                raise EngineError(f"the engine {self.engine.program} is closed")
            free = self._idle.pop() if self._idle else None
        engine = free or UciEngine(self.engine.program, seconds=self.engine.seconds)
        try:
            yield engine
        except BaseException:  # its later output could belong to this request
            engine.close()
            raise
        with self._lock:
            self._idle.append(engine)
            if self._closed:
                engine.close()

    def mover_values(self, position: FogChessPosition) -> Values:
        """The values of all moves at a position, for the side to move."""
        return self._values([position])[0]

    def children_of_all(self, positions: Sequence[FogChessPosition], player: int) -> list[Values]:
        """The values of all moves at each position, from the point of view of ``player``."""
        return [
            values if position.side == player else -values
            for position, values in zip(positions, self._values(positions), strict=True)
        ]

    def _values(self, positions: Sequence[FogChessPosition]) -> list[Values]:
        """The values of all moves at each position, for the side to move, from an idle engine
        process."""
        with self._taken() as engine:
            return self._asked(engine, positions)

    def _asked(self, engine: UciEngine, positions: Sequence[FogChessPosition]) -> list[Values]:
        """The values of all moves at each position, for the side to move: those that the rules
        decide, then those of one search of the engine, then the rest child by child."""
        values = [fog_chess_ruled_children(position, self.native_rules) for position in positions]
        searched = [
            number
            for number, position in enumerate(positions)
            if engine.multi_pv and np.isnan(values[number]).any() and not can_take_king(position)
        ]
        answers = engine.search_all([positions[number].fen for number in searched])
        for number, lines in zip(searched, answers, strict=True):
            place = {move: at for at, move in enumerate(positions[number].uci_moves())}
            for line in lines:
                at = place.get(line.move)
                if at is not None and np.isnan(values[number][at]):
                    values[number][at] = fog_chess_squashed(line.centipawns)
        _value_one_by_one(engine, positions, values)
        return values


def _value_one_by_one(
    engine: UciEngine, positions: Sequence[FogChessPosition], values: list[Values]
) -> None:
    """Fill in the values that are missing (NaN) by a search of the position after each of these
    moves: those that chess does not allow, or all if the engine reports only its best move."""
    left = [
        (number, int(at)) for number, row in enumerate(values) for at in np.isnan(row).nonzero()[0]
    ]
    fens = [positions[number].play(positions[number].moves()[at]).fen for number, at in left]
    for (number, at), lines in zip(left, engine.search_all(fens, lines=1), strict=True):
        # Without a legal move every move there is leaves the king to be taken.
        values[number][at] = -fog_chess_squashed(lines[0].centipawns) if lines else 1.0
