"""Networks in JAX, on the CPU: the same samples as the native engine's, up to rounding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fogtree import _core, load_game
from fogtree.deep.engine import NativeEngine, prepare
from fogtree.deep.network import Network
from fogtree.deep.traversal import Task, Walks
from fogtree.games.cambia.game import Cambia

pytest.importorskip("jax")

METHODS = ("external", "outcome", "robust", "escher", "rollout", "value", "selfplay")


def networks_for(game, count: int) -> list[Network]:
    made = []
    for seed in range(count):
        network = Network.make((game.feature_count, 32, 32, game.action_count), (seed,))
        weight, bias = network.layers[-1]
        dice = np.random.default_rng(seed)
        head = dice.normal(size=weight.shape).astype(np.float32)
        made.append(Network((*network.layers[:-1], (head, bias))))
    return made


def both(engine_pair, walks, networks, value, traversals):
    task = Task(walks, networks, value, traverser=1, traversals=traversals, iteration=2, seed=3)
    return [engine.traverse(task).arrays() for engine in engine_pair]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("different", [False, True])
def test_cambia_as_on_the_processor(method, different):
    from fogtree.deep.accelerator import AcceleratorEngine

    turns = 2 if method == "external" else 5
    game = _core.DeepCambia(Cambia(profile="training", max_turns=turns).native_rules)
    networks = networks_for(game, 2) if different else networks_for(game, 1) * 2
    value = None
    if method in ("escher", "outcome"):
        outputs = 1 if method == "escher" else game.action_count
        value = Network.make((game.history_feature_count, 16, outputs), (7,))
    pair = (
        NativeEngine(game, 1),
        AcceleratorEngine(game, 2, accelerator=False, groups=3, batch=16),
    )
    depth = 6 if method == "robust" else 0
    walks = Walks(method=method, exploration=0.5, depth=depth)
    native, other = both(pair, walks, networks, value, 90)
    assert pair[1].times.batches > 3
    assert other.keys() == native.keys()
    for name, found in native.items():
        assert other[name] == pytest.approx(found, rel=1e-4, abs=1e-4), name


@pytest.mark.parametrize("spec", ["kuhn_poker", "leduc_poker"])
def test_trees_as_on_the_processor(spec):
    from fogtree.deep.accelerator import AcceleratorEngine

    prepared = prepare(load_game(spec))
    game = prepared.engine.game
    networks = networks_for(game, 2)
    pair = prepared.engine, AcceleratorEngine(game, 1, prepared.tree, accelerator=False, batch=32)
    native, other = both(pair, Walks(method="external"), networks, None, 60)
    for name, found in native.items():
        assert other[name] == pytest.approx(found, rel=1e-4, abs=1e-4), name


@pytest.mark.parametrize(
    ("precision", "error"), [("float32", 1e-5), ("tensorfloat32", 1e-2), ("bfloat16", 5e-2)]
)
def test_outputs_of_every_precision(precision, error):
    """The wanted outputs of two sections, each with its own rows, by two players' networks."""
    from fogtree.deep.accelerator import AcceleratorEngine

    game = _core.DeepCambia(Cambia(profile="training", max_turns=5).native_rules)
    engine = AcceleratorEngine(game, accelerator=False, precision=precision)
    networks = networks_for(game, 2)
    dice = np.random.default_rng(3)
    codes = dice.integers(0, 3, (12, game.code_bytes)).astype(np.uint8)
    players = dice.integers(0, 2, 12).astype(np.uint8)
    wanted = np.stack([dice.integers(0, 6, 40), dice.integers(0, game.action_count, 40)], axis=1)
    none = codes[:0]
    layers = [engine._layers(networks), []]
    questions = codes, players, wanted.astype(np.uint16), none, wanted[:0].astype(np.uint16)
    (found,) = engine.ask(questions, layers, 2)
    outputs = np.stack([network.forward(game.decode(codes)) for network in networks])
    rows = wanted[:, 0] + np.where(np.arange(40) < 20, 0, 6)
    expected = outputs[players[rows], rows, wanted[:, 1]]
    assert np.asarray(found) == pytest.approx(expected, abs=error * float(np.abs(expected).max()))


