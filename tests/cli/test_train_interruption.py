"""Ctrl-C, SIGTERM and kill -9 in the middle of a long iteration of training."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

from fogtree.deep.policy import Policy
from tests.support.processes import HANGS

pytestmark = pytest.mark.long

HOLDS = """
import sys, time
from fogtree.cli import main
from fogtree.deep.fitting import NumpyBackend
fit = NumpyBackend.fit
def held(self, network, data, how, seed, optimiser=None):
    if seed[1] == 3:  # the iteration
        print("held", file=sys.__stdout__, flush=True)
        time.sleep(float(sys.argv[1]))
    return fit(self, network, data, how, seed, optimiser)
NumpyBackend.fit = held
sys.exit(main(sys.argv[2:]))
"""
CONFIG = """
[run]
iterations = 5
checkpoint_seconds = 0
[traversal]
traversals = 20
[network]
hidden = [8]
[regret]
steps = 5
[average]
steps = 5
"""
STOPPING = "stopping after this iteration; once more: at once\n"


@pytest.fixture
def begin(tmp_path):
    """Starts a run that stays for so long in each fit of its third iteration."""
    (tmp_path / "training.toml").write_text(CONFIG)
    children = []

    def start(seconds):
        words = ["train", "kuhn_poker", "--config", "training.toml", "--save", "run"]
        child = subprocess.Popen(
            [sys.executable, "-c", HOLDS, str(seconds), *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        children.append(child)
        assert child.stdout.readline() == "held\n"
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()


def goes_on_exactly(folder, command):
    config = "--config", "training.toml"
    resumed = command("resume", "run")
    assert resumed.status == 0, resumed.errors
    whole = command("train", "kuhn_poker", *config, "--save", "whole")
    assert whole.status == 0, whole.errors
    layers = [
        [part for layer in network.layers for part in layer]
        for run in ("run", "whole")
        for network in Policy.load(folder / run / "policy.npz").networks[0]
    ]
    half = len(layers) // 2
    for mine, theirs in zip(layers[:half], layers[half:], strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))


def told(child):
    """What it says until it has answered the signal."""
    lines = []
    while not lines or lines[-1] != STOPPING:
        lines.append(child.stderr.readline())
        assert lines[-1], lines
    return lines


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_it_in_the_middle_of_an_iteration(tmp_path, begin, command, number):
    child = begin(3600)
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    child.send_signal(number)
    told(child)
    child.send_signal(number)
    output, errors = child.communicate(timeout=HANGS)
    assert (child.returncode, output, errors) == (128 + number, "", "")
    after = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    assert after == before
    assert json.loads(after["manifest.json"])["iteration"] == 2
    goes_on_exactly(tmp_path, command)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_first_signal_ends_it_after_the_iteration(tmp_path, begin, command, number):
    child = begin(0.5)
    child.send_signal(number)
    told(child)
    output, errors = child.communicate(timeout=HANGS)
    assert child.returncode == 128 + number
    assert {2: "interrupted", 15: "terminated"}[number] in output
    assert "fogtree resume run" in errors
    assert "Traceback" not in errors
    assert json.loads((tmp_path / "run" / "manifest.json").read_text())["iteration"] == 3
    goes_on_exactly(tmp_path, command)


def test_one_process_at_a_time(tmp_path, begin, command):
    child = begin(3600)
    second = command("resume", "run")
    assert second.status == 2
    assert "'run' is in use" in second.errors
    assert second.errors.count("\n") == 1
    child.kill()
    child.communicate()
    goes_on_exactly(tmp_path, command)
