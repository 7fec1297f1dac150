"""How large a game's tree is, from a few random games through it.

D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29
(1975): one random path guesses the number of nodes without bias, by the product of the choices it
met.

*Deviations:* means of several paths are set against each other for a bound from below. A guess can
exceed f times the truth with probability 1/f at most, because it is never negative; so many groups
exceed it together almost never.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from fogtree.errors import GameError
from fogtree.game import CHANCE, TERMINAL, Game

DEEPEST = 10_000
"""A path longer than this is taken for a cycle."""

GROUPS, PATHS = 20, 25
DOUBT = 1e-6
"""How likely the bound from below may be wrong, at each place where it is read off."""


@dataclass(frozen=True, slots=True)
class SizeGuess:
    """An estimate of the number of histories: ``about`` is unbiased, ``surely`` a lower bound."""

    about: float
    surely: float


def guess_size(game: Game) -> SizeGuess:
    """Estimate a game's size from random games, which are the same for the same game."""
    luck = random.Random(1975)
    means = sorted(
        math.fsum(_path(game, luck) for _ in range(PATHS)) / PATHS for _ in range(GROUPS)
    )
    bounds = [mean / _exceeded(below) for below, mean in enumerate(means)]
    return SizeGuess(math.fsum(means) / GROUPS, max(bounds))


def _exceeded(below: int) -> float:
    """The factor by which the chosen group's mean exceeds the true size with probability DOUBT."""
    above = GROUPS - below
    return math.exp(math.log(math.comb(GROUPS, below) / DOUBT) / above)


def _path(game: Game, luck: random.Random) -> float:
    state, width, total = game.root(), 1.0, 1.0
    for _ in range(DEEPEST + 1):
        if state.player == TERMINAL:
            return total
        if state.player == CHANCE:
            choices = [action for action, probability in state.chance() if probability > 0]
        else:
            choices = list(state.actions())
        width = min(width * len(choices), 1e300)
        total += width
        state = state.child(luck.choice(choices))
    raise too_deep(game)


def too_deep(game: Game) -> GameError:
    return GameError(f"{game}: a path has more than {DEEPEST:,} moves; is there a cycle?")
