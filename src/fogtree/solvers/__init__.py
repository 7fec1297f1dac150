"""Algorithms that find equilibria of compiled games."""

from fogtree.runs.progress import Check
from fogtree.solvers.recipes import RECIPES, Recipe, recipe
from fogtree.solvers.run import Run
from fogtree.solvers.solve import resume, saved_strategy, solve
from fogtree.solvers.tabular import TabularSolver

__all__ = [
    "RECIPES",
    "Check",
    "Recipe",
    "Run",
    "TabularSolver",
    "recipe",
    "resume",
    "saved_strategy",
    "solve",
]
