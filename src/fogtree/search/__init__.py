"""Knowledge-limited search: solve only what matters here and now, and play it."""

from fogtree.search.agent import Possible, TreeSearchAgent
from fogtree.search.behaviour import behaviour
from fogtree.search.decision import Candidate, SearchDecision
from fogtree.search.options import PRESETS, SearchOptions, search_options

__all__ = [
    "PRESETS",
    "Candidate",
    "Possible",
    "SearchDecision",
    "SearchOptions",
    "TreeSearchAgent",
    "behaviour",
    "search_options",
]
