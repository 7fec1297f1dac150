"""The games that come with fogtree: each is a module or a folder that registers one ``ENTRY``."""

GAMES = {
    "rock_paper_scissors": "fogtree.games.rock_paper_scissors",
    "matching_pennies": "fogtree.games.matching_pennies",
    "kuhn_poker": "fogtree.games.kuhn_poker",
    "leduc_poker": "fogtree.games.leduc_poker",
    "goofspiel": "fogtree.games.goofspiel",
    "battleship": "fogtree.games.battleship",
    "liars_dice": "fogtree.games.liars_dice",
    "phantom_ttt": "fogtree.games.phantom_ttt",
    "fog_chess": "fogtree.games.fog_chess",
    "cambia": "fogtree.games.cambia",
}
"""Names of games and their modules, from the smallest game to the largest."""

PREFIXES = {"openspiel": "fogtree.games.openspiel:from_openspiel"}
"""Prefixes of games from other libraries, and what makes such a game from the rest of its name."""
