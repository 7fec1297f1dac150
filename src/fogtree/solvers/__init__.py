"""Algorithms that find equilibria of compiled games."""

from fogtree.runs.progress import Check
from fogtree.solvers.recipes import RECIPES, Recipe, recipe
from fogtree.solvers.run import Run
from fogtree.solvers.solve import resume, solve
from fogtree.solvers.strategy_files import load_strategy
from fogtree.solvers.tabular import TabularSolver

__all__ = [
    "RECIPES",
    "Check",
    "Recipe",
    "Run",
    "TabularSolver",
    "load_strategy",
    "recipe",
    "resume",
    "solve",
]
