"""The agents that can play a game here: by name, without other files or programs, and bounded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fogtree.agents import (
    Agent,
    agent_entries,
    agent_names,
    agent_summary,
    deciding_agent,
    sees_everything,
)
from fogtree.agents import agent as make_agent
from fogtree.agents.equilibrium import MOST_INFOSETS, EquilibriumAgent, is_small
from fogtree.agents.strategy_agent import StrategyAgent
from fogtree.arena.match import Contestant
from fogtree.deep.policy import read_policy
from fogtree.deep.support import support_for
from fogtree.errors import FogtreeError, MemoryLimitError, OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.game.kept import kept_per_game
from fogtree.registry import entry_of, resolve
from fogtree.search.agent import SearchAgent
from fogtree.search.settings import SearchSettings
from fogtree.text.specs import parse_spec
from fogtree.web.game_size import too_large
from fogtree.web.limits import Limits
from fogtree.web.run_files import list_runs
from fogtree.web.titles import agent_title

_LEVELS = ("easy", "medium", "hard", None)
_LOADERS = {
    "deep": "fogtree.deep.agent:load_deep",
    "tabular": "fogtree.agents.strategy_files:load_tabular",
}
"""The functions that load the agents of saved runs."""
Run = dict[str, Any]
"""A saved run as :func:`~fogtree.web.run_files.list_runs` describes it."""
_SAVED_SUMMARY = "Plays what a saved run on this server has learnt."
_PLAIN = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Roster:
    """Who plays on a server: agents by name, and those of the saved runs in its folder, which are
    written ``deep:RUN`` and ``tabular:RUN``."""

    limits: Limits
    runs: Path | None = None

    def load(self, spec: str, game: Game, *, against_people: bool) -> Agent:
        """An agent for a game against people or for a match of agents. One that reads another file,
        starts a program or may not play here is refused, and a search is held to the server's
        limits."""
        kind, _, run = spec.partition(":")
        if kind in _LOADERS and run:
            return self._load_run(spec, game)
        if deciding_agent(spec, game) == spec:  # a level's own settings are not the visitor's
            _check(spec, game)
        why = refusal(deciding_agent_name(spec, game), game, against_people=against_people)
        if why is not None:
            raise OptionError(why)
        agent = make_agent(spec, game)
        if isinstance(agent, SearchAgent):
            memory = self.limits.search_bytes if against_people else self.limits.match_search_bytes
            agent.settings = bounded(agent.settings, game, self.limits, memory)
        return agent

    def contestant(self, spec: str, game: Game) -> Contestant:
        """One side of a match by its spec, which is also its name in results. The agent is made
        anew for each game; an error if it may not play here."""
        agent = self.load(spec, game, against_people=False)
        agent.close()
        if isinstance(agent, SearchAgent):
            return Contestant(spec, agent.settings)
        saved = self._saved(game).get(spec)
        if saved is not None and isinstance(agent, StrategyAgent):
            return Contestant(spec, agent.strategy)  # compiled within the server's memory
        return Contestant(spec, saved or spec)

    def document(self, game: Game, runs: Sequence[Run] | None = None) -> dict[str, Any]:
        """The agents that can play a game with these parameters: those of matches, those that see
        everything, those that may play against people from easy to hard, and what each is called
        and does. ``runs`` are those of :meth:`saved_runs`, if the caller has them."""
        entries, files = agent_entries(game), self._saved(game, runs)
        saved = list(files)
        if saved and too_large(game, self.limits.compile_bytes):
            saved = [spec for spec in saved if not _needs_compiling(files[spec], game)]
        names, opponents = (
            [one for one in agent_names(game) if refusal(one, game, against_people=people) is None]
            for people in (False, True)
        )
        opponents.sort(key=lambda name: _LEVELS.index(entries[name].level))
        return {
            "agents": [*names, *saved],
            "sees_everything": [name for name in names if sees_everything(game, name)],
            "opponents": [*opponents, *saved],
            "agent_titles": {name: agent_title(name, game) for name in (*names, *saved)},
            "agent_levels": {name: entries[name].level for name in names},
            "agent_summaries": {name: agent_summary(game, name) for name in names}
            | dict.fromkeys(saved, _SAVED_SUMMARY),
            "not_offered": _not_offered(game),
        }

    def saved_runs(self) -> Sequence[Run]:
        """The saved runs in the server's folder."""
        return [] if self.runs is None else list_runs(self.runs)

    def _saved(self, game: Game, runs: Sequence[Run] | None = None) -> dict[str, str]:
        """The agents of saved runs for a game: their specs on this server, ``deep:RUN``, mapped to
        specs with the run's whole path."""
        found = {}
        for run in self.saved_runs() if runs is None else runs:
            if self.runs is not None and run["agent"] is not None and run["game"] == str(game):
                kind, _, name = run["agent"].partition(":")
                found[run["agent"]] = f"{kind}:{self.runs / name}"
        return found

    def _load_run(self, spec: str, game: Game) -> Agent:
        """The agent of a saved run, whose game is compiled within the server's memory."""
        kind, _, file = self._saved(game).get(spec, "").partition(":")
        if not file:
            raise OptionError(f"no saved run on this server plays {game} as '{spec[:60]}'")
        try:
            agent: Agent = resolve(_LOADERS[kind])(game, file, self.limits.compile_bytes)
        except MemoryLimitError as error:
            raise MemoryLimitError(
                f"{spec} does not play here: {game} is too large to be compiled on this server"
            ) from error
        agent.name = spec  # the name it has here, without the server's folder
        return agent


