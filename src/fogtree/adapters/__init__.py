"""Games and strategies for other libraries: PettingZoo, Gymnasium, OpenSpiel and Gambit."""

from fogtree.text.specs import parse_spec

PREFIXES = {
    "openspiel": "fogtree.adapters.openspiel_import:from_openspiel",
    "efg": "fogtree.adapters.efg_reader:read_efg",
}
"""Prefixes of games from other libraries, and what makes such a game from the rest of its name."""


def reads_files(spec: str) -> bool:
    """Whether a game's spec names a file on this machine: Gambit's, or one that OpenSpiel reads."""
    read = parse_spec(spec)
    return read.name == "efg" or (read.name == "openspiel" and "file" in read.argument)
