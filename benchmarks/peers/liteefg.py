"""LiteEFG's CFR+, discounted CFR and predictive CFR+, on its native tree."""

from __future__ import annotations

import os
import tempfile
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path

import LiteEFG
import pyspiel
from LiteEFG.baselines import DCFR, PCFR, CFRplus

from peers.games import BenchmarkGame


class LiteEfg:
    """The graphs it ships, updated player by player as its training script does.

    Averages of CFR+ and PCFR+ are its linear ones; DCFR keeps its own.
    """

    algorithms = ("cfr+", "dcfr", "pcfr+")
    precision = "float64"

    def __init__(self) -> None:
        self.versions = {"LiteEFG": version("LiteEFG"), "open_spiel": version("open_spiel")}
        LiteEFG.set_threads(1)

    def build(self, game: BenchmarkGame) -> int | None:
        self._write(game)
        with self._file.open(encoding="utf-8") as lines:
            return sum(line.startswith("infoset ") for line in lines)

    def _write(self, game: BenchmarkGame) -> None:
        """Write the file of a game."""
        self._folder = tempfile.TemporaryDirectory(prefix="liteefg-")
        # Written by another process: what is resident here is then only the solver's own.
        writer = get_context("fork").Process(target=write_game, args=(game, self._folder.name))
        writer.start()
        writer.join()
        if writer.exitcode != 0:
            raise RuntimeError(f"LiteEFG could not write {game.title}")
        (self._file,) = Path(self._folder.name, "game_instances").iterdir()

    def start(self, algorithm: str) -> None:
        graphs = {"cfr+": CFRplus.graph, "dcfr": DCFR.graph, "pcfr+": PCFR.graph}
        self._environment = LiteEFG.FileEnv(str(self._file))
        self._graph = graphs[algorithm]()
        self._environment.set_graph(self._graph)
        self._keeps_own_average = algorithm == "dcfr"

    def advance(self, iterations: int) -> None:
        graph, environment = self._graph, self._environment
        for _ in range(iterations):
            graph.update_graph(environment)
            if not self._keeps_own_average:
                environment.update_strategy(graph.current_strategy())

    def exploitability(self) -> float:
        if self._keeps_own_average:
            strategy, kind = self._graph.current_strategy("average-iterate"), "default"
        else:
            strategy, kind = self._graph.current_strategy(), "linear-avg-iterate"
        return float(sum(self._environment.exploitability(strategy, kind))) / 2


def write_game(game: BenchmarkGame, folder: str) -> None:
    os.environ["HOME"] = folder  # where the library keeps its game files
    LiteEFG.OpenSpielEnv(pyspiel.load_game(game.openspiel), regenerate=True)
