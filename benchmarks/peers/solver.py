"""What a solver must offer to be measured."""

from __future__ import annotations

from typing import Protocol

from peers.games import BenchmarkGame


class BenchmarkSolver(Protocol):
    """A solver of one game, driven by :mod:`peers.worker`.

    Creating one imports the library and nothing more, so that memory before and
    after :meth:`build` tells what the game costs.
    """

    algorithms: tuple[str, ...]
    """Names it can run, ``"cfr+"`` first."""

    precision: str
    """``"float32"`` or ``"float64"``: what regrets and strategies are kept in."""

    versions: dict[str, str]
    """Version of every library that does the work."""

    def build(self, game: BenchmarkGame) -> int | None:
        """Load and compile the game; return its information sets, where the library tells."""

    def start(self, algorithm: str) -> None:
        """Begin the algorithm anew on the built game."""

    def advance(self, iterations: int) -> None:
        """Run iterations, each updating both players once, and wait for them."""

    def exploitability(self) -> float:
        """NashConv / 2 of the average strategy."""
