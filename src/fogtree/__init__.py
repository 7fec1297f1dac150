"""fogtree: solve, sample, search and play games with hidden information.

>>> from fogtree import compile, load_game, solve                        # doctest: +SKIP
>>> run = solve(load_game("kuhn_poker"), "cfr+", iterations=1000)         # doctest: +SKIP
>>> run.strategy["Jcb"]                                                   # doctest: +SKIP
{'fold': 1.0, 'call': 0.0}
"""

from fogtree.errors import FogtreeError
from fogtree.evaluate import best_response, exploitability, inspect
from fogtree.game import CHANCE, TERMINAL, Game, State
from fogtree.games import game_names, load_game
from fogtree.games.openspiel import from_openspiel
from fogtree.minimizers import Minimizer
from fogtree.solvers import (
    RECIPES,
    Check,
    Equilibrium,
    Recipe,
    Run,
    TabularSolver,
    equilibrium,
    recipe,
    resume,
    solve,
)
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
