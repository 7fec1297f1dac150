"""The engine on a GPU, and what it can solve."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from fogtree.errors import OptionError
from fogtree.solvers.recipes import Recipe
from fogtree.text.choices import Device, Precision
from fogtree.tree import GameTree

if TYPE_CHECKING:
    from fogtree.solvers.accelerated.engine import AcceleratedEngine

PREDICTION = {"regret_matching": 0.0, "predictive": 1.0, "asymmetric_predictive": 1 / 3}
"""The minimizers that run on a GPU, and how much of the last regret each expects to come again."""


def check_device(device: Device, row: Recipe, players: int) -> None:
    """Refuse unknown devices, and for a GPU what does not run there."""
    if device not in get_args(Device):
        raise OptionError(f"device must be cpu or gpu, not {device}")
    if device == "cpu":
        return
    if row.sampler is not None or row.minimizer not in PREDICTION:
        raise OptionError(f"'{row.name}' does not run on a GPU; use --device cpu")
    if players != 2:
        raise OptionError(f"a GPU solves games of two players, not of {players}; use --device cpu")


def gpu_engine(tree: GameTree, row: Recipe, precision: Precision) -> AcceleratedEngine:
    """An engine on the first GPU."""
    from fogtree.solvers.accelerated import kernels  # noqa: PLC0415 - an optional dependency
    from fogtree.solvers.accelerated.engine import AcceleratedEngine  # noqa: PLC0415
    from fogtree.system.jax_device import find_device  # noqa: PLC0415

    found = find_device(accelerator=True)
    return AcceleratedEngine(tree, row, precision, device=found, sweeps=kernels)
