"""fogtree: solve, sample, search and play games with hidden information.

>>> import fogtree
>>> run = fogtree.solve("kuhn_poker", "cfr+", iterations=1000)
>>> run.strategy["Jcb"]
{'fold': 1.0, 'call': 0.0}

Everything a user needs is an attribute of ``fogtree``: functions are verbs (``solve``, ``train``,
``play``, ``explain``), classes are their results, and a game is given by name, as a ``Game`` or
as a ``GameTree``. No function has the name of a package: ``fogtree.arena`` and ``fogtree.search``
are packages; ``fogtree.match``, ``fogtree.tournament`` and ``fogtree.analyse`` are functions.

Names are imported when first used, so that ``import fogtree`` takes no time by itself. What type
checkers see of them is in ``__init__.pyi``.
"""

from importlib import import_module

__version__ = "0.2.0"

_HOMES = {
    "fogtree.adapters.efg_reader": ("read_efg",),
    "fogtree.adapters.efg_writer": ("write_efg",),
    "fogtree.adapters.environments": ("to_gymnasium", "to_pettingzoo"),
    "fogtree.adapters.openspiel_export": ("to_openspiel", "to_openspiel_policy"),
    "fogtree.adapters.openspiel_import": ("from_openspiel",),
    "fogtree.adapters.openspiel_strings": ("openspiel_infosets",),
    "fogtree.agents": (
        "Agent",
        "AnyAgent",
        "Budget",
        "Decision",
        "Observation",
        "agent",
        "agent_names",
    ),
    "fogtree.arena": (
        "GameRecord",
        "MatchResult",
        "Tournament",
        "match",
        "play",
        "replay",
        "tournament",
    ),
    "fogtree.deep.config": ("TrainingOptions",),
    "fogtree.deep.exploit": ("Exploitation", "exploit"),
    "fogtree.deep.train": ("TrainingRun", "train"),
    "fogtree.errors": ("FogtreeError",),
    "fogtree.evaluate": (
        "BestResponse",
        "Exploitability",
        "InfosetReport",
        "best_response",
        "exploitability",
        "inspect",
    ),
    "fogtree.explanation": ("Explanation", "explain"),
    "fogtree.game": ("CHANCE", "TERMINAL", "Game", "History", "State"),
    "fogtree.game.native_simulators": ("include_dir", "native_simulator"),
    "fogtree.minimizers": ("Minimizer",),
    "fogtree.registry": ("AgentEntry", "GameEntry", "game_names", "load_game", "register_game"),
    "fogtree.report.analyse": ("analyse",),
    "fogtree.report.analysis": ("AnalysisReport",),
    "fogtree.search": ("SearchDecision",),
    "fogtree.solvers": (
        "RECIPES",
        "Check",
        "Recipe",
        "Run",
        "TabularSolver",
        "load_strategy",
        "recipe",
        "resume",
        "solve",
    ),
    "fogtree.solvers.compare": ("Comparison", "compare"),
    "fogtree.solvers.linear_program": ("Equilibrium", "equilibrium"),
    "fogtree.solvers.simulated": ("SimulatedRun", "resume_simulated", "simulate"),
    "fogtree.strategy": ("Strategy",),
    "fogtree.strategy.formats": ("write_strategy",),
    "fogtree.strategy.hashed": ("HashedStrategy",),
    "fogtree.tree": ("AnyGame", "GameTree", "Sizes", "compile"),
}
"""Modules, and the names of the public interface that live in them."""

_MODULES = ("errors", "plot")
"""Modules that are part of the public interface themselves."""

_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, *_MODULES])  # noqa: PLE0605 - a list all the same


def __getattr__(name: str) -> object:
    """Import a public name from the module that defines it when it is first used, so that ``import
    fogtree`` is quick."""
    if name in _MODULES:
        return import_module(f"fogtree.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'fogtree' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
