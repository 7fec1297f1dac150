"""The agents that visitors may play against: by name, without files or programs, and bounded."""

from __future__ import annotations

import re
from dataclasses import replace

from fogtree.agents import Agent, agent_names
from fogtree.agents import agent as make_agent
from fogtree.agents.equilibrium import EquilibriumAgent, is_small
from fogtree.agents.lookup import agent_entries
from fogtree.agents.protocol import Clairvoyant
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.registry import resolve
from fogtree.search.agent import SearchAgent
from fogtree.search.settings import SearchSettings
from fogtree.text.specs import parse_spec
from fogtree.web.limits import Limits

_PLAIN = re.compile(r"[\w-]+")


def load_opponent(spec: str, game: Game, limits: Limits) -> Agent:
    """An agent by its spec. One that reads a file, starts a program or sees everything is refused,
    and a search is held to the server's limits."""
    _check(spec, game)
    agent = make_agent(spec, game)
    if isinstance(agent, Clairvoyant):
        agent.close()
        raise OptionError(f"{spec} sees everything: it cannot play against people")
    if isinstance(agent, SearchAgent):
        agent.settings = bounded(agent.settings, limits, limits.search_bytes)
    return agent


def opponent_names(game: Game) -> list[str]:
    """The listed agents that may play against people: those that do not see everything, and the
    equilibrium only where the game is small enough to be solved at once."""
    entries = agent_entries(game)
    makers = {name: resolve(entries[name].make) for name in agent_names(game)}
    return [
        name
        for name, make in makers.items()
        if not (isinstance(make, type) and issubclass(make, Clairvoyant))
        and (make is not EquilibriumAgent or is_small(game))
    ]


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


def bounded(settings: SearchSettings, limits: Limits, most_bytes: int) -> SearchSettings:
    """Settings of a search within the limits of a server: memory, threads, and no clock or
    pondering of its own."""
    asked = settings.options.most_bytes
    memory = min(asked, most_bytes) if asked else most_bytes
    counted = settings.own_budget and not settings.budget.seconds
    return replace(
        settings,
        options=replace(settings.options, most_bytes=memory),
        threads=1 if counted else min(settings.threads, limits.search_threads),
        cap=None if settings.cap is None else min(settings.cap, limits.belief_positions),
        clock=None,
        ponder=False,
    )
