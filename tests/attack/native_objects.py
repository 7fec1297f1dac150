"""Small objects of every class of the native core, to call their methods."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

import fogtree
from fogtree import _core
from fogtree.games.cambia.game import Cambia

GAMES = ("kuhn_poker", "matching_pennies", "liars_dice(dice=1,sides=2)")


def flat_arrays(luck: random.Random) -> tuple[Any, ...]:
    """The arguments of the flat tree of a small game."""
    tree = fogtree.compile(luck.choice(GAMES))
    return (
        tree.players, tree.parent, tree.player, tree.action, tree.index, tree.chance,
        tree.view.reshape(-1), tree.payoffs.reshape(-1), tree.infoset_player, tree.infoset_actions,
    )  # fmt: skip


def network(inputs: int, outputs: int) -> _core.DeepNetwork:
    sizes = [inputs, 4, outputs]
    layers = [
        (np.full((b, a), 0.1, dtype=np.float32), np.zeros(b, dtype=np.float32))
        for a, b in pairwise(sizes)
    ]
    return _core.DeepNetwork(layers)


def first_objects() -> Iterator[Any]:
    yield _core.Stop()
    yield from trees()
    yield from cambia()
    yield from chess()


def trees() -> Iterator[Any]:
    schedule = _core.Schedule(
        rule=_core.Rule.predictive, alternating=True, positive_exponent=1.0,
        negative_exponent=1.0, averaging_exponent=2.0, delay=0.0, last=False,
    )  # fmt: skip
    options = _core.SearchOptions()
    yield schedule
    yield options
    yield _core.SearchBudget(steps=5)
    yield _core.SearchBudget(nodes=50, expanders=2)
    for scheme in _core.Scheme:
        constants = _core.SchemeOptions(
            scheme=scheme, exploration=0.6, tried=2, baseline_rate=0.5, epsilon=0.05, tau=1000.0,
            beta=1e6,
        )  # fmt: skip
        yield constants
        yield _core.SamplingPlan(
            scheme=constants, positive_exponent=1.0, negative_exponent=1.0, averaging_exponent=1.0,
            delay=0.0, batch=3, workers=2, seed=1,
        )  # fmt: skip
    plan = _core.SamplingPlan(
        scheme=constants, positive_exponent=1.0, negative_exponent=1.0, averaging_exponent=1.0,
        delay=0.0, batch=3, workers=2, seed=1,
    )  # fmt: skip
    for name in GAMES:
        tree = fogtree.compile(name)
        yield tree.flat
        yield tree.form
        yield _core.Engine32(tree.form, schedule)
        yield _core.Engine64(tree.full_form, schedule, 2, "", 1)
        yield _core.TreeTrainer32(tree.flat, plan)
        yield _core.TreeTrainer64(tree.flat, plan)
        yield _core.hash_table_trainer(tree.flat, plan)
        search = _core.TreeSearch(tree.flat, [0.0] * len(tree.parent), options, 0)
        search.decide(_core.SearchBudget(steps=5))
        yield search
        yield from deep_tree(tree)
    yield _core.simulated_liars_dice(1, 2)


def deep_tree(tree: fogtree.GameTree) -> Iterator[Any]:
    features = np.eye(len(tree.infoset_player), dtype=np.float32)
    actions = np.zeros(tree.slots, dtype=np.int32)
    histories = np.ones((len(tree.parent), 3), dtype=np.float32)
    game = _core.DeepTree(tree.flat, features, actions, 2, histories)
    yield game
    yield network(len(tree.infoset_player), 2)
    yield network(3, 1)
    for method in ("external", "outcome", "escher"):
        yield _core.DeepOptions(method=method)
    traverser = _core.DeepTraverser(game, _core.DeepOptions())
    yield traverser
    yield traverser.traverse([], None, 0, 3, 1, 1)
    yield traverser.begin(traverser=0, traversals=3, iteration=1, seed=1, walks=4)


def cambia() -> Iterator[Any]:
    rules = Cambia().native_rules
    small = _core.CambiaRules(
        players=3, deck=list(range(0, 54, 2)), hand=2, looks=1, penalty=1, max_turns=4,
        cambia_from_round=0, draw_discard=True, opponent_snap=True, replace_abilities=True,
        lock_caller=False, snap_always=True, show_wrong_snap=True, earlier_defects=False,
    )  # fmt: skip
    two = _core.CambiaRules(
        players=2, deck=list(range(0, 12)), hand=1, looks=1, penalty=1, max_turns=2,
        cambia_from_round=0, draw_discard=True, opponent_snap=False, replace_abilities=False,
        lock_caller=True, snap_always=False, show_wrong_snap=True, earlier_defects=False,
    )  # fmt: skip
    for table in (rules, small, two):
        yield table
        position = _core.CambiaPosition.first(table)
        while position.player == -1:
            position = position.child(position.chance()[0][0])
        yield position
        yield _core.CambiaBelief(table, 0)
        yield _core.CambiaTreeBuilder(table)
        game = _core.DeepCambia(table)
        yield game
        yield network(game.feature_count, game.action_count)
        yield network(game.history_feature_count, 1)
        yield _core.DeepTraverser(game, _core.DeepOptions(method="outcome"))
    search = _core.CambiaSearch(rules, _core.SearchOptions(), 0)
    belief = _core.CambiaBelief(rules, 0)
    search.move_to(belief, 2, 2, 1)
    search.decide(_core.SearchBudget(steps=3))
    yield search
    yield [root.state for root in search.roots()]
    yield _core.DeepContestant.scripted("greedy")
    yield _core.simulated_cambia(two, "")


def chess() -> Iterator[Any]:
    sight = _core.FogChessSight()
    rules = _core.FogChessEvaluatorRules(sight, 0.0)
    start = _core.FogChessPosition()
    simple = _core.FogChessSimpleEvaluator()
    yield sight
    yield rules
    yield simple
    for fen in (start.fen, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "8/8/8/8/8/8/8/K7 w - - 0 1"):
        position = _core.FogChessPosition(fen)
        yield position
        yield position.observation(0)
        yield _core.FogChessBelief.of([position], 0, sight, cap=100, seed=1, threads=1)
    search = _core.FogChessSearch(simple, rules, _core.SearchOptions(), 0, start)
    search.decide(_core.SearchBudget(steps=3))
    yield search
