"""Stopping inside a batch: the unfinished epoch is dropped, and nothing else changes."""

from __future__ import annotations

import os
import signal
import threading

import numpy as np
import pytest

from fogtree import _core, load_game, solve
from fogtree.solvers import simulated
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.simulated import SimulatedSolver, simulate


def same(one, other) -> bool:
    first, second = one.trainer.contents(), other.trainer.contents()
    return all(np.array_equal(first[name], second[name]) for name in first)


def cut(solver, epochs: int) -> int:
    """Trains until it is told to stop, which it is very soon."""
    stop = _core.Stop()
    timer = threading.Timer(0.2, stop.request)
    timer.start()
    done = solver.trainer.run(epochs, stop)
    timer.join()
    return done


def on_a_tree(tree_of, **options):
    return SampledSolver(tree_of("leduc_poker"), "mccfr-outcome-linear", **options)


def on_a_table(tree_of, **options):
    return SimulatedSolver(load_game("liars_dice(dice=2)"), "mccfr-robust-linear", **options)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("make", [on_a_tree, on_a_table])
def test_an_epoch_cut_short_is_dropped_whole(tree_of, make, workers):
    options = {"workers": workers, "seed": 6, "batch": 700}
    disturbed, undisturbed = make(tree_of, **options), make(tree_of, **options)
    done = cut(disturbed, 10**9)
    assert disturbed.trainer.epoch == done < 10**9
    assert undisturbed.trainer.run(done) == done
    assert same(disturbed, undisturbed)
    disturbed.trainer.run(3)
    undisturbed.trainer.run(3)
    assert same(disturbed, undisturbed)
    assert disturbed.trainer.nodes == undisturbed.trainer.nodes


@pytest.mark.parametrize("make", [on_a_tree, on_a_table])
def test_one_endless_batch_is_cut_short(tree_of, make):
    solver = make(tree_of, batch=10**12)
    assert cut(solver, 1) == 0
    assert (solver.trainer.epoch, solver.trainer.nodes, solver.trainer.infosets) == (0, 0, 0)


def test_asked_before_it_begins(tree_of):
    stop = _core.Stop()
    stop.request()
    assert stop.requested
    solver = on_a_tree(tree_of, batch=10)
    assert solver.trainer.run(5, stop) == 0
    assert solver.trainer.run(5) == 5


def test_time_is_up_inside_a_walk_that_does_not_end():
    """External sampling of the whole of Cambia: one walk has more than 2^60 nodes."""
    run = simulate(load_game("cambia"), "mccfr-external", seconds=0.3)
    assert (run.stopped, run.iterations) == ("seconds", 0)


def test_time_is_up_inside_a_batch_on_a_tree(tree_of):
    run = solve(tree_of("leduc_poker"), "mccfr-external", seconds=0.2, batch=10**12)
    assert (run.stopped, run.iterations) == ("seconds", 0)


def test_interrupted_inside_a_walk_that_does_not_end(tmp_path):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    run = simulate(load_game("cambia"), "mccfr-external", iterations=10**9, save=tmp_path / "run")
    timer.join()
    assert (run.stopped, run.iterations) == ("interrupted", 0)


def test_memory_is_bounded_if_nobody_says_how_much(monkeypatch):
    monkeypatch.setattr(simulated, "usual_memory", lambda: 20_000_000)
    run = simulate(load_game("cambia"), "mccfr-outcome", iterations=10**9, batch=200)
    assert run.stopped == "memory"
    assert 0 < run.sampled.bytes <= 20_000_000 * simulated.TABLE_SHARE
