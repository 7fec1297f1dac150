"""The solvers that can be measured, by name; nothing is imported until one is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module

from peers.solver import BenchmarkSolver


@dataclass(frozen=True)
class SolverEntry:
    """Where a solver is found and how it is shown."""

    name: str
    title: str
    module: str
    factory: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    threads: int = 1
    needs_peer_environment: bool = True
    slow_to_build: bool = False
    """Takes minutes for a large game, so that the quick mode leaves it out there."""
    slow: bool = False
    """Takes many seconds for one iteration of a large game."""

    def create(self) -> BenchmarkSolver:
        """Import the solver's library and make the solver."""
        factory = getattr(import_module(self.module), self.factory)
        solver: BenchmarkSolver = factory(**self.options)
        return solver


def _fogtree(name: str, title: str, precision: str, threads: int) -> SolverEntry:
    return SolverEntry(
        name,
        title,
        "peers.fogtree_tabular",
        "Fogtree",
        options={"precision": precision, "threads": threads},
        threads=threads,
        needs_peer_environment=False,
    )


SOLVERS = {
    entry.name: entry
    for entry in (
        _fogtree("fogtree-float32", "fogtree, float32", "float32", 1),
        _fogtree("fogtree-float64", "fogtree, float64", "float64", 1),
        _fogtree("fogtree-2-threads", "fogtree, float32, 2 threads", "float32", 2),
        SolverEntry("openspiel-cpp", "OpenSpiel C++", "peers.openspiel_cpp", "OpenSpielCpp"),
        SolverEntry(
            "openspiel-cpp-tree",
            "OpenSpiel C++, Gambit tree",
            "peers.openspiel_cpp",
            "OpenSpielCppTree",
        ),
        SolverEntry(
            "openspiel-python",
            "OpenSpiel Python",
            "peers.openspiel_python",
            "OpenSpielPython",
            slow=True,
        ),
        SolverEntry(
            "openspiel-jax",
            "OpenSpiel JAX",
            "peers.openspiel_jax",
            "OpenSpielJax",
            slow_to_build=True,
        ),
        SolverEntry("liteefg", "LiteEFG", "peers.liteefg", "LiteEfg"),
    )
}


def _sampler(name: str, title: str, module: str, factory: str, threads: int = 1) -> SolverEntry:
    ours = name.startswith("fogtree")
    return SolverEntry(
        name,
        title,
        module,
        factory,
        options={"workers": threads} if ours else {},
        threads=threads,
        needs_peer_environment=not ours,
    )


SAMPLERS = {
    entry.name: entry
    for entry in (
        _sampler("fogtree-sampled", "fogtree", "peers.fogtree_sampled", "FogtreeSampled"),
        _sampler(
            "fogtree-sampled-2", "fogtree, 2 threads", "peers.fogtree_sampled", "FogtreeSampled", 2
        ),
        _sampler(
            "openspiel-sampled", "OpenSpiel C++", "peers.openspiel_sampled", "OpenSpielSampled"
        ),
        _sampler("liteefg-sampled", "LiteEFG", "peers.liteefg_sampled", "LiteEfgSampled"),
    )
}
"""Monte Carlo samplers, measured by benchmarks/sampling.py."""
