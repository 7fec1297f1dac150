"""fogtree: solve, sample, search and play games with hidden information.

>>> import fogtree
>>> run = fogtree.solve("kuhn_poker", "cfr+", iterations=1000)
>>> run.strategy["Jcb"]
{'fold': 1.0, 'call': 0.0}

Names are imported when first used, so that ``import fogtree`` takes no time by itself. What type
checkers see of them is in ``__init__.pyi``.
"""

from importlib import import_module

__version__ = "0.1.0"

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
"""Modules, and the names of the public interface that live in them."""

_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)  # noqa: PLE0605 - a list all the same


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'fogtree' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
