"""Agents by name: those that play every game, and those that a game brings along.

An agent is written as a name, as ``name:value`` or as ``name(key=value, …)``.
"""

from __future__ import annotations

import inspect

from fogtree.agents.hashed import HashedAgent
from fogtree.agents.protocol import Agent, Clairvoyant
from fogtree.agents.tabular import TabularAgent
from fogtree.errors import OptionError, UnknownNameError, require
from fogtree.game import Game
from fogtree.registry import AgentEntry, entry_of, resolve
from fogtree.strategy import Strategy
from fogtree.strategy.hashed import HashedStrategy
from fogtree.text.specs import Spec, parse_spec
from fogtree.tree import AnyGame, game_of

AnyAgent = str | Strategy | HashedStrategy | Agent
"""An agent's name with its settings, a strategy to play, or an agent object."""

ANY_GAME = (
    AgentEntry(name="random", make="fogtree.agents.uniform:RandomAgent", level="easy"),
    AgentEntry(
        name="search",
        make="fogtree.search.agent:search_agent",
        for_game=True,
        argument="evaluator",
        settings=True,
        slow=True,
        two_players="is for two players",
        level="hard",
    ),
    AgentEntry(
        name="tabular",
        make="fogtree.agents.strategy_files:load_tabular",
        for_game=True,
        argument="FILE",
        listed=False,
    ),
    AgentEntry(
        name="deep",
        make="fogtree.deep.agent:load_deep",
        for_game=True,
        argument="FILE",
        listed=False,
    ),
)
"""The agents of every game. One of the same name that a game brings along takes its place."""


def agent_entries(game: Game) -> dict[str, AgentEntry]:
    """All agents of a game by name, also those that need a file or another number of players."""
    own = {entry.name: entry for entry in entry_of(game).agents}
    shared = {entry.name: entry for entry in ANY_GAME}
    first = {"random": shared.pop("random")}
    return first | own | {name: entry for name, entry in shared.items() if name not in own}


def agent_summary(game: Game, name: str) -> str:
    """What an agent of a game does: the first paragraph of its docstring."""
    text = inspect.getdoc(resolve(agent_entries(game)[name].make)) or ""
    return " ".join(text.split("\n\n")[0].split())


def sees_everything(game: Game, name: str) -> bool:
    """Whether an agent of a game sees the whole state, hidden information included."""
    make = resolve(agent_entries(game)[name].make)
    return isinstance(make, type) and issubclass(make, Clairvoyant)


def agent_groups(game: Game) -> dict[str, tuple[str, ...]]:
    """Named groups of opponents over which results are averaged, where a game has some."""
    return dict(entry_of(game).groups)


def agent_names(game: AnyGame) -> tuple[str, ...]:
    """The agents that play a game, beside ``tabular:FILE`` and ``deep:FILE``.

    >>> import fogtree
    >>> fogtree.agent_names("kuhn_poker")
    ('random', 'equilibrium', 'search')
    """
    game = game_of(game)
    return tuple(
        name
        for name, entry in agent_entries(game).items()
        if entry.listed and (game.players == 2 or entry.two_players is None)
    )


def quick_agent_names(game: Game) -> tuple[str, ...]:
    """The agents that the name ``all`` stands for: those that decide at once."""
    entries = agent_entries(game)
    return tuple(name for name in agent_names(game) if not entries[name].slow)


def agent(player: AnyAgent, game: AnyGame, /, **settings: object) -> Agent:
    """An agent that plays a game: by its name with settings, or from a strategy.

    An agent object is returned unchanged. ``tabular`` and ``deep`` take a ``file``.

    >>> import fogtree
    >>> fogtree.agent("random", "kuhn_poker").name
    'random'
    >>> run = fogtree.solve("kuhn_poker", iterations=100)
    >>> fogtree.agent(run.strategy, "kuhn_poker").name
    'tabular'
    """
    if not isinstance(player, str):
        if settings:
            raise OptionError("only an agent that is given by its name takes settings")
        if isinstance(player, Strategy):
            return TabularAgent(player)
        if isinstance(player, HashedStrategy):
            return HashedAgent(player)
        require(player, Agent, "an agent, by name, as a strategy or as an Agent,")
        return player
    game = game_of(game)
    spec = parse_spec(player, "agent") if player else Spec("")
    entry = agent_entries(game).get(spec.name)
    if entry is None:
        raise _unknown_agent(spec, game)
    key = (entry.argument or "").lower()
    argument = spec.argument
    if key and not entry.settings:
        argument = str(settings.pop(key, argument))
    chosen = {**spec.settings, **settings}
    if (not entry.listed and not argument) or (argument and not key):
        raise _unknown_agent(spec, game)
    if entry.two_players is not None and game.players != 2 and not argument:
        raise OptionError(f"{entry.name} {entry.two_players}, not {game.players}")
    if chosen and not entry.settings:
        given = Spec(spec.name, "", chosen)
        raise OptionError(f"{entry.name} takes no settings, but '{given}' has some")
    if argument:
        chosen = {key: argument, **chosen}
    make = resolve(entry.make)
    made: Agent = make(game, **chosen) if entry.for_game else make(**chosen)
    if entry.settings and chosen:
        made.name = str(Spec(spec.name, "", chosen) if settings else spec)
    return made


def _unknown_agent(spec: Spec, game: Game) -> UnknownNameError:
    """The error for an agent name that does not exist, with the names that do."""
    files = [f"{e.name}:{e.argument}" for e in agent_entries(game).values() if not e.listed]
    known = (*agent_names(game), *files)
    return UnknownNameError(f"agent for {game.short_name or game}", str(spec), known)
