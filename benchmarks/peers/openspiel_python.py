"""OpenSpiel's Python CFR+ and discounted CFR."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, discounted_cfr

from peers.games import BenchmarkGame


class OpenSpielPython:
    """The pure-Python solvers; strategies are checked by the faster C++ best response."""

    algorithms = ("cfr+", "dcfr")
    precision = "float64"

    def __init__(self) -> None:
        self.versions = {"open_spiel": version("open_spiel"), "numpy": np.__version__}

    def build(self, game: BenchmarkGame) -> int | None:
        self._game = pyspiel.load_game(game.openspiel)
        return None

    def start(self, algorithm: str) -> None:
        solvers = {"cfr+": cfr.CFRPlusSolver, "dcfr": discounted_cfr.DCFRSolver}
        self._solver = solvers[algorithm](self._game)

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            self._solver.evaluate_and_update_policy()

    def exploitability(self) -> float:
        average = policy.python_policy_to_pyspiel_policy(self._solver.average_policy())
        return float(pyspiel.exploitability(self._game, average))
