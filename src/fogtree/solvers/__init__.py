"""Algorithms that find equilibria of compiled games."""

from fogtree.runs.progress import Check
from fogtree.solvers.compare import Comparison, compare
from fogtree.solvers.linear_program import Equilibrium, equilibrium
from fogtree.solvers.recipes import RECIPES, Recipe, recipe
from fogtree.solvers.run import Run
from fogtree.solvers.solve import resume, saved_strategy, solve
from fogtree.solvers.tabular import TabularSolver

__all__ = [
    "RECIPES",
    "Check",
    "Comparison",
    "Equilibrium",
    "Recipe",
    "Run",
    "TabularSolver",
    "compare",
    "equilibrium",
    "recipe",
    "resume",
    "saved_strategy",
    "solve",
]
