"""Games and strategies in the forms of other libraries: PettingZoo, Gymnasium, OpenSpiel."""

PREFIXES = {"openspiel": "fogtree.adapters.openspiel_import:from_openspiel"}
"""Prefixes of games from other libraries, and what makes such a game from the rest of its name."""
