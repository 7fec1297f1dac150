"""Results of functions of a game, kept for the next call."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

from fogtree.game.protocol import Game

Function = TypeVar("Function", bound=Callable[..., Any])


def kept_per_game(most: int) -> Callable[[Function], Function]:
    """Keep the last ``most`` results of a function whose first argument is a game. A game of your
    own that cannot be hashed is computed anew each time."""

    def keep(function: Function) -> Function:
        cached = lru_cache(maxsize=most)(function)

        @wraps(function)
        def found(game: Game, *given: Any) -> Any:
            try:
                hash(game)
            except Exception:  # whatever a user's own __hash__ raises
                return function(game, *given)
            return cached(game, *given)

        return cast("Function", found)

    return keep
