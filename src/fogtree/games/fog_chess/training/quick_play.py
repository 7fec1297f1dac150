"""One quick game without fog or search, and the positions of it that become training data.

Both sides see everything and choose by the evaluator's values, with random errors. Such a game
takes less than a hundredth of the time of a game of searches. A network needs positions of very
many games, because those of one game are alike. How often the sides err differs from game to game,
so that positions range from well played ones to those where pieces hang, which a search in the fog
meets all the time.

The evaluator is asked for some moves only: half of them are those that a cheaper evaluator likes
best, the others are random. A network that is asked after captures only ever values quiet
positions: most of those kept are such that captures change the evaluator's value little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree._core import FogChessNetwork, FogChessPosition
from fogtree.games.fog_chess.evaluators import NativeEvaluator
from fogtree.games.fog_chess.game import FIFTY_MOVES
from fogtree.games.fog_chess.training.rows import ALMOST_WON, ROW, UNKNOWN, Kind, Rows, packed

MOST_PLIES = 160
"""A game is broken off then: what follows is mostly endings that repeat themselves."""
TEMPERATURES = 0.01, 0.4
"""The least and the largest temperature of a game: a move whose value is lower than the best one's
by the temperature is played e times less often."""
MOST_RANDOM = 0.3
"""The largest share of moves of a game that are drawn uniformly among those for which the teacher
is asked."""
QUIET = 0.06
"""A position is quiet if captures change its value by less: a third of a pawn near equality."""
KEPT_OTHERS = 0.15
"""The share of positions kept of those that are not quiet."""


@dataclass(frozen=True, slots=True)
class QuickPlay:
    """How quick games are played: with the evaluator whose values are kept, with a cheap one that
    chooses the moves for which it is asked, and with so many moves of each position."""

    teacher: NativeEvaluator
    guide: NativeEvaluator
    asked: int

    def game(self, start: FogChessPosition, draw: np.random.Generator) -> Rows:
        """Play one game from ``start``; returns rows of the children for which the evaluator was
        asked, with its values. Those that were played next are marked as such."""
        low, high = TEMPERATURES
        temperature = math.exp(draw.uniform(math.log(low), math.log(high)))
        random_share = MOST_RANDOM * draw.random() ** 2
        position, positions, kinds, plies, values = start, [], [], [], []
        for ply in range(MOST_PLIES):
            if position.halfmove >= FIFTY_MOVES:
                break
            guess = self.guide.mover_values(position)
            if not len(guess) or guess.max() >= ALMOST_WON:
                break
            asked = self._asked(guess, draw)
            found = self._found(position, asked)
            if draw.random() < random_share:
                chosen = int(draw.integers(len(asked)))
            else:
                chosen = int(np.argmax(found / temperature + draw.gumbel(size=len(found))))
            moves = position.moves()
            children = [position.play(moves[at]) for at in asked]
            for at, child in enumerate(children):
                value = -float(found[at])
                drawn = child.halfmove >= FIFTY_MOVES
                if not drawn and abs(value) < ALMOST_WON and self._kept(child, value, draw):
                    positions.append(child)
                    kinds.append(Kind.played if at == chosen else Kind.leaf)
                    plies.append(ply + (at == chosen))  # where it is decided next, if it is
                    values.append(value)
            position = children[chosen]
        rows = np.zeros(len(positions), ROW)
        rows["kind"], rows["ply"], rows["teacher"] = kinds, plies, values
        rows["result"], rows["search"] = UNKNOWN, np.nan
        if positions:
            rows["board"] = packed(positions)
        return rows

    def _asked(self, guess: NDArray[np.float32], draw: np.random.Generator) -> list[int]:
        """The numbers of the moves for which the evaluator is asked."""
        order = np.argsort(-guess, kind="stable")
        best = (self.asked + 1) // 2
        others: Any = draw.permutation(order[best:])[: self.asked - best]
        return [*order[:best].tolist(), *others.tolist()]

    def _found(self, position: FogChessPosition, asked: list[int]) -> NDArray[np.float32]:
        """The evaluator's values of these moves, for the side to move."""
        return self.teacher.native.some_children(position, asked, self.teacher.native_rules)

    def _kept(self, position: FogChessPosition, value: float, draw: np.random.Generator) -> bool:
        """Whether a position of this value, after captures, becomes a row: all that are quiet do,
        and some of the others."""
        if draw.random() < KEPT_OTHERS or not isinstance(self.teacher.native, FogChessNetwork):
            return True
        standing = self.teacher.native.evaluate(position) / self.teacher.native.unit
        return abs(math.tanh(standing) - value) < QUIET
