"""fogtree's samplers, on the compiled tree."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from fogtree import compile as compile_game
from fogtree import load_game
from fogtree.solvers.sampled import SampledSolver
from peers.games import BenchmarkGame


class FogtreeSampled:
    """:class:`~fogtree.solvers.sampled.SampledSolver` with threads."""

    algorithms = ("external", "outcome")
    precision = "float32"

    def __init__(self, workers: int) -> None:
        self._workers = workers
        try:
            self.versions = {"fogtree": version("fogtree")}
        except PackageNotFoundError:
            self.versions = {"fogtree": "not installed"}

    def build(self, game: BenchmarkGame) -> int | None:
        self._tree = compile_game(load_game(game.fogtree))
        return len(self._tree.infoset_names)

    def start(self, algorithm: str) -> None:
        self._solver = SampledSolver(
            self._tree, f"mccfr-{algorithm}", seed=1, workers=self._workers
        )

    def advance(self, iterations: int) -> None:
        self._solver.run(iterations)

    @property
    def iterations(self) -> int:
        """Done since the start; whole epochs only, so more than was asked for."""
        return self._solver.iteration

    @property
    def nodes(self) -> int:
        return self._solver.nodes

    def exploitability(self) -> float:
        return self._solver.exploitability()
