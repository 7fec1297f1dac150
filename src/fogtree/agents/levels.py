"""Levels of strength: opponents of a game from a beginner to full strength, by number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fogtree.agents.lookup import agent, agent_entries
from fogtree.agents.protocol import Agent
from fogtree.errors import OptionError
from fogtree.game import Game
from fogtree.registry import LEVEL_AGENT, entry_of, resolve
from fogtree.text.specs import parse_spec


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
    made = agent(_numbered(game, str(number)).agent, game)
    made.name = f"level:{number}"
    return made


def deciding_agent(spec: str, game: Game) -> str:
    """The spec of the agent that decides: for ``level:3`` that of the level, else ``spec`` itself.

    >>> import fogtree
    >>> deciding_agent("level:10", fogtree.load_game("fog_chess"))
    'search'
    """
    read = parse_spec(spec, "agent")
    if read.argument and agent_entries(game).get(read.name) is LEVEL_AGENT:
        return _numbered(game, read.argument).agent
    return spec


def _numbered(game: Game, number: str) -> Level:
    """The level of a game with this number, 1 being the weakest."""
    levels = levels_of(game)
    known = {str(place): level for place, level in enumerate(levels, 1)}
    if number not in known:
        have = f"levels 1 to {len(levels)}" if levels else "no levels"
        raise OptionError(f"{game.short_name or game} has {have}, not '{number[:20]}'")
    return known[number]
