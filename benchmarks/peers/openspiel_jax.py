"""OpenSpiel's JAX CFR+, compiled by XLA for the processor."""

from __future__ import annotations

from importlib.metadata import version

import jax
import jax.numpy as jnp
import pyspiel
from open_spiel.python import policy
from open_spiel.python.jax.cfr.jax_cfr import JaxCFR

from peers.games import BenchmarkGame


class OpenSpielJax:
    """The solver with its defaults: regret matching+, alternating updates, linear averaging."""

    algorithms = ("cfr+",)
    precision = "float32"

    def __init__(self) -> None:
        names = ("open_spiel", "jax", "jaxlib")
        self.versions = {name: version(name) for name in names}

    def build(self, game: BenchmarkGame) -> int | None:
        self._game = pyspiel.load_game(game.openspiel)
        self._solver = JaxCFR(self._game)
        self.advance(1)  # compiles
        return sum(len(known) - 1 for known in self._solver.iset_map)  # one is its root's dummy

    def start(self, algorithm: str) -> None:
        # A new solver would compile again, for minutes on the larger games.
        self._solver.regrets = [jnp.zeros_like(regret) for regret in self._solver.regrets]
        self._solver.averages = [jnp.zeros_like(average) for average in self._solver.averages]
        self._solver.timestep = 1

    def advance(self, iterations: int) -> None:
        self._solver.multiple_steps(iterations)
        jax.block_until_ready((self._solver.regrets, self._solver.averages))

    def exploitability(self) -> float:
        average = policy.python_policy_to_pyspiel_policy(self._solver.average_policy())
        return float(pyspiel.exploitability(self._game, average))
