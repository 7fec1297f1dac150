"""Batches of traversals: samples that depend on the seed alone, and add up to the exact mean."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import _core
from tests.support.cambia_networks import cambia_game, cambia_networks, options_for
from tests.support.deep_games import Table
from tests.support.networks import random_layers
from tests.support.regrets import exact_regrets

METHODS = ("external", "outcome", "robust", "escher", "rollout", "value", "selfplay")


@pytest.mark.parametrize(
    ("method", "baseline"),
    [
        *((method, False) for method in ("external", "outcome", "robust", "rollout")),
        *((method, True) for method in ("outcome", "robust", "escher")),
    ],
)
def test_decisions_that_are_not_wanted_change_nothing(method, baseline):
    """What is dropped while it is met leaves the rest as it was, and each row has its chance."""
    game = cambia_game(profile="training", max_turns=2 if method == "external" else 8)
    networks = cambia_networks(game)
    value = cambia_networks(game)[0] if baseline else None
    traverser = _core.DeepTraverser(game, options_for(method))
    told = networks, value, 1, 300, 3, 5
    whole = traverser.traverse(*told, 1)
    some = traverser.traverse(*told, 2, (0.1, 0.4))
    assert (some.nodes, some.queries, some.value) == (whole.nodes, whole.queries, whole.value)
    for kind, share in (("regret", 0.1), ("strategy", 0.4)):
        order, count = some.order(kind), whole.count(kind)
        assert some.met(kind) == whole.met(kind) == count
        assert np.array_equal(whole.order(kind), np.arange(count))
        assert len(order) == pytest.approx(share * count, abs=5 * (share * count) ** 0.5)
        for name, column in whole.take(kind, order).items():
            assert np.array_equal(some.take(kind, np.arange(len(order)))[name], column), name
    none = traverser.traverse(*told, 1, (0.0, 0.0))
    assert none.count("regret") == none.count("strategy") == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("players", [2, 3])
def test_threads_change_nothing(method, players):
    turns = 2 if method == "external" else 6
    game = cambia_game(players=players, profile="training", max_turns=turns)
    networks = cambia_networks(game)
    value = cambia_networks(game)[0] if method == "escher" else None
    if method == "escher" and players == 2:
        value = _core.DeepNetwork(random_layers(9, game.feature_count, 32, 1))
    traverser = _core.DeepTraverser(game, options_for(method))
    one, two, again = (
        traverser.traverse(networks, value, 1, 150, 3, 5, threads).tables() for threads in (1, 2, 3)
    )
    for other in (two, again):
        assert one.keys() == other.keys()
        for key, found in one.items():
            assert np.array_equal(found, other[key]), key
    different = traverser.traverse(networks, value, 1, 150, 4, 5, 1).tables()
    name = "value_codes" if method in ("value", "selfplay") else "regret_codes"
    assert not np.array_equal(one[name], different[name])


@pytest.mark.parametrize("method", ["external", "outcome", "robust"])
def test_samples_of_leduc_add_up_to_the_regrets(tree_of, method):
    """Within six standard errors wherever samples are many enough to tell."""
    tree = tree_of("leduc_poker")
    table = Table(tree, 5, method=method, uniform_fallback=True)
    traversals = 100_000 if method == "external" else 60_000
    found = (
        _core.DeepTraverser(table.game, table.options)
        .traverse(table.networks, None, 0, traversals, 0, 1, 2)
        .tables()
    )
    infosets = found["regret_codes"].view("<i4").ravel()
    first = np.concatenate([[0], np.cumsum(tree.infoset_actions)])
    rows, columns = np.nonzero(found["regret_actions"] >= 0)
    slots = first[infosets[rows]] + columns
    terms = (found["regret_targets"] * found["regret_weights"][:, None])[rows, columns]
    # An information set comes up at most once in a traversal of Leduc poker.
    mean = np.bincount(slots, weights=terms, minlength=tree.slots) / traversals
    squares = np.bincount(slots, weights=terms**2, minlength=tree.slots) / traversals
    error = np.sqrt(np.maximum(squares - mean**2, 0.0) / traversals)
    many = np.bincount(slots, minlength=tree.slots) >= 400
    off = np.abs(mean - exact_regrets(tree, table.slots, 0))[many]
    assert many.sum() > 100
    assert np.all(off < 6 * error[many] + 1e-6)
    assert (off / np.maximum(error[many], 1e-9)).mean() < 1.2  # as chance has it: 0.8


def test_rows_are_padded_lists():
    game = cambia_game(max_turns=6)
    found = (
        _core.DeepTraverser(game, options_for("robust")).traverse([], None, 0, 50, 0, 1, 1).tables()
    )
    for name, numbers in (("regret", "targets"), ("strategy", "probabilities")):
        actions, values = found[f"{name}_actions"], found[f"{name}_{numbers}"]
        assert actions.shape == values.shape == (len(found[f"{name}_codes"]), 36)
        legal = actions >= 0
        assert legal.sum(axis=1).min() >= 2
        assert np.all(legal[:, :-1] >= legal[:, 1:])  # a list, then nothing
        assert actions.max() < game.action_count
        assert np.all(values[~legal] == 0)
    uniform = found["strategy_probabilities"].sum(axis=1)
    assert uniform == pytest.approx(1.0, abs=1e-5)
    assert set(found["strategy_players"]) == {1}
    assert found["nodes"] > found["queries"] > 0


@pytest.mark.parametrize("method", ["value", "rollout"])
def test_values_are_returns_of_the_game_that_was_played(method):
    game = cambia_game(max_turns=10)
    networks = cambia_networks(game)
    traverser = _core.DeepTraverser(game, options_for(method))
    found = traverser.traverse(networks, None, 0, 200, 0, 1, 1).tables()
    assert set(np.unique(found["value_returns"])) <= {-1.0, 0.0, 1.0}
    rows = len(found["value_codes"])
    assert rows > 100
    for part in ("actions", "returns", "explored"):
        assert len(found[f"value_{part}"]) == rows
    assert 0 < found["value_explored"].sum() <= 200  # at most the first of a traversal's
    assert (method == "value") == (len(found["regret_weights"]) == 0)


def test_what_does_not_fit_is_refused():
    game = cambia_game()
    traverser = _core.DeepTraverser(game, _core.DeepOptions())
    networks = cambia_networks(game)
    for bad in (
        lambda: traverser.traverse(networks[:1], None, 0, 1, 0, 0, 1),
        lambda: traverser.traverse(networks, None, 2, 1, 0, 0, 1),
        lambda: traverser.traverse(networks, None, 0, 1, 0, 0, 0),
        lambda: traverser.traverse(
            cambia_networks(cambia_game(players=3))[:2], None, 0, 1, 0, 0, 1
        ),
        lambda: _core.DeepOptions(method="nonsense"),
        lambda: cambia_game(earlier_defects=True),
    ):
        with pytest.raises(ValueError):
            bad()
