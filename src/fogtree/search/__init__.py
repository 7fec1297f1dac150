"""Knowledge-limited search: solve the subgame around the present information set, and play it."""

from fogtree.search.agent import SearchAgent, search_agent, search_settings
from fogtree.search.behaviour import behaviour_strategy
from fogtree.search.decision import Candidate, SearchDecision
from fogtree.search.options import PRESETS, SearchOptions, search_options
from fogtree.search.settings import SearchSettings
from fogtree.search.tree_search import PossiblePosition, TreeSearch

__all__ = [
    "PRESETS",
    "Candidate",
    "PossiblePosition",
    "SearchAgent",
    "SearchDecision",
    "SearchOptions",
    "SearchSettings",
    "TreeSearch",
    "behaviour_strategy",
    "search_agent",
    "search_options",
    "search_settings",
]
