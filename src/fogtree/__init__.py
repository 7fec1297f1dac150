"""fogtree: solve, sample, search and play games with hidden information.

>>> from fogtree import compile, load_game, solve                        # doctest: +SKIP
>>> run = solve(load_game("kuhn_poker"), "cfr+", iterations=1000)         # doctest: +SKIP
>>> run.strategy["Jcb"]                                                   # doctest: +SKIP
{'fold': 1.0, 'call': 0.0}

Names are imported when first used, so that ``import fogtree`` costs nothing by itself.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in ``typing``, which takes longer to import than all else here
if TYPE_CHECKING:
    from typing import Any

    from fogtree.errors import FogtreeError
    from fogtree.evaluate.best_response import best_response, exploitability
    from fogtree.evaluate.inspect import inspect
    from fogtree.game import CHANCE, TERMINAL, Game, State
    from fogtree.games.openspiel import from_openspiel
    from fogtree.minimizers import Minimizer
    from fogtree.registry import game_names, load_game
    from fogtree.solvers.linear_program import Equilibrium, equilibrium
    from fogtree.solvers.recipes import RECIPES, Recipe, recipe
    from fogtree.solvers.run import Check, Run
    from fogtree.solvers.solve import resume, solve
    from fogtree.solvers.tabular import TabularSolver
    from fogtree.strategy import Strategy
    from fogtree.tree import GameTree, Sizes, compile

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "RECIPES",
    "TERMINAL",
    "Check",
    "Equilibrium",
    "FogtreeError",
    "Game",
    "GameTree",
    "Minimizer",
    "Recipe",
    "Run",
    "Sizes",
    "State",
    "Strategy",
    "TabularSolver",
    "best_response",
    "compile",
    "equilibrium",
    "exploitability",
    "from_openspiel",
    "game_names",
    "inspect",
    "load_game",
    "recipe",
    "resume",
    "solve",
]

_HOMES = {
    "fogtree.errors": ("FogtreeError",),
    "fogtree.evaluate": ("best_response", "exploitability", "inspect"),
    "fogtree.game": ("CHANCE", "TERMINAL", "Game", "State"),
    "fogtree.games.openspiel": ("from_openspiel",),
    "fogtree.minimizers": ("Minimizer",),
    "fogtree.registry": ("game_names", "load_game"),
    "fogtree.solvers": (
        "RECIPES",
        "Check",
        "Equilibrium",
        "Recipe",
        "Run",
        "TabularSolver",
        "equilibrium",
        "recipe",
        "resume",
        "solve",
    ),
    "fogtree.strategy": ("Strategy",),
    "fogtree.tree": ("GameTree", "Sizes", "compile"),
}
"""The modules that the names above live in."""

_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value
    raise AttributeError(f"module 'fogtree' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
