"""Native simulators: games that can be sampled at native speed without being compiled."""

from __future__ import annotations

from fogtree import _core
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game.protocol import Game


def simulator_of(game: Game, abstraction: str | None = None) -> _core.SimulatedGame:
    """A game's native simulator; an error in one line if there is none."""
    if abstraction is not None and abstraction not in game.abstractions:
        if not game.abstractions:
            raise OptionError(f"{game} has no abstractions")
        raise UnknownNameError(f"abstraction of {game.short_name}", abstraction, game.abstractions)
    found = game.simulator(abstraction)
    if found is None:
        raise OptionError(f"there is no native simulator of {game}; it must be compiled")
    return found