def test_training_with_walks_that_ask_a_device():
    """The first iteration asks nobody and is the same; later ones differ by rounding only."""
    from fogtree.deep.config import options_from
    from fogtree.deep.train import train
    from tests.support.training import KUHN, same_networks

    def trained(inference, iterations):
        walks = {**KUHN["traversal"], "inference": inference}
        run = {**KUHN["run"], "iterations": iterations}
        return train(
            load_game("kuhn_poker"), options_from({**KUHN, "run": run, "traversal": walks})
        )

    first, again = trained("native", 1), trained("device", 1)
    assert same_networks(first.policy, again.policy)
    assert trained("device", 8).exploitability < first.exploitability / 3


@pytest.mark.slow
def test_leduc_as_well_by_a_device():
    from fogtree.deep.config import options_from
    from fogtree.deep.train import train

    def trained(inference):
        fit = {"steps": 200, "batch": 512, "learning_rate": 3e-3}
        told = {
            "run": {"iterations": 20},
            "traversal": {"traversals": 400, "inference": inference, "device_batch": 512},
            "network": {"hidden": [32, 32]},
            "regret": fit,
            "average": {**fit, "steps": 1000},
            "evaluation": {"interval": 0},
        }
        return train(load_game("leduc_poker"), options_from(told)).exploitability

    native, device = trained("native"), trained("device")
    assert device < 0.45
    assert device == pytest.approx(native, rel=0.15)


def test_samples_on_a_device_are_those_in_memory():
    """Cambia by every part that an accelerator uses, against the processor's own."""
    from fogtree.deep.accelerator import AcceleratorEngine
    from fogtree.deep.config import options_from
    from fogtree.deep.fitting import NumpyBackend
    from fogtree.deep.jax_backend import JaxBackend
    from fogtree.deep.pipelined import PipelinedTrainer

    game = Cambia(profile="training", max_turns=4)
    native = _core.DeepCambia(game.native_rules)
    fit = {"steps": 20, "batch": 64, "capacity": 300, "fresh": False}
    options = options_from(
        {
            "run": {"pipelined": True},
            "traversal": {"sampling_method": "escher", "traversals": 30},
            "network": {"hidden": [16], "value_hidden": [16]},
            "regret": fit,
            "average": fit,
            "value": fit,
        }
    )
    afar = AcceleratorEngine(native, 2, accelerator=False, groups=2, batch=16)
    parts = (
        (NativeEngine(native), NumpyBackend()),
        (afar, JaxBackend(accelerator=False, program=8)),
    )
    near, other = (
        PipelinedTrainer(replace(prepare(game), engine=engine), options, backend)
        for engine, backend in parts
    )
    for trainer in (near, other):
        trainer.iterate()
    for name, samples in near.samples().items():
        found = other.samples()[name]
        assert found.on_device
        for column in ("codes", "actions", "weights", "iteration"):
            assert np.array_equal(samples[column], found[column]), (name, column)
    other.iterate()
    assert np.isfinite(list(other.counters.losses.values())).all()
    other.restore(near.state())  # fits draw other rows: what follows is of the same networks
    for trainer in (near, other):
        trainer.iteration += 1
        for collected in (trainer._play_for_values(0), trainer._walk(0)):
            trainer._store(collected)
    state = other.state()
    for name, rows in near.state().items():
        if name.startswith("samples/") or name == "nodes":
            assert state[name] == pytest.approx(rows, rel=1e-3, abs=1e-3), name


@pytest.mark.parametrize("method", ["escher", "rollout", "selfplay"])
@pytest.mark.parametrize("spec", ["dark_hex(rows=3)", "liars_dice(dice=2, sides=5)"])
def test_games_whose_histories_have_other_inputs(spec, method):
    from fogtree.deep.accelerator import AcceleratorEngine

    game = prepare(load_game(spec)).engine.game
    networks = networks_for(game, 2)
    value = None
    if method == "escher":
        value = Network.make((game.history_feature_count, 16, 1), (7,))
    pair = NativeEngine(game, 1), AcceleratorEngine(game, 2, accelerator=False, groups=3, batch=16)
    native, other = both(pair, Walks(method=method, exploration=0.5), networks, value, 90)
    for name, found in native.items():
        assert other[name] == pytest.approx(found, rel=1e-4, abs=1e-4), name
