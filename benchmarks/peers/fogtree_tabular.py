"""fogtree's own tabular solver."""

from __future__ import annotations

from importlib.metadata import version
from typing import Literal

from fogtree import compile as compile_game
from fogtree import load_game
from fogtree.solvers.tabular import TabularSolver
from peers.games import BenchmarkGame


class Fogtree:
    """One precision and number of threads of :class:`~fogtree.solvers.tabular.TabularSolver`."""

    algorithms = ("cfr+", "dcfr", "pcfr+")

    def __init__(self, precision: Literal["float32", "float64"], threads: int = 1) -> None:
        self.precision = precision
        self._threads = threads
        self.versions = {"fogtree": version("fogtree")}

    def build(self, game: BenchmarkGame) -> int | None:
        self._tree = compile_game(load_game(game.fogtree))
        return len(self._tree.infoset_names)

    def start(self, algorithm: str) -> None:
        self._solver = TabularSolver(
            self._tree, algorithm, precision=self.precision, threads=self._threads
        )

    def advance(self, iterations: int) -> None:
        self._solver.run(iterations)

    def exploitability(self) -> float:
        return float(self._solver.exploitability())
