"""Where a solver runs: on the processor or on a GPU."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from fogtree.errors import FogtreeError, OptionError
from fogtree.solvers.recipes import Recipe
from fogtree.text.choices import Device, Precision
from fogtree.tree import GameTree

if TYPE_CHECKING:
    from fogtree.solvers.accelerated.engine import AcceleratedEngine

PREDICTION = {"regret_matching": 0.0, "predictive": 1.0, "asymmetric_predictive": 1 / 3}
"""The minimizers that run on a GPU, and how much of the last regret each expects to come again."""

LARGE_GAME = 400_000
"""Merged sequences from which on a GPU is faster than the cores of a large machine."""

_DRIVER = Path("/dev/nvidiactl")


def check_recipe(row: Recipe, players: int) -> None:
    """Refuse what does not run on a GPU."""
    if row.sampler is not None or row.minimizer not in PREDICTION:
        raise OptionError(f"'{row.name}' does not run on a GPU; use --device cpu")
    if players != 2:
        raise OptionError(f"a GPU solves games of two players, not of {players}; use --device cpu")


def gpu_engine(
    tree: GameTree, row: Recipe, precision: Precision, device: Device
) -> AcceleratedEngine | None:
    """An engine on the GPU. None for ``cpu``, and for ``auto`` if the processor is the better
    choice: for small games, and where there is no GPU that can do it."""
    if device not in get_args(Device):
        raise OptionError(f"device must be auto, cpu or gpu, not {device}")
    if device == "cpu":
        return None
    if device == "gpu":
        check_recipe(row, tree.players)
        return _engine(tree, row, precision)
    try:
        check_recipe(row, tree.players)
        if not _DRIVER.exists() or find_spec("jax") is None:
            return None
        return _engine(tree, row, precision) if sum(tree.form.sequences) >= LARGE_GAME else None
    except FogtreeError:
        return None


def _engine(tree: GameTree, row: Recipe, precision: Precision) -> AcceleratedEngine:
    from fogtree.solvers.accelerated import kernels  # noqa: PLC0415 - an optional dependency
    from fogtree.solvers.accelerated.engine import AcceleratedEngine  # noqa: PLC0415
    from fogtree.system.jax_device import find_device  # noqa: PLC0415

    found = find_device(accelerator=True)
    return AcceleratedEngine(tree, row, precision, device=found, sweeps=kernels)
