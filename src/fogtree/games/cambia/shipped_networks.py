"""The trained networks of Cambia that come with the package."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import TypeVar

from fogtree.deep.policy import Policy, read_policy
from fogtree.deep.value_network import ValueNetwork, read_value_network
from fogtree.errors import FileFormatError

Content = TypeVar("Content")


def shipped_policy() -> Policy:
    """The policy of the agent ``deep``."""
    return _read("policy.npz", read_policy, "trained network; use  deep:FILE")


def shipped_values() -> ValueNetwork:
    """The value network of the search's leaves."""
    return _read("values.npz", read_value_network, "value network; use  net:FILE")


def _read(name: str, read: Callable[[Path], Content], missing: str) -> Content:
    """Read a network that comes with the package; ``missing`` is what the error says is not
    there."""
    with as_file(files("fogtree.games.cambia") / "networks" / name) as path:
        if not path.exists():
            raise FileFormatError(f"this installation has no {missing}")
        return read(path)
