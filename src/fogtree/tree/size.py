"""How large a game's tree is, from a few random games through it.

D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29
(1975): the products of the numbers of choices along one random path estimate the number of nodes
without bias.

*Deviations:* a lower bound is found from means over groups of paths. An estimate, which is never
negative, exceeds f times the true size with probability at most 1/f; that many groups exceed it
together is very unlikely.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from fogtree.errors import GameError
from fogtree.game import TERMINAL, Action, Game, State
from fogtree.game.checks import (
    checked_child,
    checked_edges,
    checked_player,
    checked_players,
    checked_root,
)

DEEPEST = 10_000
"""A path longer than this is taken for a cycle."""

ENDLESS = 1e15
"""Histories beyond which a game is not estimated more closely."""

GROUPS, PATHS = 20, 25
"""Groups of paths, and paths of a group, for a good estimate."""
_MORE_PATHS, _MOST_STEPS = 5, 200_000
"""The factor from one estimate to a better one, and the moves that all its paths may have."""
DOUBT = 1e-6
"""Probability that the lower bound is wrong, for each of the group means it is computed from."""


@dataclass(frozen=True, slots=True)
class SizeGuess:
    """An estimate of the number of histories, from ``steps`` random moves: an unbiased ``mean``,
    and a lower bound."""

    mean: float
    lower_bound: float
    steps: int


def guess_size(
    game: Game, *, groups: int = GROUPS, paths: int = PATHS, enough: float = math.inf
) -> SizeGuess:
    """Estimate a game's size from ``groups`` times ``paths`` random games, which are the same ones
    on every call. A path ends early when its estimate reaches ``enough``; the lower bound stays
    valid, but the mean is then too small. The choices at the root, often a wide deal of cards, are
    listed once for all paths."""
    return _guess(_Paths(game), groups, paths, enough)


def _guess(paths_of: _Paths, groups: int, paths: int, enough: float) -> SizeGuess:
    """The estimate from ``groups`` groups of ``paths`` random paths each."""
    luck, before = random.Random(1975), paths_of.steps
    # Lists, because a generator would turn a game's StopIteration into another error.
    means = sorted(
        [
            math.fsum([paths_of.estimate(luck, enough) for _ in range(paths)]) / paths
            for _ in range(groups)
        ]
    )
    bounds = [mean / _excess_factor(groups, below) for below, mean in enumerate(means)]
    return SizeGuess(math.fsum(means) / groups, max(bounds), paths_of.steps - before)


def guess_against(game: Game, most: float, paths: int = 1) -> SizeGuess:
    """An estimate from more and more random paths, beginning with groups of ``paths``, until it is
    clear that the game has more than ``most`` histories, or this looks unlikely, or it would take
    too long.

    One path is followed to its end, however long, so that a cycle is found.
    """
    paths_of = _Paths(game)
    _guess(paths_of, 1, 1, math.inf)
    while True:
        guess = _guess(paths_of, GROUPS, paths, max(ENDLESS, most))
        unclear = guess.lower_bound <= most < guess.mean
        if not unclear or guess.steps * _MORE_PATHS > _MOST_STEPS:
            return guess
        paths *= _MORE_PATHS


def _excess_factor(groups: int, below: int) -> float:
    """The factor f such that all groups but ``below`` exceed f times the true size with at most
    probability DOUBT."""
    return math.exp(math.log(math.comb(groups, below) / DOUBT) / (groups - below))


class _Paths:
    """Random paths from a game's root; ``steps`` counts their moves."""

    def __init__(self, game: Game) -> None:
        self._game, self._players = game, checked_players(game)
        self._root = checked_root(game)
        self._first = self._choices(self._root)
        self.steps = 0

    def _choices(self, state: State) -> list[Action] | None:
        """The actions or outcomes at a state; None at the end of the game."""
        mover = checked_player(self._game, state.player, self._players)
        return None if mover == TERMINAL else checked_edges(self._game, state, mover)

    def estimate(self, luck: random.Random, enough: float) -> float:
        """The estimate of the number of histories from one random path: the sum of the products of
        the numbers of choices along it. The path ends early when the estimate exceeds
        ``enough``."""
        state, choices, width, total = self._root, self._first, 1.0, 1.0
        for _ in range(DEEPEST + 1):
            if choices is None or total > enough:
                return total
            self.steps += 1
            width = min(width * len(choices), 1e300)
            total += width
            state = checked_child(self._game, state, luck.choice(choices))
            choices = None if total > enough else self._choices(state)
        raise too_deep_error(self._game)


def too_deep_error(game: Game) -> GameError:
    """The error for a game whose paths do not seem to end."""
    return GameError(f"{game}: a path has more than {DEEPEST:,} moves; is there a cycle?")
