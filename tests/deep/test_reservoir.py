"""Reservoir sampling: the same as Algorithm R row by row, and uniform."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from fogtree.deep.reservoir import Column, Reservoir, Subsample, Window
from fogtree.errors import FileFormatError, OptionError

NUMBER = (Column("number", (), "int64"), Column("pair", (2,), "float32"))


def rows(numbers):
    numbers = np.asarray(numbers)
    return {"number": numbers, "pair": np.stack([numbers, -numbers], axis=1).astype(np.float32)}


def one_by_one(capacity, count, seed):
    """The algorithm as it is printed, with the same random numbers."""
    kept = list(range(min(capacity, count)))
    late = np.arange(capacity, count)
    places = np.random.default_rng(seed).integers(0, late + 1)
    for number, place in zip(late.tolist(), places.tolist(), strict=True):
        if place < capacity:
            kept[place] = number
    return kept


def test_same_as_one_by_one():
    for count in (3, 10, 11, 500):
        reservoir = Reservoir(NUMBER, 10)
        reservoir.offer(rows(range(count)), [7])
        assert reservoir["number"].tolist() == one_by_one(10, count, [7])
        assert np.array_equal(reservoir["pair"][:, 0], reservoir["number"])


def offer_thinned(reservoir, numbers, seed):
    """Offers rows most of which were dropped before."""
    share = reservoir.keep_probability()
    there = np.flatnonzero(np.random.default_rng([*seed, 1]).random(len(numbers)) < share)
    subsample = Subsample(len(numbers), share, there) if share < 1 else None
    reservoir.offer_lazily(len(there), lambda kept: rows(numbers[there[kept]]), seed, subsample)


@pytest.mark.long
@pytest.mark.parametrize("how", ["each", "skipping", "subsample"])
def test_every_row_has_the_same_chance(how):
    capacity, count, repeats = 20, 100, 1500
    counts = np.zeros(count)
    for seed in range(repeats):
        reservoir = Reservoir(NUMBER, capacity, skipping=how == "skipping")
        for part in np.split(np.arange(count), [30, 37, 90]):
            if how == "subsample":
                offer_thinned(reservoir, part, [seed, int(part[0])])
            else:
                reservoir.offer(rows(part), [seed, int(part[0])])
        counts[reservoir["number"]] += 1
        assert len(np.unique(reservoir["number"])) == capacity
    expected = repeats * capacity / count
    # Rows of one reservoir are drawn without replacement: the variance is smaller by that much.
    statistic = ((counts - expected) ** 2 / (expected * (1 - capacity / count))).sum()
    assert stats.chi2.sf(statistic, count - 1) > 1e-4


def test_rows_that_wait_are_counted():
    reservoir = Reservoir(NUMBER, 10)
    assert reservoir.keep_probability() == reservoir.keep_probability(9) == 1
    assert reservoir.keep_probability(19) == 0.5
    reservoir.offer(rows(range(19)), [1])
    assert reservoir.keep_probability() == 0.5
    with pytest.raises(OptionError, match="subsample"):
        reservoir.offer_lazily(1, rows, [1], Subsample(5, 0.3, np.array([2])))


def test_offer_names_the_places_that_changed():
    reservoir = Reservoir(NUMBER, 10)
    reservoir.offer(rows(range(10)), [1])
    before = reservoir["number"].copy()
    places = reservoir.offer(rows(range(100, 160)), [2])
    assert set(np.flatnonzero(reservoir["number"] != before)) == set(places.tolist())


def test_on_disk_as_in_memory_and_restored(tmp_path):
    memory, disk = Reservoir(NUMBER, 16), Reservoir(NUMBER, 16, tmp_path / "samples")
    for reservoir in (memory, disk):
        reservoir.offer(rows(range(40)), [3])
    assert np.array_equal(memory["number"], disk["number"])
    again = Reservoir(NUMBER, 16)
    again.restore({name: np.array(value) for name, value in disk.state().items()})
    for reservoir in (memory, again):
        reservoir.offer(rows(range(40, 90)), [4])
    assert np.array_equal(memory["number"], again["number"])
    assert again.offered == 90


def test_a_window_keeps_the_latest():
    window = Window(NUMBER, 8)
    window.offer(rows(range(5)), [0])
    window.offer(rows(range(5, 21)), [0])
    assert sorted(window["number"].tolist()) == list(range(13, 21))


@pytest.mark.parametrize("skipping", [False, True])
def test_on_a_device_as_in_memory(skipping):
    pytest.importorskip("jax")
    from fogtree.deep.device_reservoir import DeviceReservoir, DeviceWindow

    columns = (Column("number", (), "int32"), Column("pair", (2,), "float32"))
    for kinds in ((Reservoir, DeviceReservoir), (Window, DeviceWindow)):
        memory, device = (kind(columns, 50, skipping=skipping) for kind in kinds)
        for part in (range(30), range(30, 400), range(400, 401), range(401, 5000)):
            for reservoir in (memory, device):
                reservoir.offer(rows(part), [part[0]])
            assert len(memory) == len(device)
            for column in columns:
                assert np.array_equal(memory[column.name], device[column.name])
        again = kinds[1](columns, 50, skipping=skipping)
        again.restore(device.state())
        assert np.array_equal(again["pair"], memory["pair"])
        assert again.offered == 5000


def test_refused():
    with pytest.raises(OptionError):
        Reservoir(NUMBER, 0)
    with pytest.raises(FileFormatError):
        Reservoir(NUMBER, 4).restore({"offered": np.array(9), "number": np.zeros(3)})