def _needs_compiling(spec: str, game: Game) -> bool:
    """Whether the agent of a saved run, named with its file, plays only a compiled game."""
    kind, _, file = spec.partition(":")
    if kind == "tabular":
        return True
    try:
        return support_for(game) is None and read_policy(file).compiled
    except FogtreeError:
        return True


def refusal(name: str, game: Game, *, against_people: bool) -> str | None:
    """Why an agent does not play a game here, in one line; None if it does."""
    if against_people and sees_everything(game, name):
        return f"{name} sees everything: it cannot play against people"
    if resolve(agent_entries(game)[name].make) is EquilibriumAgent and not _is_small(game):
        return (
            f"equilibrium does not play {game}: only games of at most {MOST_INFOSETS:,} "
            "information sets are solved at once; choose smaller parameters or another agent"
        )
    return None


def _not_offered(game: Game) -> dict[str, str]:
    """Why agents of a game do not play against people with these parameters, in one line each."""
    offered = agent_names(game)
    two = {
        name: f"{entry.words} {entry.two_players}, not {game.players}"
        for name, entry in agent_entries(game).items()
        if entry.listed and entry.two_players is not None and name not in offered
    }
    refused = {name: refusal(name, game, against_people=True) for name in offered}
    return two | {name: why for name, why in refused.items() if why is not None}


_is_small = kept_per_game(64)(is_small)


def _check(spec: str, game: Game) -> None:
    """Raise an error unless a spec names a listed agent, and none of its settings could name a
    file."""
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


def deciding_agent_name(spec: str, game: Game) -> str:
    """The name of the agent that decides; for a level, of the agent that plays at it."""
    return parse_spec(deciding_agent(spec, game), "agent").name


def takes_time(spec: str, game: Game) -> bool:
    """Whether an agent uses the time per move, as a search does; the moves of others are published
    after a short fixed time."""
    entry = agent_entries(game)[deciding_agent_name(spec, game)]
    return entry.slow or entry.argument is not None


def bounded(
    settings: SearchSettings, game: Game, limits: Limits, most_bytes: int
) -> SearchSettings:
    """Settings of a search within the limits of a server: memory, threads, and no clock or
    pondering of its own. A game that is too large to be compiled here is searched without that."""
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
