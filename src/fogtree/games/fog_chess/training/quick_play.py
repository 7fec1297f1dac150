"""One quick game without fog or search, and the positions of it that become training data.

Both sides see everything and choose by the evaluator's values, with random errors. Such a game takes
a hundredth of the time of a game of searches. A network needs positions of very many games, because
those of one game are alike. How often the sides err differs from game to game, so that positions
range from well played ones to those where pieces hang, which a search in the fog meets all the time.

A network that is asked after captures only ever values quiet positions: most of those kept are such
that captures change the evaluator's value little.
"""

from __future__ import annotations

import math

import numpy as np

from fogtree._core import FogChessNetwork, FogChessPosition
from fogtree.games.fog_chess.evaluator import FogEvaluator
from fogtree.games.fog_chess.evaluators import NativeEvaluator
from fogtree.games.fog_chess.training.rows import ALMOST_WON, ROW, UNKNOWN, Kind, Rows, packed

MOST_PLIES = 160
"""A game is broken off then: what follows is mostly endings that repeat themselves."""
TEMPERATURES = 0.01, 0.4
"""The least and the largest temperature of a game: a move whose value is lower than the best one's
by the temperature is played e times less often."""
MOST_RANDOM = 0.3
"""The largest share of moves of a game that are drawn uniformly."""
QUIET = 0.06
"""A position is quiet if captures change its value by less: a third of a pawn near equality."""
KEPT_OTHERS = 0.15
"""The share of positions kept of those that are not quiet."""


def play_quickly(
    evaluator: FogEvaluator, start: FogChessPosition, kept: int, draw: np.random.Generator
) -> Rows:
    """Play one game from ``start``; returns rows of at most ``kept`` random children of every
    position, with the evaluator's values; that which is played next is marked as such."""
    low, high = TEMPERATURES
    temperature = math.exp(draw.uniform(math.log(low), math.log(high)))
    random_share = MOST_RANDOM * draw.random() ** 2
    position, positions, kinds, plies, values = start, [], [], [], []
    for ply in range(MOST_PLIES):
        found = evaluator.mover_values(position)
        if not len(found) or found.max() >= ALMOST_WON:
            break
        moves = position.moves()
        if draw.random() < random_share:
            chosen = int(draw.integers(len(moves)))
        else:
            chosen = int(np.argmax(found / temperature + draw.gumbel(size=len(found))))
        undecided = np.flatnonzero(np.abs(found) < ALMOST_WON)
        for at in draw.permutation(undecided)[:kept]:
            child = position.play(moves[at])
            if draw.random() < KEPT_OTHERS or _quiet(evaluator, child, -found[at]):
                positions.append(child)
                kinds.append(Kind.played if at == chosen else Kind.leaf)
                plies.append(ply + 1)
                values.append(-found[at])
        position = position.play(moves[chosen])
    rows = np.zeros(len(positions), ROW)
    rows["kind"], rows["ply"], rows["teacher"] = kinds, plies, values
    rows["result"], rows["search"] = UNKNOWN, np.nan
    if positions:
        rows["board"] = packed(positions)
    return rows


def _quiet(evaluator: FogEvaluator, position: FogChessPosition, value: float) -> bool:
    """Whether the evaluator's value of a position is about that of the position as it stands."""
    native = evaluator.native if isinstance(evaluator, NativeEvaluator) else None
    if not isinstance(native, FogChessNetwork):
        return True
    return abs(math.tanh(native.evaluate(position) / native.unit) - value) < QUIET
