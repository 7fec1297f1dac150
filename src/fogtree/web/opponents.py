"""The agents that can play a game here: by name, without files or programs, and bounded."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from fogtree.agents import Agent, agent_entries, agent_names, agent_summary, sees_everything
from fogtree.agents import agent as make_agent
from fogtree.agents.equilibrium import MOST_INFOSETS, EquilibriumAgent, is_small
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.game.kept import kept_per_game
from fogtree.registry import entry_of, resolve
from fogtree.search.agent import SearchAgent, search_agent
from fogtree.search.settings import SearchSettings
from fogtree.text.specs import parse_spec
from fogtree.web.game_size import too_large
from fogtree.web.limits import Limits

_LEVELS = ("easy", "medium", "hard", None)
_PLAIN = re.compile(r"[\w-]+")


def load_opponent(spec: str, game: Game, limits: Limits) -> Agent:
    """An agent by its spec. One that reads a file, starts a program or sees everything is refused,
    and a search is held to the server's limits."""
    _check(spec, game)
    name = parse_spec(spec, "agent").name
    if sees_everything(game, name):
        raise OptionError(f"{spec} sees everything: it cannot play against people")
    if name not in _opponents(game, limits):
        check_size(name, game, limits)
    agent = make_agent(spec, game)
    if isinstance(agent, SearchAgent):
        agent.settings = bounded(agent.settings, game, limits, limits.search_bytes)
    return agent


def agents_document(game: Game, limits: Limits) -> dict[str, Any]:
    """The agents that can play a game with these parameters: those of matches, those that see
    everything, those that may play against people from easy to hard, and what each is called and
    does."""
    entries = agent_entries(game)
    names = [name for name in agent_names(game) if too_large_for(name, game, limits) is None]
    opponents = _opponents(game, limits)
    named = [name for name in agent_names(game) if name in {*names, *opponents}]
    return {
        "agents": names,
        "sees_everything": [name for name in names if sees_everything(game, name)],
        "opponents": sorted(opponents, key=lambda name: _LEVELS.index(entries[name].level)),
        "agent_titles": {name: entries[name].words for name in named},
        "agent_levels": {name: entries[name].level for name in named},
        "agent_summaries": {name: agent_summary(game, name) for name in named},
    }


def _opponents(game: Game, limits: Limits) -> list[str]:
    """The agents that may play against people. A search plays a game that is too large to be
    compiled too: against one person at a time it is fast enough."""
    return [
        name
        for name in agent_names(game)
        if not sees_everything(game, name)
        and (
            too_large_for(name, game, limits) is None
            or resolve(agent_entries(game)[name].make) is search_agent
        )
    ]


def too_large_for(name: str, game: Game, limits: Limits) -> str | None:
    """Why an agent cannot play a game of this size, in one line; None if it can."""
    make = resolve(agent_entries(game)[name].make)
    if make is EquilibriumAgent and not _is_small(game):
        return (
            f"equilibrium does not play {game}: only games of at most {MOST_INFOSETS:,} "
            "information sets are solved at once; choose smaller parameters or another agent"
        )
    if make is search_agent and entry_of(game).search is None:
        why = too_large(game, limits.compile_bytes)
        return None if why is None else f"search has to compile its game, and {why}"
    return None


def check_size(name: str, game: Game, limits: Limits) -> None:
    """Refuse an agent for which a game is too large."""
    why = too_large_for(name, game, limits)
    if why is not None:
        raise OptionError(why)


_is_small = kept_per_game(64)(is_small)


def _check(spec: str, game: Game) -> None:
    """Refuse what is not among the listed agents, and every setting that could name a file."""
    read = parse_spec(spec, "agent")
    if read.name not in agent_names(game):
        raise UnknownNameError("agent", read.name, agent_names(game))
    named = [read.argument] if read.argument else []
    named += [value for value in read.settings.values() if isinstance(value, str)]
    if read.argument and agent_entries(game)[read.name].argument != "evaluator":
        raise OptionError(f"this server offers {read.name} without a file")
    for text in named:
        if not _PLAIN.fullmatch(text):
            raise OptionError(f"'{text[:40]}' is not offered by this server: use a plain name")


def takes_time(spec: str, game: Game) -> bool:
    """Whether an agent uses the time it is given; others answer after a short fixed time."""
    entry = agent_entries(game)[parse_spec(spec, "agent").name]
    return entry.slow or entry.argument is not None


def bounded(
    settings: SearchSettings, game: Game, limits: Limits, most_bytes: int
) -> SearchSettings:
    """Settings of a search within the limits of a server: memory, threads, and no clock or
    pondering of its own."""
    own = entry_of(game).search is not None
    fits = own or too_large(game, limits.compile_bytes) is None
    asked = settings.options.most_bytes
    memory = min(asked, most_bytes) if asked else most_bytes
    counted = settings.own_budget and not settings.budget.seconds
    return replace(
        settings,
        options=replace(settings.options, most_bytes=memory),
        threads=1 if counted else min(settings.threads, limits.search_threads),
        cap=None if settings.cap is None else min(settings.cap, limits.belief_positions),
        compile=settings.compile and fits,
        clock=None,
        ponder=False,
    )
