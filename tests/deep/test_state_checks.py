"""A damaged training state is refused before anything of the run is changed."""

from __future__ import annotations

import numpy as np
import pytest

from fogtree.deep.engine import prepare
from fogtree.deep.fitting import NumpyBackend
from fogtree.deep.train import train
from fogtree.deep.training import DeepTrainer
from fogtree.errors import FileFormatError
from tests.support.training import small

SECTIONS = {
    "run": {"iterations": 2},
    "traversal": {"sampling_method": "escher"},
    "regret": {"fresh": False},
    "average": {"fresh": False},
}


def new_trainer():
    return DeepTrainer(prepare("kuhn_poker", values=True), small(**SECTIONS), NumpyBackend(1))


@pytest.fixture(scope="module")
def state():
    """The state of a trainer with networks, optimisers and samples of every kind."""
    trainer = new_trainer()
    trainer.iterate()
    trainer.iterate()
    trainer.fit_average()
    return trainer.state()


def check_refused(state, says):
    with pytest.raises(FileFormatError, match=says):
        new_trainer().restore(state)


def test_the_state_has_parts_of_every_kind(state):
    found = {name.rpartition("/")[0] for name in state}
    for kind in ("regret/0", "regret/1", "average/1", "value/1", "optimiser/regret0"):
        assert kind in found
    assert {"optimiser/mix1", "samples/regret0", "samples/strategy1", "samples/value0"} <= found
    new_trainer().restore(state)


def test_missing_and_unknown_parts_are_refused(state):
    for name in state:
        check_refused({key: state[key] for key in state if key != name}, f"'{name}' is missing")
    check_refused({**state, "regret/2/weight0": np.zeros((2, 2))}, "not belong to a training state")


def test_numbers_that_are_not_finite_are_refused(state):
    for name in state:
        for wrong in (np.nan, np.inf) if state[name].dtype.kind == "f" else ():
            changed = state[name].copy()
            changed.flat[-1] = wrong
            check_refused({**state, name: changed}, f"'{name}' has values that are not finite")


def test_other_shapes_and_types_are_refused(state):
    for name, array in state.items():
        for wrong in (array[None], array.astype("c8"), array.astype("f2")):
            check_refused({**state, name: wrong}, f"'{name}'")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("samples/regret0/codes", 255),
        ("samples/value0/codes", 255),
        ("samples/regret0/actions", 100),
        ("samples/strategy1/actions", -2),
        ("samples/value0/actions", 100),
        ("samples/regret1/weights", 0.0),
        ("samples/regret1/weights", -1.0),
        ("samples/regret1/iteration", 3),
        ("samples/regret1/iteration", 0),
        ("samples/regret0/offered", -1),
        ("optimiser/regret0/count", -1),
        ("iteration", -1),
        ("average_of", -2),
        ("nodes", -5),
    ],
)
def test_impossible_values_are_refused(state, name, value):
    check_refused({**state, name: np.full_like(state[name], value)}, f"'{name}' ")


def files(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


@pytest.mark.parametrize("damage", ["missing", "nan"])
def test_a_run_with_a_damaged_state_stays_as_it_is(tmp_path, damage):
    train("kuhn_poker", small(run={"iterations": 2}), folder=tmp_path)
    path, name = tmp_path / "state-2.npz", "regret/1/weight0"
    with np.load(path) as archive:
        saved = dict(archive)
    saved[name] *= np.nan
    np.savez(path, **{key: saved[key] for key in saved if damage == "nan" or key != name})
    before = files(tmp_path)
    with pytest.raises(FileFormatError, match=rf"state-2\.npz' is damaged: '{name}' "):
        train("kuhn_poker", small(run={"iterations": 3}), folder=tmp_path, resume=True)
    assert files(tmp_path) == before


def test_stored_networks_are_checked(tmp_path):
    options = small(run={"iterations": 2, "average": "single"})
    train("kuhn_poker", options, folder=tmp_path)
    path = tmp_path / "network-1.npz"
    with np.load(path) as archive:
        saved = dict(archive)
    before = (tmp_path / "manifest.json").read_bytes()
    for changed in (
        {**saved, "0/weight0": saved["0/weight0"] * np.nan},
        {key: array for key, array in saved.items() if not key.startswith("1/")},
        {key: array for key, array in saved.items() if not key.endswith("1")},
        {key: array for key, array in saved.items() if key != "0/bias0"},
    ):
        np.savez(path, **changed)
        longer = small(run={"iterations": 3, "average": "single"})
        with pytest.raises(FileFormatError, match=r"network-1\.npz' is damaged: "):
            train("kuhn_poker", longer, folder=tmp_path, resume=True)
        assert (tmp_path / "manifest.json").read_bytes() == before
