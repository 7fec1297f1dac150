"""The spaces of actions and observations that environments declare."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from fogtree.adapters.learner_encoding import LearnerEncoding


def action_space(encoding: LearnerEncoding) -> Any:
    """Gymnasium's space of actions: their numbers from 0."""
    return import_module("gymnasium.spaces").Discrete(len(encoding.actions))


def observation_space(encoding: LearnerEncoding) -> Any:
    """Gymnasium's space of observations: a vector of what a seat knows, and the mask of its legal
    actions."""
    spaces = import_module("gymnasium.spaces")
    low, high = (0.0, 1.0) if encoding.between_0_and_1 else (-np.inf, np.inf)
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, (encoding.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (len(encoding.actions),), np.int8),
        }
    )
