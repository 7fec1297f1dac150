"""Walks in other processes or on other machines, by Ray.

Every worker prepares the game for itself and makes its share of an iteration's walks with its own
seed; the samples are joined in the order of the workers. A worker that dies is replaced, and the
new one makes the same walks again: they depend only on seed, iteration and worker number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from fogtree.deep.engine import NativeEngine, PreparedGame, prepare
from fogtree.deep.samples import ArraySamples, Samples
from fogtree.deep.traversal import Task
from fogtree.errors import FogtreeError, GameError, MissingExtraError
from fogtree.game import Game
from fogtree.solvers.ray_backend import connect

try:
    ray: Any = import_module("ray")
except ImportError as error:
    raise MissingExtraError("ray", "ray") from error

MOST_REPLACEMENTS = 100
"""Replacements of one worker in one call; beyond that the work itself kills it."""

# How :func:`joined` combines the numbers that workers return.
_SUMS, _MAXIMA, _MEANS = ("nodes", "queries", "traversals"), ("depth",), ("value",)


class _Worker:
    """An engine in another process."""

    def __init__(self, game: Game, own_features: bool, compiled: bool, workers: int) -> None:
        """Prepare the game in this process; ``workers`` of them share the machine's memory."""
        prepared = prepare(game, own_features=own_features, compiled=compiled)
        self.game, self.engine, self.encoding = game, prepared.engine, prepared.encoding
        if isinstance(self.engine, NativeEngine):
            self.engine.neighbours = workers

    def traverse(self, whole: Task, traversals: int, seed: int, encoding: str) -> Any:
        """Make this worker's share of a task's walks, and return the samples as arrays. Raises a
        :class:`~fogtree.errors.GameError` if this process does not have that ``encoding``."""
        if self.encoding != encoding:
            raise GameError(
                f"{self.game} is encoded differently in another process: its views, actions or "
                "features() are not the same everywhere"
            )
        task = replace(whole, traversals=traversals, seed=seed)
        return self.engine.traverse(task).arrays()


class RayEngine:
    """An engine whose walks are made by Ray workers."""

    def __init__(self, prepared: PreparedGame, workers: int, *, own_features: bool = True) -> None:
        """Connect to Ray and start the workers, each with a copy of the game."""
        self.game, self._encoding = prepared.engine.game, prepared.encoding
        connect(workers)
        compiled = not prepared.by_protocol
        self._made_of = ray.put(prepared.game), own_features, compiled, workers
        self._workers = [self._start() for _ in range(workers)]

    def _start(self) -> Any:
        """A new worker process with a copy of the game."""
        return ray.remote(_Worker).options(num_cpus=0, max_restarts=0).remote(*self._made_of)

    def traverse(self, task: Task) -> Samples:
        """Divide the walks of a task among the workers, and join their samples."""
        # Indices of subsampled rows are a worker's own and could not be joined: all are kept.
        whole = ray.put(replace(task, keep_probabilities=(1.0, 1.0)))
        count, total = len(self._workers), task.traversals
        shares = [total * (n + 1) // count - total * n // count for n in range(count)]

        def ask(number: int) -> Any:
            """Give a worker its share of the walks; the same number always gets the same seed."""
            seed = task.seed + 1_000_003 * number  # a prime keeps the workers' seeds apart
            worker = self._workers[number]
            return worker.traverse.remote(whole, shares[number], seed, self._encoding)

        pending = [ask(number) for number in range(count)]
        parts = [self._answer(number, pending[number], ask) for number in range(count)]
        return ArraySamples(joined(parts))

    def _answer(self, number: int, pending: Any, ask: Any) -> dict[str, Any]:
        """The samples of one worker; a worker that died is replaced and asked again."""
        for _ in range(MOST_REPLACEMENTS):
            try:
                rows: dict[str, Any] = ray.get(pending)
            except ray.exceptions.RayActorError:
                self._workers[number] = self._start()
                pending = ask(number)
            except ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, FogtreeError):
                    raise error.cause from None
                raise
            else:
                return rows
        raise FogtreeError(f"worker {number} died {MOST_REPLACEMENTS} times; stopped")

    def close(self) -> None:
        """Kill the worker processes."""
        for worker in self._workers:
            ray.kill(worker)
        self._workers = []


def joined(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The samples of several workers as one: arrays are concatenated, numbers added up, maximised
    or averaged."""
    out: dict[str, Any] = {}
    for name, first in parts[0].items():
        values = [part[name] for part in parts]
        if isinstance(first, np.ndarray):
            out[name] = np.concatenate(values)
        elif name in _SUMS:
            out[name] = sum(values)
        elif name in _MAXIMA:
            out[name] = max(values)
        elif name in _MEANS:
            weights = [part["traversals"] for part in parts]
            out[name] = float(np.average(values, weights=weights)) if sum(weights) else 0.0
    return out
