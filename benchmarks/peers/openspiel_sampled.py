"""OpenSpiel's C++ samplers, as users call them."""

from __future__ import annotations

from importlib.metadata import version

import pyspiel

from peers.games import BenchmarkGame


class OpenSpielSampled:
    """External sampling with its simple averaging, outcome sampling with exploration 0.6."""

    algorithms = ("external", "outcome")
    precision = "float64"

    def __init__(self) -> None:
        self.versions = {"open_spiel": version("open_spiel")}

    def build(self, game: BenchmarkGame) -> int | None:
        self._game = pyspiel.load_game(game.openspiel)
        return None

    def start(self, algorithm: str) -> None:
        if algorithm == "external":
            self._solver = pyspiel.ExternalSamplingMCCFRSolver(self._game, seed=1)
        else:
            self._solver = pyspiel.OutcomeSamplingMCCFRSolver(self._game, epsilon=0.6, seed=1)

    def advance(self, iterations: int) -> None:
        step = self._solver.run_iteration
        for _ in range(iterations):
            step()

    def exploitability(self) -> float:
        return float(pyspiel.exploitability(self._game, self._solver.average_policy()))
