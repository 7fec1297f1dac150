"""Games of self-play as rows of decisions, and advantages of the actions that were taken.

J. Schulman, P. Moritz, S. Levine, M. I. Jordan, P. Abbeel, "High-dimensional continuous control
using generalized advantage estimation", ICLR 2016. *Deviations:* a player's trajectory consists of
the player's own decisions only; payoffs come at the end and are not discounted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.network import Array
from fogtree.deep.samples import Samples


@dataclass(frozen=True, eq=False, slots=True)
class Trajectories:
    """The decisions of some games in the order they were played, game after game."""

    codes: NDArray[np.uint8]  # what the mover knew
    histories: NDArray[np.uint8]  # the whole history, from the mover's side
    columns: NDArray[np.int16]  # of the legal actions; -1: none
    played: Array  # their probabilities
    taken: NDArray[np.int64]  # index of the action taken
    players: NDArray[np.int8]
    steps: NDArray[np.int32]  # number of the decision within its game
    returns: Array  # of the mover, at the end of the game

    @classmethod
    def of(cls, samples: Samples) -> Trajectories:
        """The decisions that walks of method ``selfplay`` recorded."""
        rows = np.arange(samples.count("strategy"))
        decisions, values = samples.take("strategy", rows), samples.take("value", rows)
        taken = decisions["actions"] == values["actions"][:, None]
        return cls(
            codes=decisions["codes"],
            histories=values["codes"],
            columns=decisions["actions"],
            played=decisions["targets"],
            taken=taken.argmax(axis=1),
            players=decisions["players"],
            steps=decisions["steps"],
            returns=values["targets"],
        )

    def __len__(self) -> int:
        return len(self.taken)

    def by_action(self, advantages: Array) -> Array:
        """Unbiased estimates of all actions' advantages: those of the actions taken, divided by
        their probabilities, and 0 for the others."""
        out = np.zeros(self.columns.shape, dtype=np.float32)
        rows = np.arange(len(self))
        out[rows, self.taken] = advantages / self.played[rows, self.taken]
        return out


def next_decisions(players: NDArray[Any], steps: NDArray[Any]) -> NDArray[np.int64]:
    """For every decision the row of its player's next one in the same game; -1: none."""
    games = np.cumsum(steps == 0)
    order = np.lexsort((games, players))  # stable: decisions of a game stay in their order
    same = (players[order[1:]] == players[order[:-1]]) & (games[order[1:]] == games[order[:-1]])
    out = np.full(len(players), -1, dtype=np.int64)
    out[order[:-1][same]] = order[1:][same]
    return out


def generalised_advantages(
    values: Array, returns: Array, following: NDArray[np.int64], decay: float
) -> Array:
    """The advantage of the action taken at every decision. ``values`` are those of the histories
    before the actions, ``returns`` the payoffs at the end of the games, both the mover's.

    ``following`` is that of :func:`next_decisions`. ``decay`` is λ: 1 uses returns alone, 0 only
    the value at the player's next decision.
    """
    last = following < 0
    after = np.where(last, returns, values[following])
    out = (after - values).astype(np.float32)
    before = np.full(len(out), -1, dtype=np.int64)
    before[following[~last]] = np.flatnonzero(~last)
    rows = before[last]
    while (rows := rows[rows >= 0]).size:
        out[rows] += np.float32(decay) * out[following[rows]]
        rows = before[rows]
    return out
