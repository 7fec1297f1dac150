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
from fogtree.game import TERMINAL, Game
from fogtree.game.checks import (
    checked_child,
    checked_edges,
    checked_player,
    checked_players,
    checked_root,
)

DEEPEST = 10_000
"""A path longer than this is taken for a cycle."""

GROUPS, PATHS = 20, 25
DOUBT = 1e-6
"""Probability that the lower bound is wrong, for each of the group means it is computed from."""


@dataclass(frozen=True, slots=True)
class SizeGuess:
    """An estimate of the number of histories: ``mean`` is unbiased."""

    mean: float
    lower_bound: float


def guess_size(
    game: Game, *, groups: int = GROUPS, paths: int = PATHS, enough: float = math.inf
) -> SizeGuess:
    """Estimate a game's size from ``groups`` times ``paths`` random games, which are the same for
    the same game. A path ends when its estimate is ``enough``; so the bound stays a lower bound,
    and only the mean is too small."""
    luck, players = random.Random(1975), checked_players(game)
    # Lists, because a generator would turn a game's StopIteration into another error.
    means = sorted(
        [
            math.fsum([_path(game, players, luck, enough) for _ in range(paths)]) / paths
            for _ in range(groups)
        ]
    )
    bounds = [mean / _excess_factor(groups, below) for below, mean in enumerate(means)]
    return SizeGuess(math.fsum(means) / groups, max(bounds))


def _excess_factor(groups: int, below: int) -> float:
    """The factor f such that all groups but ``below`` exceed f times the true size with at most
    probability DOUBT."""
    return math.exp(math.log(math.comb(groups, below) / DOUBT) / (groups - below))


def _path(game: Game, players: int, luck: random.Random, enough: float) -> float:
    """The estimate of the number of histories from one random path."""
    state, width, total = checked_root(game), 1.0, 1.0
    for _ in range(DEEPEST + 1):
        mover = checked_player(game, state.player, players)
        if mover == TERMINAL or total > enough:
            return total
        choices = checked_edges(game, state, mover)
        width = min(width * len(choices), 1e300)
        total += width
        state = checked_child(game, state, luck.choice(choices))
    raise too_deep_error(game)


def too_deep_error(game: Game) -> GameError:
    """The error for a game whose paths do not seem to end."""
    return GameError(f"{game}: a path has more than {DEEPEST:,} moves; is there a cycle?")
