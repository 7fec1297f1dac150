"""Saved strategies and runs: written whole or not at all, and clear errors for bad files."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fogtree import RECIPES, Strategy, TabularSolver, exploitability, load_game, resume, solve
from fogtree.errors import FileFormatError, FogtreeError, OptionError, UnknownNameError
from fogtree.solvers.folder import SolverFolder
from tests.support.manifests import change_manifest

FUZZ = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def saved(tree_of, tmp_path):
    run = solve(tree_of("kuhn_poker"), "cfr+", iterations=50)
    return run.strategy.save(tmp_path / "kuhn.npz")


def test_round_trip(tree_of, saved):
    strategy = Strategy.load(saved)
    run = solve(tree_of("kuhn_poker"), "cfr+", iterations=50)
    assert strategy.to_dict() == run.strategy.to_dict()
    assert max(strategy.difference(run.strategy).values()) == 0
    assert exploitability(tree_of("kuhn_poker"), strategy).exploitability == run.exploitability


@FUZZ
@given(
    cut=st.floats(0, 1), flips=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=4)
)
def test_damaged_strategies(saved, cut, flips):
    whole = saved.read_bytes()
    content = bytearray(whole[: int(len(whole) * cut)] if not flips else whole)
    for where, value in flips:
        content[min(int(where * len(content)), len(content) - 1)] = value
    broken = saved.with_name("broken.npz")
    broken.write_bytes(bytes(content))
    try:
        strategy = Strategy.load(broken)
    except FileFormatError as error:
        assert "\n" not in str(error)
    else:  # the flip hit something that does not matter, or nothing
        assert len(strategy) == 12


@FUZZ
@given(content=st.binary(max_size=300))
def test_foreign_files(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(FileFormatError):
        Strategy.load(path)


def test_other_archives_and_missing_files(tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.save(tmp_path / "other.npy", np.zeros(3))
    for name in ("other.npz", "other.npy", "missing.npz"):
        with pytest.raises(FileFormatError):
            Strategy.load(tmp_path / name)
    with pytest.raises(FileFormatError):
        Strategy.load(tmp_path)


def test_a_strategy_for_another_game(tree_of, saved):
    with pytest.raises(OptionError, match="is for 'kuhn_poker'"):
        exploitability(tree_of("leduc_poker"), Strategy.load(saved))


def test_look_up_by_name(tree_of):
    strategy = Strategy.from_mapping(tree_of("kuhn_poker"), {"Jcb": {"fold": 1.0}})
    assert strategy["Jcb"] == {"fold": 1.0, "call": 0.0}
    assert strategy["Q"] == {"check": 0.5, "bet": 0.5}
    with pytest.raises(UnknownNameError, match="did you mean"):
        strategy["Jcbb"]
    for bad in (
        {"Jcb": {"fold": 0.7}},
        {"Jcb": {"fold": -1.0, "call": 2.0}},
        {"Jcb": {"run": 1.0}},
    ):
        with pytest.raises(FogtreeError):
            Strategy.from_mapping(tree_of("kuhn_poker"), bad)


def test_rounding(tree_of):
    run = solve(tree_of("kuhn_poker"), "cfr+", iterations=200)
    for mix in run.strategy.rounded(1).to_dict().values():
        assert sum(mix.values()) == pytest.approx(1)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("algorithm", sorted(RECIPES))
def test_resume_is_exact(tree_of, tmp_path, algorithm, precision):
    tree = tree_of("leduc_poker")
    options = {"averaging": "linear", "delay": 3, "precision": precision}
    whole = solve(tree, algorithm, iterations=90, **options)
    folder = tmp_path / "run"
    solve(tree, algorithm, iterations=37, save=folder, **options)
    again = resume(folder, game=tree, iterations=90)
    assert np.array_equal(whole.strategy.probabilities, again.strategy.probabilities)
    assert again.iterations == 90
    assert [c.iteration for c in again.curve] == [1, 2, 5, 10, 20, 37, 50, 90]


def test_resume_by_name(tmp_path):
    solve(load_game("leduc_poker(ranks=2)"), "dcfr", iterations=10, save=tmp_path / "run")
    assert resume(tmp_path / "run", iterations=20).game == "leduc_poker(ranks=2)"


def test_reference_state_goes_on_exactly(tree_of):
    tree = tree_of("kuhn_poker")
    for algorithm in RECIPES:
        whole = TabularSolver(tree, algorithm, reference=True)
        whole.run(30)
        first = TabularSolver(tree, algorithm, reference=True)
        first.run(11)
        second = TabularSolver(tree, algorithm, reference=True)
        second.restore(first.state())
        second.run(19)
        assert np.array_equal(whole.strategy().probabilities, second.strategy().probabilities)


def test_a_run_is_not_overwritten(tree_of, tmp_path):
    solve(tree_of("kuhn_poker"), iterations=5, save=tmp_path / "run")
    with pytest.raises(OptionError, match="already holds a run"):
        solve(tree_of("kuhn_poker"), iterations=5, save=tmp_path / "run")


def test_a_run_of_other_rules(tree_of, tmp_path):
    solve(tree_of("kuhn_poker"), iterations=5, save=tmp_path / "run")
    with pytest.raises(OptionError, match="and not of"):
        resume(tmp_path / "run", game=tree_of("leduc_poker"), iterations=9)


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    solve(load_game("kuhn_poker"), "cfr+", iterations=10, save=folder)
    return folder


@FUZZ
@given(
    name=st.sampled_from(["manifest.json", "metrics.jsonl", "state-10.npz"]),
    cut=st.floats(0, 1),
    flip=st.one_of(st.none(), st.tuples(st.floats(0, 1), st.integers(0, 255))),
)
def test_damaged_runs(run_folder, tmp_path, name, cut, flip):
    folder = tmp_path / "copy"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run_folder, folder)
    content = bytearray((folder / name).read_bytes())
    if flip is None:
        content = content[: int(len(content) * cut)]
    else:
        content[min(int(flip[0] * len(content)), len(content) - 1)] = flip[1]
    (folder / name).write_bytes(bytes(content))
    try:
        resume(folder, iterations=12)
    except FogtreeError as error:
        assert "\n" not in str(error)


def test_manifest_of_something_else(tmp_path):
    with pytest.raises(FileFormatError):
        SolverFolder(tmp_path).manifest()
    (tmp_path / "manifest.json").write_text(json.dumps({"name": "a web page"}))
    with pytest.raises(FileFormatError):
        SolverFolder(tmp_path).manifest()
    (tmp_path / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(FileFormatError):
        SolverFolder(tmp_path).manifest()


PROGRAM = """
import sys
from fogtree import load_game, solve
from fogtree.runs import loop
loop.SAVE_EVERY_SECONDS = 0.0
solve(load_game("leduc_poker"), "cfr+", iterations=100_000, every=50, save=sys.argv[1])
"""


@pytest.mark.parametrize("delay", [0.05, 0.1, 0.2, 0.4])
def test_a_killed_run_goes_on(tree_of, tmp_path, delay):
    """Killed in the middle of saving all the time: the folder is at some save, and whole."""
    folder = tmp_path / "run"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder)])
    while not ((folder / "manifest.json").exists() and SolverFolder(folder).manifest().iteration):
        assert process.poll() is None
        time.sleep(0.005)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    at = SolverFolder(folder).manifest().iteration
    tree = tree_of("leduc_poker")
    target = at + 100
    again = resume(folder, game=tree, iterations=target, every=50)
    whole = solve(tree, "cfr+", iterations=target)
    assert np.array_equal(again.strategy.probabilities, whole.strategy.probabilities)


def test_bad_limits(tree_of):
    tree = tree_of("kuhn_poker")
    for options in (
        {"iterations": -1},
        {"until": -0.1},
        {"until": float("nan")},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"iterations": 1, "every": 0},
        {"iterations": 1, "delay": -1},
        {"iterations": 1, "threads": 0},
        {"iterations": 1, "precision": "float16"},
        {"iterations": 1, "averaging": "cubic"},
        {"iterations": 1, "algorithm": "cfr++"},
    ):
        with pytest.raises(FogtreeError) as caught:
            solve(tree, **options)
        assert "\n" not in str(caught.value)


def test_the_number_of_checks_fits_the_metrics(tree_of, tmp_path):
    folder, tree = tmp_path / "run", tree_of("kuhn_poker")
    whole = solve(tree, iterations=30, every=10)
    solve(tree, iterations=20, every=10, save=folder)
    for wrong in (0, 3, 10**9):
        change_manifest(folder, checks=wrong)
        with pytest.raises(FileFormatError, match="it has 2 checks, the manifest"):
            resume(folder, game=tree, iterations=30)
    change_manifest(folder, checks=1)  # killed after the metrics had been written
    again = resume(folder, game=tree, iterations=30)
    assert [check.iteration for check in again.curve] == [10, 20, 30]
    assert [check.exploitability for check in again.curve] == [
        check.exploitability for check in whole.curve
    ]


@pytest.mark.parametrize("name", ["positive_exponent", "negative_exponent"])
def test_exponents_are_numbers(tree_of, tmp_path, name):
    for wrong in (float("nan"), "2", None):
        with pytest.raises(OptionError, match=f"{name} must be a number, not"):
            replace(RECIPES["dcfr"], **{name: wrong})
    solve(tree_of("kuhn_poker"), iterations=5, save=tmp_path / "run")
    change_manifest(tmp_path / "run", **{name: "nan"})
    with pytest.raises(FileFormatError, match=f"cannot be resumed: {name} must be a number"):
        resume(tmp_path / "run")
