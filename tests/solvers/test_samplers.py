"""Every walk that could happen, with its probability: the mean must be the exact regret.

The native code that trains is run with a source of chance that goes through all possibilities, so
what is tested is what is used. The exact counterfactual regrets come from the sequence-form engine.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

from fogtree import CHANCE, TERMINAL, Game, State, _core, compile
from fogtree.evaluate.best_response import measuring_engine
from fogtree.evaluate.inspect import infoset_reach
from fogtree.solvers.samplers import KINDS, Sampler
from tests.support.random_games import RandomGame
from tests.support.regrets import expected_update, random_table, strategy_of

GAMES = (
    "kuhn_poker",
    "matching_pennies",
    "rock_paper_scissors",
    "liars_dice(sides=2)",
    "goofspiel(cards=3)",
)
UNBIASED = [kind for kind in KINDS if kind != "outcome-seed"]
SAMPLERS = {
    **{kind: Sampler(kind) for kind in UNBIASED},
    "outcome, little exploration": Sampler("outcome", exploration=0.05),
    "robust, one action": Sampler("robust", tried=1),
    # A beta so small that actions are really left out.
    "average, few actions": Sampler("average", epsilon=0.3, tau=0.5, beta=0.1),
}


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS.keys())
@pytest.mark.parametrize("spec", GAMES)
def test_mean_is_exact_regret(tree_of, spec, sampler):
    tree = tree_of(spec)
    for player in range(tree.players):
        for seed in (1, 2):
            update, exact = expected_update(tree, sampler, player, seed)
            assert np.abs(update["regret"] - exact).max() < 1e-13
            if spec == "kuhn_poker":
                assert update["walks"] >= 6  # one deal each at least
                assert np.abs(exact).max() > 0.1


@pytest.mark.parametrize("kind", UNBIASED)
@pytest.mark.parametrize("seed", range(8))
def test_mean_is_exact_regret_in_random_games(kind, seed):
    tree = compile(RandomGame(seed=seed, players=2 + seed % 2, zero_sum=seed % 2 == 0))
    if tree.slots == 0:
        pytest.skip("nobody decides anything in this game")
    for player in range(tree.players):
        update, exact = expected_update(tree, Sampler(kind), player, seed)
        assert np.abs(update["regret"] - exact).max(initial=0.0) < 1e-13


@dataclass(frozen=True)
class WideGame(Game):
    """A coin that the second mover sees; then both choose once, and neither sees the other."""

    width: int
    first: int
    players: int = 2

    def root(self):
        return WideState(self, ())


@dataclass(frozen=True, slots=True)
class WideState(State):
    game: WideGame
    history: tuple[int, ...]

    @property
    def player(self):
        return (CHANCE, self.game.first, 1 - self.game.first, TERMINAL)[len(self.history)]

    def actions(self):
        return list(range(self.game.width))

    def chance(self):
        return [(0, 0.3), (1, 0.7)]

    def child(self, action):
        return WideState(self.game, (*self.history, action))

    def returns(self):
        value = random.Random(repr(self.history)).uniform(-2, 2)
        return [value, -value]

    def observation(self, player):
        if player == self.game.first:
            return self.history[1:2]
        return (*self.history[:1], *self.history[2:])


WIDTHS = (5, 12, 40)  # the walks have code of their own for up to 8, up to 32 and more actions
ONE_EACH = ("outcome", "outcome-baseline", "outcome, little exploration", "robust, one action")


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("traverser", [0, 1])
def test_mean_is_exact_regret_with_many_actions(name, width, traverser):
    tree = compile(WideGame(width, first=1 - traverser))
    sampler = SAMPLERS[name]
    if name == "average, few actions" and width > 12:
        sampler = replace(sampler, tau=150.0)  # all but a few are tried, or there are 2^40 walks
    update, exact = expected_update(tree, sampler, traverser, seed=width)
    assert np.abs(update["regret"] - exact).max() < 1e-13
    assert np.abs(exact).max() > 0.1
    if name == "average, few actions":
        assert update["walks"] > 4 * width  # some actions are left out


@pytest.mark.parametrize("name", [*ONE_EACH, "chance"])
@pytest.mark.parametrize("width", WIDTHS)
def test_mean_is_exact_regret_of_a_wide_first_move(name, width):
    """With more than one action tried, the second mover would draw after each of them."""
    tree = compile(WideGame(width, first=0))
    update, exact = expected_update(tree, SAMPLERS[name], 0, seed=width)
    assert np.abs(update["regret"] - exact).max() < 1e-13


def test_the_sum_over_a_million_walks_does_not_drift():
    """The bound is one of the estimator: adding up plainly would lose 3e-12 of the probability."""
    tree = compile(WideGame(16, first=1))
    update, exact = expected_update(tree, SAMPLERS["average, few actions"], 0, seed=12)
    assert update["walks"] == 16 * 2**16
    assert update["probability"] == pytest.approx(1.0, abs=1e-14)
    assert np.abs(update["regret"] - exact).max() < 1e-14


@pytest.mark.parametrize("kind", ["outcome", "outcome-baseline"])
def test_mean_is_exact_regret_in_wide_random_games(kind):
    """Outcome sampling has code of its own for up to 4, up to 8 and more actions."""
    widths: set[int] = set()
    for seed in range(12):
        tree = compile(RandomGame(seed=seed, depth=3, widest=12))
        if tree.slots == 0:
            continue
        widths.update(tree.infoset_actions.tolist())
        for player in range(tree.players):
            update, exact = expected_update(tree, Sampler(kind), player, seed)
            assert np.abs(update["regret"] - exact).max(initial=0.0) < 1e-13
    assert widths & {2, 3, 4}
    assert widths & {5, 6, 7, 8}
    assert widths & {9, 10, 11, 12, 13}


@pytest.mark.parametrize("together", [2, 3])
@pytest.mark.parametrize("spec", ["kuhn_poker", "rock_paper_scissors", "liars_dice(sides=2)"])
def test_walks_side_by_side_are_as_many_walks(tree_of, spec, together):
    """Outcome sampling: they share steps and memory, but each adds what it would add alone."""
    tree, options = tree_of(spec), Sampler("outcome").options()
    for player in range(tree.players):
        table = random_table(tree, 1)
        one = _core.expected_update(tree.flat, options, player, *table)
        many = _core.expected_update(tree.flat, options, player, *table, together)
        assert many["walks"] == one["walks"] ** together
        for name in ("regret", "average"):
            assert np.abs(one[name]).max() > 0.05
            assert np.abs(many[name] - together * one[name]).max() < 1e-13


def test_other_samplers_walk_alone(tree_of):
    tree, options = tree_of("kuhn_poker"), Sampler("external").options()
    with pytest.raises(ValueError, match="at a time"):
        _core.expected_update(tree.flat, options, 0, *random_table(tree, 1), 2)


@pytest.mark.parametrize("spec", ["kuhn_poker", "liars_dice(sides=2)"])
def test_the_simplified_formula_is_biased(tree_of, spec):
    """What ``mccfr-outcome-seed`` gets wrong is no small matter: whole signs are."""
    tree = tree_of(spec)
    update, exact = expected_update(tree, Sampler("outcome-seed"), 0, 1)
    assert np.abs(update["regret"] - exact).max() > 0.1
    matters = np.abs(exact) > 0.01
    assert (np.sign(update["regret"]) != np.sign(exact))[matters].any()


@pytest.mark.parametrize("sampler", SAMPLERS.values(), ids=SAMPLERS.keys())
def test_mean_of_averages_is_own_reach(tree_of, sampler):
    """Averages grow with the player's own reach times something that no strategy changes."""
    tree = tree_of("kuhn_poker")
    chance = infoset_reach(tree, np.ones(tree.slots))[1]  # everybody does everything
    for player in range(tree.players):
        for seed in (1, 2):
            regret, average, baseline = random_table(tree, seed)
            slots = strategy_of(tree, regret)
            # Chance sampling averages where the traverser moves, the others where it does not.
            traverser = player if sampler.kind == "chance" else 1 - player
            update = _core.expected_update(
                tree.flat, sampler.options(), traverser, regret, average, baseline
            )
            engine = measuring_engine(tree)
            engine.set_strategy(slots)
            mine = tree.infoset_player[tree.slot_infoset] == player
            expected = engine.reach(player) * chance[tree.slot_infoset]
            assert update["average"][mine] == pytest.approx(expected[mine], abs=1e-13)
