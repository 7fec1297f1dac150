"""The engine on a GPU, and what it can solve."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from fogtree.errors import FogtreeError, OptionError
from fogtree.solvers.accelerated.card import CupyCard, find_cupy
from fogtree.solvers.recipes import Recipe
from fogtree.text.choices import Device, Precision
from fogtree.tree import GameTree

if TYPE_CHECKING:
    from fogtree.solvers.accelerated.engine import AcceleratedEngine

PREDICTION = {"regret_matching": 0.0, "predictive": 1.0, "asymmetric_predictive": 1 / 3}
"""The minimizers that run on a GPU, and how much of the last regret each expects to come again."""


WORTH_A_GPU = 100_000
"""Merged sequences of both players from which on a GPU is faster than the processor."""


def runs_there(row: Recipe, players: int) -> bool:
    """Whether a GPU can run an algorithm on a game with this number of players."""
    return row.sampler is None and row.minimizer in PREDICTION and players == 2


def choose_device(device: Device | None, row: Recipe, tree: GameTree, threads: int) -> Device:
    """The device to solve on: ``device`` if it is given. Else a GPU, if there is one, it can run
    the algorithm, the game is large and only one thread was asked for; otherwise the processor."""
    if device is not None:
        return device
    if threads > 1 or not runs_there(row, tree.players):
        return "cpu"
    if sum(tree.form.sequences) < WORTH_A_GPU:
        return "cpu"
    try:
        find_cupy()
    except FogtreeError:
        return "cpu"
    return "gpu"


def check_device(device: Device | None, row: Recipe, players: int) -> None:
    """Refuse an unknown device, and a GPU for an algorithm or a number of players that it cannot
    run."""
    if device not in (None, *get_args(Device)):
        raise OptionError(f"device must be cpu or gpu, not {device}")
    if device != "gpu" or runs_there(row, players):
        return
    if row.sampler is not None or row.minimizer not in PREDICTION:
        raise OptionError(f"'{row.name}' does not run on a GPU; use --device cpu")
    raise OptionError(f"a GPU solves games of two players, not of {players}; use --device cpu")


def gpu_engine(tree: GameTree, row: Recipe, precision: Precision) -> AcceleratedEngine:
    """An engine on the first GPU."""
    from fogtree.solvers.accelerated.engine import (  # noqa: PLC0415 - it imports this module
        AcceleratedEngine,
    )

    return AcceleratedEngine(tree, row, precision, CupyCard(precision))
