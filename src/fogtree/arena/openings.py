"""Where the games of a match begin, for games that offer a choice of starting positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.registry import entry_of, resolve

DEALS_PER_TASK = 25  # deals that a worker process plays in one task, by default


@dataclass(frozen=True, slots=True)
class Openings:
    """Starting positions, each as a game of its own; deals take them in turn."""

    name: str
    """The spec that was given, or the default one."""
    games: tuple[Game, ...]
    deals_per_task: int = DEALS_PER_TASK
    """Deals in one task of a worker process; few where games are long."""


class FindOpenings(Protocol):
    """A function that a game registers: finds openings by their spec (None: the default);
    ``count`` is the number of deals of a match."""

    def __call__(self, game: Game, spec: str | None, *, count: int, seed: int) -> Openings: ...


def find_openings(game: Game, spec: str | None, *, count: int, seed: int) -> Openings | None:
    """The openings of a match of ``count`` deals; None for a game that always begins in the same
    way."""
    find: FindOpenings | None = resolve(entry_of(game).openings)
    if find is not None:
        return find(game, spec, count=count, seed=seed)
    if spec is not None:
        raise OptionError(f"{game} has no openings: every game begins in the same way")
    return None
