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
    "dark_hex": "fogtree.games.dark_hex",
    "fog_chess": "fogtree.games.fog_chess",
    "cambia": "fogtree.games.cambia",
}
"""Names of games and their modules, from the smallest game to the largest."""

SMALL_GAMES = (
    "kuhn_poker",
    "liars_dice(sides=3)",
    "phantom_ttt(rows=1, columns=5, line=2, max_plies=4)",
    "leduc_poker",
)
"""Games small enough to search at every information set, for studies that name no game."""
