"""Estimates of a strategy's regrets near the root, from a few short walks.

Short external walks (M. Lanctot et al., "Monte Carlo sampling for regret minimization in extensive
games", NIPS 2009) from the root: at every decision of the traverser the largest sampled regret.
*Deviations:* at the depth limit a value network gives the value, or one game played to its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree.deep.engine import Engine
from fogtree.deep.network import Network, softmax
from fogtree.deep.traversal import Task, Walks
from fogtree.deep.walkable import EncodedGame
from fogtree.errors import OptionError


@dataclass(frozen=True, slots=True)
class Validation:
    """Sampled regrets in units of the payoffs, and the entropy of the strategy in nats."""

    mean_regret: float
    max_regret: float
    strategy_entropy: float
    traversals: int
    depth: int
    elapsed_seconds: float
    total_nodes: int


def validate(
    engine: Engine,
    networks: Sequence[Network],
    value: Sequence[Network] = (),
    *,
    depth: int,
    traversals: int,
    iteration: int,
    seed: int,
    mix: bool = False,
    uniform_fallback: bool = False,
) -> Validation:
    """Estimate a strategy's regrets near the root by ``traversals`` walks per player, each
    ``depth`` decisions deep.

    ``value`` is empty or has one network per player; ``mix``: networks give logarithms of
    probabilities, not regrets; ``uniform_fallback``: without positive regrets they play uniformly,
    not the best action.
    """
    if depth < 1 or traversals < 1:
        raise OptionError("es_validation_depth and es_validation_traversals must be at least 1")
    start = perf_counter()
    walks = Walks(depth=depth, softmax=mix, uniform_fallback=uniform_fallback)
    regrets, entropies, nodes = [], [], 0
    for player in range(engine.game.players):
        task = Task(
            walks,
            networks,
            value[player] if value else None,
            traverser=player,
            traversals=traversals,
            iteration=iteration,
            seed=seed,
        )
        samples = engine.traverse(task)
        rows = samples.take("regret", np.arange(samples.count("regret")))
        legal = rows["actions"] >= 0
        regrets.append(np.where(legal, rows["targets"], -np.inf).max(axis=1, initial=0.0))
        mixes = _mixes(engine.game, networks, player, rows, mix=mix, uniform=uniform_fallback)
        entropies.append(-(mixes * np.log(np.where(mixes > 0, mixes, 1.0))).sum(axis=1))
        nodes += samples.nodes
    regret, entropy = np.concatenate(regrets), np.concatenate(entropies)
    return Validation(
        mean_regret=float(regret.mean()) if len(regret) else 0.0,
        max_regret=float(regret.max(initial=0.0)),
        strategy_entropy=float(entropy.mean()) if len(entropy) else 0.0,
        traversals=traversals * engine.game.players,
        depth=depth,
        elapsed_seconds=perf_counter() - start,
        total_nodes=nodes,
    )


def _mixes(
    game: EncodedGame,
    networks: Sequence[Network],
    player: int,
    rows: dict[str, Any],
    *,
    mix: bool,
    uniform: bool,
) -> NDArray[np.float64]:
    """The traverser's probabilities at the sampled decisions: a row each, with a column per legal
    action, filled up with zeros. ``mix`` and ``uniform`` are as in :func:`validate`
    (``uniform_fallback``)."""
    actions = rows["actions"].astype(np.int64)
    legal = actions >= 0
    even = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    if not networks or not len(actions):
        return np.asarray(even, dtype=np.float64)
    outputs = networks[player].forward(game.decode(rows["codes"]))
    chosen = np.take_along_axis(outputs, np.where(legal, actions, 0), axis=1).astype(np.float64)
    if mix:
        return softmax(np.where(legal, chosen, -np.inf))
    positive = np.where(legal, np.maximum(chosen, 0.0), 0.0)
    total = positive.sum(axis=1, keepdims=True)
    best = np.zeros_like(positive)
    np.put_along_axis(best, np.where(legal, chosen, -np.inf).argmax(axis=1)[:, None], 1.0, axis=1)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), even if uniform else best)
