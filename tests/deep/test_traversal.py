"""The readable traversal against the native one: means of what both sample, within their error."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree import _core, load_game
from fogtree.deep.encoding import encode_tree
from fogtree.deep.engine import NativeEngine, PythonEngine, native_options, native_tree, prepare
from fogtree.deep.network import Network
from fogtree.deep.traversal import Task, Walks
from fogtree.deep.validator import validate
from fogtree.deep.walkable import TreeGame
from fogtree.games.cambia.walkable import WalkableCambia

CASES = {
    "external": Walks("external"),
    "external, cut": Walks("external", depth=2),
    "robust": Walks("robust", tried=1),
    "outcome": Walks("outcome", exploration=0.5),
    "rollout": Walks("rollout", exploration=0.5),
    "escher": Walks("escher", exploration=0.5),
}


def random_network(seed, *sizes):
    dice = np.random.default_rng(seed)
    layers = Network.make(sizes, (seed,)).layers
    last = (dice.normal(size=layers[-1][0].shape) / 4).astype(np.float32)
    return Network((*layers[:-1], (last, layers[-1][1])))


@pytest.fixture(scope="module")
def table(tree_of):
    tree = tree_of("kuhn_poker")
    return TreeGame(tree, encode_tree(load_game("kuhn_poker"), tree))


def slot_sums(table, rows):
    """Per walk: weighted targets by slot, summed."""
    tree = table.tree
    infoset = np.ascontiguousarray(rows["regret_codes"]).view("<i4").reshape(-1)
    sums = np.zeros(tree.slots)
    for number, targets, weight in zip(
        infoset, rows["regret_targets"], rows["regret_weights"], strict=True
    ):
        first, last = tree.first_slot[number], tree.first_slot[number + 1]
        sums[first:last] += weight * targets[: last - first]
    return sums


@pytest.mark.parametrize("name", CASES)
def test_samples_have_the_native_mean(table, name):
    walks = CASES[name]
    networks = [random_network(p, table.feature_count, 16, table.action_count) for p in (1, 2)]
    value = random_network(3, table.history_feature_count, 16, table.action_count)
    value = value if walks.method == "escher" else None
    game = native_tree(table.tree, table, True)
    exact = _core.deep_expectation(
        game,
        native_options(walks),
        [network.native() for network in networks],
        None if value is None else value.native(),
        0,
    )["regret"]
    engine, parts = PythonEngine(table), []
    for part in range(40):
        task = Task(walks, networks, value, traverser=0, traversals=25, iteration=part, seed=5)
        rows = engine.traverse(task).arrays()
        parts.append(slot_sums(table, rows) / 25)
    error = np.std(parts, axis=0) / np.sqrt(len(parts))
    assert (np.abs(np.mean(parts, axis=0) - exact) <= 5 * error + 1e-4).all()
    assert np.abs(exact).max() > 0.01


def test_vectors_tell_every_information_set_apart():
    for spec in ("kuhn_poker(players=3)", "leduc_poker", "goofspiel(cards=3)"):
        game = load_game(spec)
        prepared = prepare(game)
        vectors = prepared.tree.features
        mover = prepared.tree.tree.infoset_player.astype(np.float32)[:, None]
        assert len(np.unique(np.hstack([mover, vectors]), axis=0)) == len(vectors)


def test_a_games_own_features_are_used():
    class Own(type(load_game("kuhn_poker"))):
        def features(self, view):
            return [float("JQK".index(str(view)[0])), float(len(str(view)))]

    prepared = prepare(Own())
    number = prepared.tree.tree.infoset("Qcb")
    assert prepared.tree.features[number].tolist() == [1.0, 3.0]
    assert prepare(Own(), own_features=False).tree.feature_count > 2


def test_cambia_is_walked_the_same_by_both():
    """Uniform play: the mean length and the mean mix of both engines' games agree."""
    game = load_game("cambia(max_turns=4)")
    python = PythonEngine(WalkableCambia(game))
    native = NativeEngine(_core.DeepCambia(game.native_rules))
    walks = Walks("outcome", exploration=1.0)
    task = Task(walks, [], None, traverser=1, traversals=300, iteration=1, seed=2)
    found = [engine.traverse(task).arrays() for engine in (python, native)]
    nodes = [rows["nodes"] / 300 for rows in found]
    assert nodes[0] == pytest.approx(nodes[1], rel=0.1)
    means = [
        rows_engine.game.decode(rows["strategy_codes"]).mean(axis=0)
        for rows_engine, rows in zip((python, native), found, strict=True)
    ]
    assert means[0] == pytest.approx(means[1], abs=0.1)


@pytest.mark.parametrize("kind", ["python", "native"])
def test_validator(kind):
    prepared = prepare(load_game("kuhn_poker"), engine=kind)
    networks = [
        random_network(p, prepared.engine.game.feature_count, 16, prepared.engine.game.action_count)
        for p in (1, 2)
    ]
    found = validate(
        prepared.engine, networks, depth=8, traversals=400, iteration=1, seed=3, mix=False
    )
    assert found.traversals == 800
    assert 0 < found.mean_regret <= found.max_regret <= 4
    assert 0 <= found.strategy_entropy <= np.log(2)
    assert found.total_nodes > 800
    uniform = validate(prepared.engine, [], depth=8, traversals=50, iteration=1, seed=3)
    assert uniform.strategy_entropy == pytest.approx(np.log(2))
