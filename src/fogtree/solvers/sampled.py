"""Monte Carlo regret minimization on a compiled game, used like the tabular solver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import FileFormatError, MemoryLimitError, OptionError
from fogtree.evaluate.best_response import Exploitability, exploitability
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.trainers import (
    Backend,
    Schedule,
    TreeDescription,
    start_trainer,
    tree_batch,
)
from fogtree.strategy import Strategy
from fogtree.tree import GameTree

Floats = NDArray[np.float64]
MOST_PLAYERS = 60


class SampledSolver:
    """Any ``mccfr`` recipe on any compiled game of two players or more.

    An iteration is one walk for every player. ``workers`` walk side by side; each makes ``batch``
    iterations before they share what they have learned. Only whole epochs are run, so iterations
    are rounded up to a multiple of ``workers * batch``. The same seed, batch and number of workers
    give the same result, with threads or with Ray.
    """

    def __init__(
        self,
        tree: GameTree,
        algorithm: str | Recipe = "mccfr-external",
        *,
        precision: str = "float32",
        workers: int = 1,
        seed: int = 0,
        batch: int | None = None,
        backend: Backend = "threads",
        memory: int | None = None,
    ) -> None:
        if precision not in ("float64", "float32"):
            raise OptionError(f"precision must be float64 or float32, not {precision}")
        if tree.players < 2:
            raise OptionError(f"{tree.game} has one player; sampling needs two or more")
        if tree.players > MOST_PLAYERS:
            raise OptionError(f"{tree.game} has {tree.players} players; at most {MOST_PLAYERS}")
        self.tree = tree
        self.recipe = recipe(algorithm)
        self.precision = precision
        self.backend: Backend = backend
        if batch is None:
            sampler = self.recipe.sampler
            batch = tree_batch("" if sampler is None else sampler.kind, tree.slots, workers)
        self.schedule = Schedule(batch, workers, seed)
        description = TreeDescription.of(tree, self.recipe, self.schedule, precision)
        self.trainer = start_trainer(description, backend)
        if memory is not None:
            try:
                self.trainer.limit(memory)
            except _core.OutOfMemory as error:
                raise MemoryLimitError(
                    f"{tree.game} needs {self.trainer.bytes:,} bytes with {workers} workers"
                ) from error

    @property
    def threads(self) -> int:
        return self.schedule.workers

    @property
    def iteration(self) -> int:
        return self.trainer.epoch * self.schedule.iterations

    @property
    def nodes(self) -> int:
        """Histories visited so far, each as often as a walk came by: chance, decisions and ends."""
        return self.trainer.nodes

    @property
    def infosets(self) -> int:
        """Information sets seen so far."""
        return self.trainer.infosets

    @property
    def bytes(self) -> int:
        return self.trainer.bytes

    def run(self, iterations: int, stop: _core.Stop | None = None) -> None:
        """Whole epochs; asked to ``stop``, it drops the one that it is in."""
        if iterations < 0:
            raise OptionError(f"iterations must be at least 0, not {iterations}")
        self.trainer.run(-(-iterations // self.schedule.iterations), stop)

    def evaluate(self) -> Exploitability:
        return exploitability(self.tree, self.strategy())

    def exploitability(self) -> float:
        return self.evaluate().exploitability

    def strategy(self) -> Strategy:
        """The answer so far: the average, or the last iterate if the recipe says so."""
        if self.recipe.averaging == "last":
            return self.current()
        return self._strategy(self.trainer.contents()["average"])

    def current(self) -> Strategy:
        """What regret matching plays next."""
        regret = self.trainer.contents()["regret"].astype(np.float64)
        return self._strategy(np.maximum(regret, 0.0))

    def _strategy(self, weights: Floats) -> Strategy:
        tree = self.tree
        totals = np.bincount(tree.slot_infoset, weights=weights)[tree.slot_infoset]
        uniform = Strategy.uniform(tree).probabilities
        shares = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform)
        return Strategy.of(tree, shares)

    def state(self) -> dict[str, Any]:
        contents = self.trainer.contents()
        strategy = np.array(self.current().probabilities)
        return {"iteration": self.iteration, "strategy": strategy, **contents}

    def restore(self, state: dict[str, Any]) -> None:
        try:
            self.trainer.restore(state)
        except (ValueError, TypeError, KeyError, RuntimeError) as error:
            raise FileFormatError(f"the saved state does not fit {self.tree.game}") from error
