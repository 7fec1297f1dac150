"""OpenSpiel's C++ CFR+, on the game's own states or on a Gambit tree of it."""

from __future__ import annotations

from importlib.metadata import version

import pyspiel

from peers.gambit import gambit_tree
from peers.games import BenchmarkGame


class OpenSpielCpp:
    """The solver as users call it: it walks the C++ game's states every iteration."""

    algorithms = ("cfr+",)
    precision = "float64"

    def __init__(self) -> None:
        self.versions = {"open_spiel": version("open_spiel")}

    def build(self, game: BenchmarkGame) -> int | None:
        self._game = pyspiel.load_game(game.openspiel)
        return None

    def start(self, algorithm: str) -> None:
        self._solver = pyspiel.CFRPlusSolver(self._game)

    def advance(self, iterations: int) -> None:
        step = self._solver.evaluate_and_update_policy
        for _ in range(iterations):
            step()

    def exploitability(self) -> float:
        return float(pyspiel.exploitability(self._game, self._solver.average_policy()))


class OpenSpielCppTree(OpenSpielCpp):
    """The same solver on the game written out as a Gambit tree, whose states are cheaper to copy.

    It is the fastest way known to run this solver, at the price of holding the tree.
    """

    def build(self, game: BenchmarkGame) -> int | None:
        text, infosets = gambit_tree(pyspiel.load_game(game.openspiel))
        self._game = pyspiel.load_efg_game(text)
        return infosets
