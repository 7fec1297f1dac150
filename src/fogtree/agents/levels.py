"""Levels of strength: opponents of a game from a beginner to full strength, by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.agents.lookup import agent
from fogtree.agents.protocol import Agent
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.registry import entry_of, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One strength of a game's opponents."""

    name: str
    """How it plays, in a few words."""
    agent: str
    """The agent that plays at this level."""
    elo: int
    """Its measured rating; the game says which player anchors the scale."""
    margin: int
    """Half of the 95 % interval of ``elo``."""
    seconds: float
    """Usual time per move: all of it is used if ``uses_time``, otherwise it is an upper bound."""
    uses_time: bool = False
    """Whether it plays better with more time; the others are limited by their settings."""


def levels_of(game: Game) -> Sequence[Level]:
    """The levels of a game, the weakest first; empty if it has none.

    >>> import fogtree
    >>> len(levels_of(fogtree.load_game("fog_chess")))
    10
    """
    found: Sequence[Level] = resolve(entry_of(game).levels) or ()
    return found


def level_of_elo(levels: Sequence[Level], elo: int) -> Level:
    """The strongest level whose rating is at most ``elo``, or else the weakest one."""
    return max(
        (level for level in levels if level.elo <= elo),
        key=lambda level: level.elo,
        default=levels[0],
    )


def level_agent(game: Game, number: str | int) -> Agent:
    """Plays at one of the game's levels of strength, 1 being the weakest."""
    levels, text = levels_of(game), str(number)
    known = {str(place): level for place, level in enumerate(levels, 1)}
    if text not in known:
        have = f"levels 1 to {len(levels)}" if levels else "no levels"
        raise OptionError(f"{game.short_name or game} has {have}, not '{text[:20]}'")
    made = agent(known[text].agent, game)
    made.name = f"level:{text}"
    return made
