"""Random trees with random secrets, made from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from fogtree import (
    CHANCE,
    TERMINAL,
    Game,
    State,
)


@dataclass(frozen=True)
class RandomGame(Game):
    """Who moves depends on depth; who notices what, and payoffs, on a seed."""

    seed: int
    depth: int = 4
    players: int = 2
    zero_sum: bool = True
    ties: bool = False
    widest: int = 3

    def root(self):
        return RandomState(self, (), ((),) * self.players)


@dataclass(frozen=True, slots=True)
class RandomState(State):
    game: RandomGame
    history: tuple[int, ...]
    views: tuple[tuple[object, ...], ...]

    def dice(self, *salt):
        return random.Random(repr((self.game.seed, *salt)))

    @property
    def player(self):
        step = len(self.history)
        if step == self.game.depth:
            return TERMINAL
        return self.dice("mover", step).choice([CHANCE, *range(self.game.players)])

    def actions(self):
        return list(range(2 + self.dice("width", self.player).randrange(self.game.widest - 1)))

    def chance(self):
        weights = [1 + self.dice("chance", self.history, k).randrange(3) for k in range(3)]
        return [(k, w / sum(weights)) for k, w in enumerate(weights)]

    def child(self, action):
        step = len(self.history)
        views = []
        for p, view in enumerate(self.views):
            seen = self.dice("sees", step, p).choice(["all", "parity", "nothing"])
            token = {"all": action, "parity": action % 2, "nothing": None}[seen]
            views.append(view if seen == "nothing" else (*view, token))
        return RandomState(self.game, (*self.history, action), tuple(views))

    def returns(self):
        dice = self.dice("pays", self.history)
        draw = (lambda: dice.randrange(-2, 3)) if self.game.ties else (lambda: dice.uniform(-2, 2))
        values = [float(draw()) for _ in range(self.game.players)]
        return [values[0], -values[0]] if self.game.zero_sum else values

    def observation(self, player):
        return self.views[player]
