"""Small training runs of Kuhn poker, and whether two of them ended alike."""

from __future__ import annotations

import numpy as np

from fogtree.deep.config import options_from, uses
from fogtree.deep.policy import Policy

KUHN = {
    "run": {"iterations": 30, "checkpoint_seconds": 0},
    "traversal": {"traversals": 500},
    "network": {"hidden": [32, 32], "value_hidden": [32, 32]},
    "regret": {"steps": 100, "batch": 256, "learning_rate": 3e-3, "capacity": 100_000},
    "average": {"steps": 500, "batch": 512, "learning_rate": 3e-3, "capacity": 100_000},
    "value": {"steps": 100, "batch": 256, "learning_rate": 3e-3, "capacity": 5000},
    "evaluation": {"interval": 0},
}


def small(**sections):
    """A few quick iterations."""
    quick = {
        "run": {"iterations": 4, "checkpoint_seconds": 0},
        "traversal": {"traversals": 20},
        "network": {"hidden": [8], "value_hidden": [8]},
        "regret": {"steps": 5, "batch": 32, "capacity": 100},
        "average": {"steps": 5, "batch": 32, "capacity": 100},
        "value": {"steps": 5, "batch": 32, "capacity": 50},
        "evaluation": {"interval": 2},
    }
    for name, part in sections.items():
        quick[name] = {**quick.get(name, {}), **part}
    method = quick["run"].get("method", "deep_cfr")
    return options_from(
        {
            section: {
                key: value for key, value in table.items() if uses(method, f"{section}.{key}")
            }
            for section, table in quick.items()
        }
    )


def same_networks(first: Policy, second: Policy) -> bool:
    pairs = zip(
        (part for nets in first.networks for net in nets for layer in net.layers for part in layer),
        (
            part
            for nets in second.networks
            for net in nets
            for layer in net.layers
            for part in layer
        ),
        strict=True,
    )
    return all(np.array_equal(a, b) for a, b in pairs)
