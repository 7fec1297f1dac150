"""Training: strength on games that are solved exactly, saving, killing, going on, bad options."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import fogtree.deep.train as train_module
from fogtree import compile, exploitability, load_game
from fogtree.cli import main
from fogtree.deep.checkpoint import TrainingManifest
from fogtree.deep.config import TrainingOptions, default_options, options_from, read_options
from fogtree.deep.fitting import NumpyBackend
from fogtree.deep.network import Network
from fogtree.deep.policy import Policy
from fogtree.deep.train import train
from fogtree.errors import FileFormatError, FogtreeError, OptionError, TrainingError
from tests.support.manifests import change_manifest
from tests.support.processes import HANGS
from tests.support.training import KUHN, same_networks, small

KILLS = int(os.environ.get("FOGTREE_KILLS", "2"))


def test_kuhn_is_learnt():
    run = train(load_game("kuhn_poker"), options_from(KUHN))
    assert run.exploitability <= 0.02


def test_kuhn_by_its_default_options():
    shorter = {"run": {"iterations": 30}, "traversal": {"traversals": 2000}}
    run = train("kuhn_poker", shorter)
    assert run.exploitability <= 0.02
    assert len(run.policy.networks) == 30


def test_kuhn_by_stored_networks():
    options = options_from({**KUHN, "run": {"iterations": 25, "average": "single"}})
    run = train(load_game("kuhn_poker"), options)
    assert run.exploitability <= 0.03
    assert len(run.policy.networks) == 25


@pytest.mark.parametrize("method", ["outcome", "robust", "escher", "rollout"])
def test_other_methods_learn(method, tree_of):
    tree = tree_of("kuhn_poker")
    walks = {
        "traversals": 300,
        "sampling_method": method,
        "value_traversals": 3000,  # each has a row or two, and they must be of late strategies
        "value_exploration": 0.3,
    }
    options = options_from({**KUHN, "run": {"iterations": 15}, "traversal": walks})
    run = train(load_game("kuhn_poker"), options)
    from fogtree import Strategy

    uniform = exploitability(tree, Strategy.uniform(tree)).exploitability
    assert run.exploitability < uniform / 3


@pytest.mark.slow
def test_leduc_is_learnt():
    options = options_from(
        {
            **KUHN,
            "run": {"iterations": 50},
            "traversal": {"traversals": 1000},
            "regret": {"steps": 300, "batch": 512, "learning_rate": 3e-3},
            "average": {"steps": 2000, "batch": 512, "learning_rate": 3e-3},
        }
    )
    assert train(load_game("leduc_poker"), options).exploitability <= 0.3


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"run": {"average": "single"}},
        {"run": {"method": "dcfr_plus"}},
        {"run": {"method": "dcfr_plus", "average": "single"}, "regret": {"fresh": False}},
        {"traversal": {"sampling_method": "escher"}},
        {"regret": {"fresh": False}, "average": {"fresh": False}, "storage": {"samples": "disk"}},
    ],
)
def test_resumed_run_is_the_undisturbed_one(tmp_path, sections):
    game = load_game("kuhn_poker")
    whole = train(game, small(**sections), folder=tmp_path / "whole")
    run = {**sections.get("run", {}), "iterations": 2}
    train(game, small(**{**sections, "run": run}), folder=tmp_path / "parts")
    resumed = train(game, small(**sections), folder=tmp_path / "parts", resume=True)
    assert same_networks(whole.policy, resumed.policy)
    assert resumed.iterations == 4
    assert resumed.exploitability == whole.exploitability
    lines = (tmp_path / "parts" / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["iteration"] for line in lines] == [1, 2, 3, 4]
    saved = Policy.load(tmp_path / "parts" / "policy.npz")
    assert same_networks(saved, whole.policy)


def test_a_run_made_longer_is_as_if_it_had_been_so_from_the_start(tmp_path):
    """The average is fitted at the end too, where it would not be on the way."""
    game = load_game("kuhn_poker")
    made = partial(small, average={"fresh": False}, evaluation={"interval": 3})
    whole = train(game, made())
    train(game, made(run={"iterations": 2}), folder=tmp_path)
    longer = train(game, made(), folder=tmp_path, resume=True)
    assert same_networks(whole.policy, longer.policy)


TRAINING = """
import sys
from pathlib import Path
from tests.support.training import small
from fogtree import load_game
from fogtree.deep.train import train
folder, iterations, method = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
average = "last" if method == "mmd" else "network"
options = small(run={"iterations": iterations, "method": method, "average": average})
print("ready", flush=True)
train(load_game("kuhn_poker"), options, folder=folder, resume=(folder / "manifest.json").exists())
"""


def start(folder, iterations, method="deep_cfr"):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    child = subprocess.Popen(
        [sys.executable, "-c", TRAINING, str(folder), str(iterations), method],
        stdout=subprocess.PIPE,
        env=environment,
    )
    child.stdout.readline()
    return child


def saved_iteration(folder):
    manifest = folder / "manifest.json"
    return json.loads(manifest.read_text())["iteration"] if manifest.exists() else 0


@pytest.mark.parametrize("method", ["deep_cfr", "mmd"])
def test_killed_at_random_moments(tmp_path, method):
    dice, folder, done = random.Random(4), tmp_path / "run", 0
    for _ in range(KILLS):
        child = start(folder, 10**6, method)
        deadline = time.monotonic() + HANGS
        while saved_iteration(folder) <= done and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(dice.uniform(0, 0.3))
        assert child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.wait()
        before, done = done, saved_iteration(folder)
        assert done > before  # it went on from there
    assert start(folder, done + 5, method).wait() == 0
    assert start(tmp_path / "whole", done + 5, method).wait() == 0
    assert same_networks(
        Policy.load(folder / "policy.npz"), Policy.load(tmp_path / "whole" / "policy.npz")
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_asked_to_stop_it_saves(tmp_path, number):
    child = start(tmp_path / "run", 10**6)
    deadline = time.monotonic() + HANGS
    while not (tmp_path / "run" / "manifest.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)
    child.send_signal(number)
    assert child.wait(timeout=HANGS) == {signal.SIGINT: 0, signal.SIGTERM: 143}[number]
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["iteration"] > 0
    assert (tmp_path / "run" / "policy.npz").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[traversal]\ntravesals = 3\n", "did you mean 'traversals'?"),
        ("[travesal]\ntraversals = 3\n", "did you mean 'traversal'?"),
        ("[traversal]\ntraversals = 'many'\n", "traversals must be a whole number, not 'many'"),
        ("[traversal]\nsampling_method = 'extern'\n", "did you mean 'external'?"),
        ("[network]\nhidden = 64\n", "hidden must be a list"),
        ("[regret]\nsteps = true\n", "steps must be a whole number"),
        ("[run]\niterations = 0\n", "iterations must be at least 1"),
        ("[run\n", "is not TOML"),
    ],
)
def test_bad_options_are_told_in_one_line(tmp_path, capsys, text, says):
    config = tmp_path / "training.toml"
    config.write_text(text)
    folder = tmp_path / "run"
    status = main(["train", "kuhn_poker", "--config", str(config), "--save", str(folder)])
    told = capsys.readouterr().err.strip()
    assert status == 2
    assert says in told
    assert "\n" not in told
    assert not folder.exists()


def test_command(tmp_path, capsys):
    config = tmp_path / "training.toml"
    config.write_text(
        "[run]\niterations = 2\n[network]\nhidden = [8]\n[traversal]\ntraversals = 9\n"
    )
    command = ["train", "kuhn_poker", "--config", str(config), "--save", str(tmp_path / "run")]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["iterations"] == 2
    assert document["exploitability"] > 0
    assert main(command) == 2
    assert "already holds a run" in capsys.readouterr().err
    longer = ["resume", str(tmp_path / "run"), "--iterations", "3", "--json"]
    assert main(longer) == 0
    assert json.loads(capsys.readouterr().out)["iterations"] == 3
    assert main(["exploitability", "kuhn_poker", "-s", str(tmp_path / "run" / "strategy.npz")]) == 0


def test_a_file_for_full_size_cambia_changes_what_it_names_only(tmp_path):
    config = tmp_path / "training.toml"
    config.write_text("[traversal]\ntraversals = 9\n")
    game = load_game("cambia")
    expected = default_options(game)
    options = read_options(config, expected)
    assert options == replace(expected, traversal=replace(expected.traversal, traversals=9))


@pytest.mark.parametrize("workers", [1, 2])
def test_walks_that_do_not_end_are_stopped_before_memory_does(
    tmp_path, monkeypatch, capsys, workers
):
    """Every action is tried everywhere: the first walk alone has more decisions than can be met."""
    monkeypatch.setattr("fogtree.deep.engine.usual_memory", lambda: 20_000_000)
    config = tmp_path / "training.toml"
    config.write_text("[traversal]\nsampling_method = 'external'\n")
    command = ["train", "cambia", "--config", str(config), "--save", str(tmp_path / "run")]
    assert main([*command, "--workers", str(workers)]) == 2
    told = capsys.readouterr().err.strip()
    assert told.endswith("choose another sampling_method")
    assert "\n" not in told


def test_resuming_with_other_options_is_refused(tmp_path):
    game = load_game("kuhn_poker")
    train(game, small(), folder=tmp_path)
    with pytest.raises(OptionError, match=r"\[network\]"):
        train(game, small(network={"hidden": [9]}), folder=tmp_path, resume=True)
    with pytest.raises(OptionError, match="not of leduc"):
        train(load_game("leduc_poker"), small(), folder=tmp_path, resume=True)


def test_tables_of_a_resumed_run_change_what_they_name_only(tmp_path):
    game = load_game("kuhn_poker")
    train(game, small(run={"iterations": 1}), folder=tmp_path)
    run = train(game, {"run": {"iterations": 2}}, folder=tmp_path, resume=True)
    assert run.iterations == 2
    with pytest.raises(OptionError, match="method"):
        train(game, {"run": {"method": "dcfr_plus"}}, folder=tmp_path, resume=True)


def test_cumulative_regrets_need_a_compiled_game_and_turns():
    with pytest.raises(OptionError, match="training needs method deep_cfr or mmd"):
        train("cambia", {"run": {"method": "dcfr_plus", "iterations": 1}})
    with pytest.raises(OptionError, match="pipelined needs method deep_cfr"):
        train("kuhn_poker", {"run": {"pipelined": True}})


def test_damaged_state_is_refused(tmp_path):
    game = load_game("kuhn_poker")
    train(game, small(), folder=tmp_path)
    state = next(tmp_path.glob("state-*.npz"))
    state.write_bytes(state.read_bytes()[:100])
    with pytest.raises(FogtreeError, match="damaged"):
        train(game, None, folder=tmp_path, resume=True)


def test_networks_of_several_sizes_are_no_policy(tmp_path):
    first, second, third = (
        Network.make(sizes, (1,)) for sizes in ([3, 4, 2], [5, 4, 2], [3, 4, 1])
    )
    good, path = Policy.average("kuhn_poker", 2, [first, first]), tmp_path / "policy.npz"
    Policy.load(good.save(path))
    for networks in ((first, second), (first, third)):
        replace(good, networks=(networks,)).save(path)
        with pytest.raises(FileFormatError, match="its parts do not fit together"):
            Policy.load(path)


def test_options_come_back_from_toml(tmp_path):
    config = tmp_path / "training.toml"
    config.write_text("[network]\nhidden = [32, 16]\nshared = true\n[run]\nseconds = 3\n")
    options = read_options(config)
    assert options.network.hidden == (32, 16)
    assert options.network.shared is True
    assert options.run.seconds == 3.0
    assert options.regret == TrainingOptions().regret


def test_manifests_of_versions_without_policies_have_the_fingerprint_they_had(tmp_path):
    train(load_game("kuhn_poker"), small(), folder=tmp_path)
    content = json.loads((tmp_path / "manifest.json").read_text())
    assert "policy" in TrainingManifest.unchanging(content)["options"]
    del content["options"]["policy"]
    assert "policy" not in TrainingManifest.unchanging(content)["options"]


def test_walks_are_fewer_where_they_would_visit_too_many_nodes(tmp_path):
    game = load_game("kuhn_poker")
    free = train(game, small(traversal={"traversals": 1000}, run={"iterations": 1}))
    made = partial(small, traversal={"traversals": 1000, "node_limit": 600})
    bounded = train(game, made(run={"iterations": 1}))
    assert free.nodes > 8000
    assert bounded.nodes == pytest.approx(2 * 600, rel=0.3)  # of both players, with the pilots
    whole = train(game, made())
    train(game, made(run={"iterations": 2}), folder=tmp_path)
    assert same_networks(whole.policy, train(game, made(), folder=tmp_path, resume=True).policy)


def test_as_many_workers_as_you_like(tmp_path):
    """Batches are large enough to be fitted in parts."""
    sections = {
        "run": {"iterations": 2},
        "traversal": {"traversals": 2000, "sampling_method": "escher"},
        "network": {"action_values": True},
        "value": {"batch": 2000, "capacity": 5000},
    }
    runs = [train(load_game("leduc_poker"), small(**sections), workers=n) for n in (1, 3)]
    assert same_networks(runs[0].policy, runs[1].policy)
    assert runs[0].exploitability == runs[1].exploitability


def test_it_tells_what_it_does(monkeypatch):
    """The first fit goes on until somebody has seen it."""
    seen, fit = [], NumpyBackend.fit

    def held(*given):
        deadline = time.monotonic() + HANGS
        while "fitting regrets" not in {moment.doing for moment in seen}:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return fit(*given)

    monkeypatch.setattr(NumpyBackend, "fit", held)
    train(load_game("kuhn_poker"), small(), pulse=seen.append)
    moment = next(moment for moment in seen if moment.doing == "fitting regrets")
    assert moment.iteration == 1
    assert moment.seconds > 0
    assert moment.asked is None


def test_metrics_for_tensorboard(tmp_path):
    pytest.importorskip("tensorboardX")
    options = small(run={"tensorboard": True}, validation={"es_validation_interval": 2})
    train(load_game("kuhn_poker"), options, folder=tmp_path)
    events = b"".join(path.read_bytes() for path in (tmp_path / "tensorboard").iterdir())
    for name in (
        b"loss/regret0",
        b"exploitability",
        b"validation/mean_regret",
        b"nodes_per_second",
    ):
        assert name in events


def pipelined(*, capacity=0, **changes):
    run = {**KUHN["run"], "pipelined": True, **changes}
    options = {**KUHN, "run": run}
    for fit in ("regret", "average") if capacity else ():
        options[fit] = {**KUHN[fit], "capacity": capacity}
    return options_from(options)


def test_pipelined_training_learns():
    """Slower than in turn, as everybody answers what the others did before."""
    found = train(load_game("kuhn_poker"), pipelined(iterations=40))
    assert found.exploitability < 0.07


@pytest.mark.long
@pytest.mark.parametrize(("average", "capacity"), [("network", 0), ("network", 500), ("single", 0)])
def test_a_pipelined_run_resumes_exactly(tmp_path, average, capacity):
    """With small reservoirs most decisions are dropped while they are met."""
    game = load_game("kuhn_poker")
    made = partial(pipelined, average=average, capacity=capacity)
    whole = train(game, made(iterations=7))
    for iterations in (1, 2, 5) if average == "single" else (2,):
        folder = tmp_path / str(iterations)
        train(game, made(iterations=iterations), folder=folder)
        again = train(game, made(iterations=7), folder=folder, resume=True)
        assert same_networks(whole.policy, again.policy)
        assert again.nodes == whole.nodes


def test_a_game_is_given_by_name_or_as_a_tree():
    game, options = load_game("kuhn_poker"), options_from({**KUHN, "run": {"iterations": 2}})
    found = [train(given, options) for given in (game, "kuhn_poker", compile(game))]
    assert all(same_networks(found[0].policy, other.policy) for other in found[1:])
    assert {run.game for run in found} == {"kuhn_poker"}


def test_training_that_diverges_ends_and_keeps_the_last_good_networks(tmp_path, monkeypatch):
    options = options_from({**KUHN, "run": {"iterations": 6, "checkpoint_seconds": 0}})
    folder = tmp_path / "run"
    fit, calls = NumpyBackend.fit, []

    def diverging(self, *arguments):
        fitted = fit(self, *arguments)
        calls.append(1)
        return fitted if len(calls) < 8 else replace(fitted, loss=float("nan"))

    monkeypatch.setattr(NumpyBackend, "fit", diverging)
    with pytest.raises(
        TrainingError, match=r"diverged in iteration 4: the loss of regret\d is nan"
    ):
        train(load_game("kuhn_poker"), options, folder=folder)
    monkeypatch.undo()
    assert json.loads((folder / "manifest.json").read_text())["iteration"] == 3
    latest = Policy.load(folder / "latest.npz")
    assert all(np.isfinite(part).all() for layer in latest.networks[0][0].layers for part in layer)
    assert train(load_game("kuhn_poker"), folder=folder, resume=True).iterations == 6


def test_an_infinite_weight_is_divergence_too(monkeypatch):
    fit = NumpyBackend.fit

    def diverging(self, *arguments):
        fitted = fit(self, *arguments)
        fitted.network.layers[0][0][0, 0] = np.inf
        return fitted

    monkeypatch.setattr(NumpyBackend, "fit", diverging)
    with pytest.raises(TrainingError, match="diverged in iteration 1"):
        train(load_game("kuhn_poker"), options_from(KUHN))


def test_a_second_run_in_the_folder_is_refused_also_if_the_first_has_ended(tmp_path, monkeypatch):
    """Both find the folder empty; while one prepares, the other runs from begin to end."""
    options, folder = options_from({**KUHN, "run": {"iterations": 1}}), tmp_path / "run"

    def prepared(*arguments, **more):
        monkeypatch.undo()
        train("kuhn_poker", options, folder=folder)
        return real(*arguments, **more)

    real = train_module._prepared
    monkeypatch.setattr(train_module, "_prepared", prepared)
    with pytest.raises(OptionError, match="already holds a run"):
        train("kuhn_poker", options, folder=folder)
    assert train("kuhn_poker", folder=folder, resume=True).iterations == 1  # the lock is free


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"state": "../victim/state-1.npz"}, "is in state-1.npz, not in '../victim/state-1.npz'"),
        ({"game": "leduc_poker"}, "holds a run of leduc_poker, not of kuhn_poker"),
        ({"version": True}, "there is no format True"),
        ({"options": {"regret": {"learning_rate": 0.5}}}, "was changed"),
        ({"options": 7}, "options must be a group"),
    ],
)
def test_changed_manifests_of_training_are_refused(tmp_path, changes, reason):
    folder, victim = tmp_path / "run", tmp_path / "victim"
    options = options_from({**KUHN, "run": {"iterations": 1}})
    train("kuhn_poker", options, folder=folder)
    victim.mkdir()
    shutil.copy(folder / "state-1.npz", victim)
    change_manifest(folder, **changes)
    with pytest.raises(FogtreeError) as caught:
        train("kuhn_poker", folder=folder, resume=True)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert (victim / "state-1.npz").exists()


@pytest.mark.parametrize(
    "line", ["{}", "[]", '{"iteration": 1, "seconds": "x"}', "{", '{"a": NaN}']
)
def test_metrics_of_the_wrong_shape_are_refused(tmp_path, line):
    folder = tmp_path / "run"
    train("kuhn_poker", options_from({**KUHN, "run": {"iterations": 1}}), folder=folder)
    (folder / "metrics.jsonl").write_text(line + "\n")
    with pytest.raises(FogtreeError, match="metrics"):
        train("kuhn_poker", folder=folder, resume=True)


def test_networks_that_a_killed_process_left_are_not_taken_for_this_runs(tmp_path):
    options = {**KUHN, "run": {"iterations": 2, "average": "single"}}
    whole = train("kuhn_poker", options, folder=tmp_path / "whole")
    other = {**options, "run": {**options["run"], "seed": 5}}
    folder = tmp_path / "run"
    folder.mkdir()
    train("kuhn_poker", other, folder=tmp_path / "other")
    for number in (1, 2):
        shutil.copy(tmp_path / "other" / f"network-{number}.npz", folder)
    train("kuhn_poker", {**options, "run": {**options["run"], "iterations": 1}}, folder=folder)
    (folder / ".state-2.npz.7.part").touch()
    assert not (folder / "network-2.npz").exists()
    resumed = train("kuhn_poker", options, folder=folder, resume=True)
    assert same_networks(resumed.policy, whole.policy)
    assert not (folder / ".state-2.npz.7.part").exists()


def test_the_value_that_is_reported_is_player_0s():
    """Uniform play of Kuhn poker, as in the first iteration, is worth 1/8 to player 0."""
    fit = {"steps": 1, "batch": 8}
    options = {
        "run": {"iterations": 1, "seed": 1},
        "traversal": {"traversals": 4000},
        "regret": fit,
        "average": fit,
        "evaluation": {"interval": 0},
    }
    run = train("kuhn_poker", options)
    assert run.reports[0].root_value == pytest.approx(1 / 8, abs=0.08)
