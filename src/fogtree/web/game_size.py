"""Whether a game is far too large to be compiled, by a quick estimate."""

from __future__ import annotations

from fogtree.game import Game
from fogtree.game.kept import kept_per_game
from fogtree.tree.size import guess_size
from fogtree.web.titles import game_title

_PATHS = 12  # random games from which the size of a game is estimated
_CLEARLY = 1e4  # a random game ends early once it suggests this many times the limit
_BYTES = 100  # per history: fewer than any game needs


@kept_per_game(64)
def too_large(game: Game, compile_bytes: int) -> str | None:
    """Why a game is far too large to be compiled, by a quick estimate; None if it is not."""
    most = compile_bytes / _BYTES
    guess = guess_size(game, groups=_PATHS, paths=1, enough=_CLEARLY * most)
    if guess.lower_bound <= most:
        return None
    return (
        f"{game_title(str(game))} is too large to be solved here: by estimate it has more than "
        f"{guess.lower_bound:.0e} histories; choose smaller parameters or another game"
    )
