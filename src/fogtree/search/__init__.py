"""Knowledge-limited search: solve only what matters here and now, and play it."""

from fogtree.search.agent import Budget, Decision, TreeSearchAgent
from fogtree.search.behaviour import behaviour
from fogtree.search.options import PRESETS, SearchOptions, search_options

__all__ = [
    "PRESETS",
    "Budget",
    "Decision",
    "SearchOptions",
    "TreeSearchAgent",
    "behaviour",
    "search_options",
]
