"""Exact best responses in two-player zero-sum games that are too large to compile.

A game may bring :meth:`~fogtree.game.Game.responses`: native code that numbers every decision of
each player and walks the responder's information sets with the list of all that the other player
may know. It needs the other player's probabilities at every decision, as one array of *slots*: the
actions of the first decision, then those of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.strategy.hashed import HashedStrategy
from fogtree.text.amounts import short_number

Slots = NDArray[np.float32]
MixesOf = Callable[["DecisionBlock"], Slots]
"""A strategy as a function: from a block of decisions to the probabilities of all its actions."""

_AT_ONCE = 1 << 16  # decisions described at a time


@dataclass(frozen=True, slots=True)
class ResponseValues:
    """What each player gets by a best response to the other; the game is zero-sum."""

    best_response_values: tuple[float, float]

    def __repr__(self) -> str:
        measured = f"{short_number(self.exploitability)} (NashConv {short_number(self.nash_conv)})"
        return f"<ResponseValues: exploitability {measured}>"

    @property
    def nash_conv(self) -> float:
        """The sum of what both players would gain by a best response."""
        return sum(self.best_response_values)

    @property
    def exploitability(self) -> float:
        """NashConv / 2."""
        return self.nash_conv / 2


@dataclass(frozen=True, eq=False, slots=True)
class DecisionBlock:
    """Decisions of one player, numbered from ``begin``."""

    player: int
    begin: int
    codes: NDArray[np.uint8]
    """For each decision, a row with the code of its information set for networks."""
    keys: NDArray[np.uint64]
    """For each decision, the key of its information set in the game's simulator."""
    counts: NDArray[np.uint8]
    """For each decision, its number of actions."""
    columns: NDArray[np.int16]
    """The network output that stands for each action, decision after decision."""
    before: NDArray[np.int64]
    """The slot of the player's action before each decision; -1: none."""

    @property
    def first(self) -> NDArray[np.int64]:
        """The index of each decision's first action among the actions of the block."""
        counts = self.counts.astype(np.int64)
        places: NDArray[np.int64] = np.cumsum(counts) - counts
        return places

    def uniform(self) -> Slots:
        """Equal probabilities for the actions of every decision."""
        return np.repeat(np.float32(1) / self.counts.astype(np.float32), self.counts)


@lru_cache(maxsize=2)
def responses_of(game: Game) -> _core.ResponseGame | None:
    """The native object that computes a game's exact best responses without compiling; None if the
    game has none. It is cached, because it takes seconds to build."""
    return game.responses()


def has_responses(game: Game) -> bool:
    """Whether a game has exact best responses without compiling."""
    return responses_of(game) is not None


def blocks(responses: _core.ResponseGame, player: int) -> Iterator[DecisionBlock]:
    """All decisions of a player in order, in blocks of limited size."""
    total = responses.decisions(player)
    for begin in range(0, total, _AT_ONCE):
        end = min(begin + _AT_ONCE, total)
        yield DecisionBlock(player, begin, *responses.describe(player, begin, end))


def table_mixes(strategy: HashedStrategy) -> MixesOf:
    """A function that looks up the mixes of a strategy that was sampled without compiling; they are
    uniform where it has no entry."""

    def mixes(block: DecisionBlock) -> Slots:
        """The probabilities of all actions in a block of decisions: those of the table, uniform
        where it has no entry."""
        slots = block.uniform()
        if not len(strategy):
            return slots
        place = np.minimum(np.searchsorted(strategy.keys, block.keys), len(strategy) - 1)
        met = (strategy.keys[place] == block.keys) & (strategy.counts[place] == block.counts)
        starts = np.cumsum(strategy.counts, dtype=np.int64) - strategy.counts
        for count in np.unique(block.counts[met]).tolist():
            rows = np.flatnonzero(met & (block.counts == count))
            found = strategy.probabilities[starts[place[rows], None] + np.arange(count)]
            slots[block.first[rows, None] + np.arange(count)] = found / found.sum(
                axis=1, keepdims=True
            )
        return slots

    return mixes


def all_slots(responses: _core.ResponseGame, player: int, mixes: MixesOf) -> Slots:
    """The probabilities of all slots of a player, decision after decision."""
    slots = np.empty(responses.slots(player), dtype=np.float32)
    place = 0
    for block in blocks(responses, player):
        found = mixes(block)
        slots[place : place + len(found)] = found
        place += len(found)
    return slots


def best_response_values(
    game: Game, strategy: HashedStrategy | MixesOf | None = None, *, threads: int = 1
) -> ResponseValues:
    """The exact values of best responses to a strategy: a table that was sampled without
    compiling, a function of blocks of decisions, or None for uniform play.

    >>> import fogtree
    >>> from fogtree.evaluate.uncompiled import best_response_values
    >>> round(best_response_values(fogtree.load_game("dark_hex")).nash_conv, 6)
    0.75
    """
    responses = responses_of(game)
    if responses is None:
        raise OptionError(f"{game} has no best responses without compiling")
    if strategy is None:
        mixes: MixesOf = DecisionBlock.uniform
    elif isinstance(strategy, HashedStrategy):
        mixes = table_mixes(strategy)
    else:
        mixes = strategy
    found = [
        responses.best_response(player, all_slots(responses, 1 - player, mixes), threads)
        for player in (0, 1)
    ]
    return ResponseValues((found[0], found[1]))
