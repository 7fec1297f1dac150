"""A cache for functions of a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from fogtree.game.protocol import Game

Function = TypeVar("Function", bound=Callable[..., Any])


def kept_per_game(most: int) -> Callable[[Function], Function]:
    """A decorator that caches the last ``most`` results of a function whose first argument is a
    game. For a game that cannot be hashed the function is called each time."""

    def keep(function: Function) -> Function:
        """The decorator: the function with a cache."""
        cached = lru_cache(maxsize=most)(function)

        @wraps(function)
        def found(game: Game, *given: Any) -> Any:
            """The cached result, or a new one for a game that cannot be hashed."""
            try:
                hash(game)
            except Exception:  # whatever a user's own __hash__ raises
                return function(game, *given)
            return cached(game, *given)

        return cast("Function", found)

    return keep
