"""Method ``mmd``: exact updates against tabular mirror descent and equilibria, and training."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fogtree import Strategy, exploitability, load_game
from fogtree.deep.config import MIRROR_DESCENT, PolicyOptions, default_options, options_from
from fogtree.deep.fitting import Data, NumpyBackend
from fogtree.deep.mirror_descent import policy_fit
from fogtree.deep.network import Network
from fogtree.deep.policy_loss import anchors
from fogtree.deep.train import train
from fogtree.errors import FileFormatError, OptionError
from tests.support.action_values import exact_action_values
from tests.support.training import same_networks, small

MMD = {
    "run": {"method": "mmd", "average": "last"},
    "policy": {"steps": 3, "batch": 32},
}


def exact_run(tree, iterations, magnet_weight, step):
    """Policies of tables that descend the loss with exact advantages, one weight per slot; the
    network's outputs are the logits of all slots of an information set with equally many actions.
    """
    actions = tree.infoset_actions
    assert len(set(actions)) == 1, "a test for games with equally many actions everywhere"
    count, width = len(actions), int(actions[0])
    network = Network(
        ((np.zeros((width, count), dtype=np.float32), np.zeros(width, dtype=np.float32)),)
    )
    codes = np.arange(count, dtype="<i4").view(np.uint8).reshape(count, 4)
    inputs = np.eye(count, dtype=np.float32)
    slots = np.full(tree.slots, 1.0 / width)
    for t in range(1, iterations + 1):
        values = exact_action_values(tree, slots)
        mean = np.add.reduceat(slots * values, tree.first_slot[:-1])
        played = slots.reshape(count, width).astype(np.float32)
        weight, inverse = magnet_weight(t), 1.0 / step(t)
        data = Data(
            codes,
            lambda some: inputs[np.ascontiguousarray(some).view("<i4").reshape(-1)],
            np.tile(np.arange(width, dtype=np.int16), (count, 1)),
            (values - mean[tree.slot_infoset]).reshape(count, width).astype(np.float32),
            np.ones(count, dtype=np.float32),
            played=played,
            anchors=anchors(played, None, weight, inverse),
        )
        options = PolicyOptions(steps=60, learning_rate=0.03, gradient_clip=0.0, ratio_clip=0.0)
        fit = replace(policy_fit(options, weight + inverse), decay=True)
        network = NumpyBackend().fit(network, data, fit, (t,)).network
        outputs = network.forward(inputs)
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        slots = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float64).reshape(-1)
    return slots


def test_exact_values_lead_to_the_quantal_response_equilibrium(tree_of):
    """A fixed weight of the entropy: every policy becomes the softmax of its own values."""
    tree = tree_of("kuhn_poker")
    slots = exact_run(tree, 150, lambda _: 0.2, lambda _: 0.5)
    values = exact_action_values(tree, slots)
    powers = np.exp(
        values / 0.2 - np.maximum.reduceat(values / 0.2, tree.first_slot[:-1])[tree.slot_infoset]
    )
    quantal = powers / np.add.reduceat(powers, tree.first_slot[:-1])[tree.slot_infoset]
    assert slots == pytest.approx(quantal, abs=0.02)
    assert np.abs(slots - 0.5).max() > 0.3  # which is not uniform play


def test_exact_values_with_annealing_lead_to_equilibrium(tree_of):
    """The weight falls as in the tabular experiments of the paper."""
    tree = tree_of("kuhn_poker")
    found = [
        exploitability(tree, Strategy.of(tree, exact_run(tree, n, *_ANNEALED))).exploitability
        for n in (20, 200)
    ]
    assert found[1] < found[0] / 2
    assert found[1] < 0.03


_ANNEALED = (lambda t: t**-0.5, lambda t: t**-0.5)


def test_kuhn_is_learnt_by_self_play():
    options = {
        "run": {"method": "mmd", "iterations": 150},
        "traversal": {"traversals": 2000},
        "value": {"steps": 10},
        "policy": {"steps": 15, "learning_rate": 3e-3},
    }
    run = train("kuhn_poker", options)
    assert run.exploitability < 0.1
    assert run.policy.mix
    assert len(run.policy.networks) == 1


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"run": {"method": "mmd", "average": "single"}},
        {"policy": {"steps": 3, "batch": 32, "magnet_interval": 1}},
        {"policy": {"steps": 3, "batch": 32, "magnet_interval": 3}},
    ],
)
def test_resumed_run_is_the_undisturbed_one(tmp_path, sections):
    game, made = load_game("kuhn_poker"), {**MMD, **sections}
    whole = train(game, small(**made), folder=tmp_path / "whole")
    short = {**made, "run": {**made["run"], "iterations": 2}}
    train(game, small(**short), folder=tmp_path / "parts")
    resumed = train(game, small(**made), folder=tmp_path / "parts", resume=True)
    assert same_networks(whole.policy, resumed.policy)
    assert resumed.iterations == 4
    assert resumed.exploitability == whole.exploitability


def test_a_damaged_state_is_refused():
    from fogtree.deep.engine import prepare
    from fogtree.deep.mirror_descent import MirrorDescentTrainer

    def make():
        prepared = prepare("kuhn_poker", values=False)
        return MirrorDescentTrainer(prepared, small(**MMD), NumpyBackend(1))

    trainer = make()
    trainer.iterate()
    state = trainer.state()
    make().restore(state)
    for name, value in (
        ("return_scale", np.array(0.0)),
        ("return_scale", np.array(np.nan)),
        ("policy/0/weight0", state["policy/0/weight0"][:1]),
        ("magnet/0/weight0", state["policy/0/weight0"]),
    ):
        with pytest.raises(FileFormatError):
            make().restore({**state, name: value})
    with pytest.raises(FileFormatError, match="return_scale"):
        make().restore({key: part for key, part in state.items() if key != "return_scale"})


def test_full_size_cambia_is_trained_with_one_network():
    options = small(**MMD, network={"hidden": [8], "value_hidden": [8]}, evaluation={"interval": 0})
    run = train("cambia(max_turns=4)", options)
    assert run.iterations == 4
    assert len(run.policy.networks[0]) == 1
    assert run.exploitability is None


def test_workers_change_nothing():
    runs = [train("leduc_poker", small(**MMD), workers=workers) for workers in (1, 3)]
    assert same_networks(runs[0].policy, runs[1].policy)


def test_options_of_the_method():
    game = load_game("leduc_poker")
    options = options_from({"run": {"method": "mmd"}}, default_options(game))
    assert options.run.average == "last"
    assert options.network.hidden == (64, 64)
    assert not options.needs_value
    with pytest.raises(OptionError, match="method mmd needs average single or last"):
        options_from({"run": {"method": "mmd", "average": "network"}})
    with pytest.raises(OptionError, match="method dcfr_plus needs average network or single"):
        options_from({"run": {"method": "dcfr_plus", "average": "last"}})
    with pytest.raises(OptionError, match="pipelined needs method deep_cfr"):
        options_from({"run": {"method": "mmd", "pipelined": True}})
    with pytest.raises(OptionError, match="step_size must be above 0"):
        options_from({"policy": {"step_size": 0.0}})


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ({"run": {"method": "mmd"}, "traversal": {"depth": 4}}, r"\[traversal\] depth .* mmd"),
        ({"run": {"method": "mmd"}, "regret": {"steps": 7}}, r"\[regret\] steps .* mmd"),
        (
            {"run": {"method": "deep_cfr"}, "policy": {"steps": 7}},
            r"\[policy\] steps .*deep_cfr",
        ),
    ],
)
def test_options_that_mean_nothing_to_the_method_are_refused(content, named):
    with pytest.raises(OptionError, match=named):
        options_from(content)


def test_all_options_of_a_run_can_be_given_again():
    options = options_from({"run": {"method": "mmd"}, "policy": {"steps": 7}})
    assert options_from(options.to_dict(), options) == options


def test_another_method_keeps_what_was_chosen_before():
    usual = default_options(load_game("leduc_poker"))
    chosen = options_from({"run": {"iterations": 3}, "value": {"steps": 9}}, usual)
    options = options_from({"run": {"method": "mmd"}}, chosen, usual=usual)
    assert (options.run.iterations, options.value.steps) == (3, 9)
    assert options.run.average == "last"
    assert options.policy.steps == MIRROR_DESCENT["policy"]["steps"]
