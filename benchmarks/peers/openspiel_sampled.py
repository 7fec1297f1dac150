"""OpenSpiel's C++ samplers, as users call them."""

from __future__ import annotations

import pyspiel

from peers.openspiel_cpp import OpenSpielCpp


class OpenSpielSampled(OpenSpielCpp):
    """External sampling with its simple averaging, outcome sampling with exploration 0.6."""

    algorithms = ("external", "outcome")

    def start(self, algorithm: str) -> None:
        if algorithm == "external":
            self._solver = pyspiel.ExternalSamplingMCCFRSolver(self._game, seed=1)
        else:
            self._solver = pyspiel.OutcomeSamplingMCCFRSolver(self._game, epsilon=0.6, seed=1)

    def advance(self, iterations: int) -> None:
        step = self._solver.run_iteration
        for _ in range(iterations):
            step()
