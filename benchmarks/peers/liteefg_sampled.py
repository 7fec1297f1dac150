"""LiteEFG's external and outcome sampling, on its native tree."""

from __future__ import annotations

import LiteEFG
from LiteEFG.baselines import CFR, OS_MCCFR

from peers.games import BenchmarkGame
from peers.liteefg import LiteEfg


class LiteEfgSampled(LiteEfg):
    """The graphs it ships, driven as its training script does.

    A sampled update is cheap, but the average that the script keeps is updated at every
    information set in every iteration; both are part of what a user waits for.
    """

    algorithms = ("external", "outcome")

    def build(self, game: BenchmarkGame) -> int | None:
        self._write(game)
        return None

    def start(self, algorithm: str) -> None:
        kind = "External" if algorithm == "external" else "Outcome"
        self._environment = LiteEFG.FileEnv(str(self._file), traverse_type=kind)
        self._graph = CFR.graph() if algorithm == "external" else OS_MCCFR.graph()
        self._environment.set_graph(self._graph)

    def advance(self, iterations: int) -> None:
        graph, environment = self._graph, self._environment
        for _ in range(iterations):
            graph.update_graph(environment)
            environment.update_strategy(graph.current_strategy())

    def exploitability(self) -> float:
        strategy = self._graph.current_strategy()
        return float(sum(self._environment.exploitability(strategy, "avg-iterate"))) / 2
