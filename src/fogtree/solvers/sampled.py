"""Monte Carlo regret minimization on a compiled game, used like the tabular solver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import MemoryLimitError, OptionError
from fogtree.evaluate.best_response import Exploitability, exploitability
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.trainers import (
    Backend,
    SamplingSolver,
    Schedule,
    TreeDescription,
    check_players,
    tree_batch,
)
from fogtree.strategy import Strategy
from fogtree.strategy.mixes import mixes_of
from fogtree.tree import AnyGame, compile


class SampledSolver(SamplingSolver):
    """Any ``mccfr`` recipe on any compiled game of two players or more.

    ``workers`` walk side by side; each makes ``batch`` iterations before their updates are
    merged. The same seed, batch and number of workers give the same result, with threads or with
    Ray.
    """

    def __init__(
        self,
        game: AnyGame,
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
        tree = compile(game)
        check_players(tree.game, tree.players)
        row = recipe(algorithm)
        if batch is None:
            batch = tree_batch("" if row.sampler is None else row.sampler.kind, tree.slots, workers)
        self.tree, self.precision = tree, precision
        schedule = Schedule(batch, workers, seed)
        description = TreeDescription.of(tree, row, schedule, precision)
        super().__init__(tree.game, description, backend)
        if memory is not None:
            try:
                self.trainer.limit(memory)
            except _core.OutOfMemory as error:
                raise MemoryLimitError(
                    f"{tree.game} needs {self.trainer.bytes:,} bytes with {workers} workers"
                ) from error

    def evaluate(self) -> Exploitability:
        """The exact exploitability of the answer so far."""
        return exploitability(self.tree, self.strategy())

    def exploitability(self) -> float:
        """The exact exploitability of the answer so far, as one number."""
        return self.evaluate().exploitability

    def strategy(self) -> Strategy:
        """The answer so far: the average strategy, or the last iterate if the recipe says so."""
        if self.recipe.averaging == "last":
            return self.current()
        average = self.trainer.contents()["average"]
        return Strategy.of(self.tree, mixes_of(average, self.tree.infoset_actions))

    def current(self) -> Strategy:
        """The current strategy, by regret matching on the regrets so far."""
        return Strategy.of(self.tree, self._current(self.trainer.contents()["regret"]))

    def _current(self, regret: NDArray[Any]) -> NDArray[np.float64]:
        """The current strategy from regrets, both as arrays over the slots of the tree."""
        positive = np.maximum(regret.astype(np.float64), 0.0)
        return mixes_of(positive, self.tree.infoset_actions)

    def state(self) -> dict[str, Any]:
        """Everything needed to continue exactly."""
        contents = self.trainer.contents()
        strategy = self._current(contents["regret"])
        return {"iteration": self.iteration, "strategy": strategy, **contents}
