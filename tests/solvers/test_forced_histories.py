"""Histories without a decision: samplers pass them in one step and count them all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fogtree import CHANCE, TERMINAL, Game, State, compile
from fogtree.errors import OptionError
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.samplers import KINDS, Sampler
from tests.support.regrets import expected_update

Deal = tuple[float, ...]
EVEN: tuple[tuple[Deal, ...], ...] = (((0.5, 0.5),), ((1 / 3,) * 3,) * 2)
UNLIKE: tuple[tuple[Deal, ...], ...] = (((0.5, 0.5),), ((1 / 3,) * 3, (0.5, 0.5)))
UNEVEN: tuple[tuple[Deal, ...], ...] = (((0.5, 0.5),), ((0.2, 0.8), (0.5, 0.5)))
UNEVEN_FIRST: tuple[tuple[Deal, ...], ...] = (((0.25, 0.75),), ((0.5, 0.5),) * 2)
CERTAIN: tuple[tuple[Deal, ...], ...] = (((1.0,),), ((0.4, 0.6),))
DEALS = {
    "even": EVEN,
    "unlike": UNLIKE,
    "uneven": UNEVEN,
    "uneven first": UNEVEN_FIRST,
    "certain": CERTAIN,
}
ENDS = 7  # histories from the start to an end


@dataclass(frozen=True)
class Waiting(Game):
    """Two deals; then 0 waits, 1 guesses, 0 guesses, 1 waits. Each has seen one of the deals."""

    deals: tuple[tuple[Deal, ...], ...]
    players: int = 2

    def root(self):
        return WaitingState(self, ())


@dataclass(frozen=True, slots=True)
class WaitingState(State):
    game: Waiting
    history: tuple[int, ...]

    @property
    def player(self):
        return (CHANCE, CHANCE, 0, 1, 0, 1, TERMINAL)[len(self.history)]

    def actions(self):
        return [0] if len(self.history) in (2, 5) else [0, 1, 2]

    def chance(self):
        deal = self.game.deals[len(self.history)][self.history[0] if self.history else 0]
        return list(enumerate(deal))

    def child(self, action):
        return WaitingState(self.game, (*self.history, action))

    def returns(self):
        first, second, _, guess, answer, _ = self.history
        value = (guess == first) - 2.0 * (answer == second) + 0.5 * (guess == answer)
        return [-value, value, *[0.0] * (self.game.players - 2)]

    def observation(self, player):
        return (len(self.history), self.history[player : player + 1], self.history[3 + player : 4])


@pytest.mark.parametrize("deals", DEALS.values(), ids=DEALS.keys())
@pytest.mark.parametrize("kind", ["external", "outcome", "outcome-baseline", "chance"])
def test_mean_is_exact_regret(kind, deals):
    tree = compile(Waiting(deals))
    for player in range(2):
        update, exact = expected_update(tree, Sampler(kind), player, seed=3)
        assert np.abs(update["regret"] - exact).max() < 1e-13
        assert np.abs(exact).max() > 0.01


@pytest.mark.parametrize("deals", DEALS.values(), ids=DEALS.keys())
@pytest.mark.parametrize("kind", KINDS)
def test_every_history_is_counted(kind, deals):
    """An own decision is followed by one way on, by two of them, or by all three."""
    solver = SampledSolver(compile(Waiting(deals)), f"mccfr-{kind}", batch=100)
    solver.run(200)
    after = {"first": 3, "second": 2}  # histories after each of the decisions
    if kind.startswith("outcome"):
        each = 2 * ENDS
    elif kind == "robust":
        each = 2 * ENDS + after["first"] + after["second"]
    elif kind == "chance":
        each = 2 * (ENDS + 2 * after["first"] + 6 * after["second"])
    else:  # the first batch of average-strategy sampling tries all
        each = 2 * ENDS + 2 * (after["first"] + after["second"])
    if kind != "average":
        assert solver.nodes == 200 * each
    else:
        assert 200 * 2 * ENDS < solver.nodes <= 200 * each


def test_too_many_players_are_told():
    tree = compile(Waiting(EVEN, players=61))
    with pytest.raises(OptionError, match="61 players"):
        SampledSolver(tree)
