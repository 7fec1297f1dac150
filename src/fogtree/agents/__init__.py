"""Everything that can sit at a table, by name.

``random`` plays every game, ``tabular:FILE`` (or the folder of a saved run) and ``deep:FILE`` (or
the folder of a training run) the game they were made for. A game's own agents are in the module of
the game's name, those of all others in ``compiled``, in a table called ``AGENTS``; those in
``WITH_OPTION`` take one after a colon, as in ``belief-vote:stockfish-net``; those in
``WITH_SETTINGS`` take several between brackets, as in ``search(time=0.5, threads=2)``. ``GROUPS``
there names opponents over which results are averaged.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fogtree.agents.protocol import Agent, Clairvoyant, Decision, Observation
from fogtree.agents.uniform import RandomAgent
from fogtree.errors import OptionError, UnknownNameError
from fogtree.game import Game
from fogtree.text.agent_specs import read_spec, split_specs

__all__ = [
    "Agent",
    "Clairvoyant",
    "Decision",
    "Observation",
    "RandomAgent",
    "agent_groups",
    "agent_names",
    "load_agent",
    "split_specs",
    "takes_option",
    "takes_settings",
    "whole_field",
]

_TABULAR, _DEEP = "tabular:", "deep:"
_FROM_FILES = ("tabular:FILE", "deep:FILE")
_OWN_AGENTS = ("cambia", "fog_chess")  # games with a module of their own here
_ALL_OTHERS = "compiled"


def _own(game: Game, table: str) -> dict[str, Any]:
    own = game.short_name in _OWN_AGENTS
    home = f"games.{game.short_name}.agents" if own else f"agents.{_ALL_OTHERS}"
    module = importlib.import_module(f"fogtree.{home}")
    return dict(getattr(module, table, {}))


def _known(game: Game) -> dict[str, Callable[[], Agent]]:
    return {"random": RandomAgent, **_own(game, "AGENTS")}


def agent_groups(game: Game) -> dict[str, tuple[str, ...]]:
    """Named fields of opponents over which results are averaged, where a game has some."""
    return _own(game, "GROUPS")


def agent_names(game: Game) -> tuple[str, ...]:
    """The agents that play a game, beside ``tabular:FILE`` and ``deep:FILE``."""
    return tuple(name for name in _known(game) if name not in _too_few_seats(game))


def _too_few_seats(game: Game) -> dict[str, str]:
    """Agents for two that cannot sit at this table, and why."""
    return _own(game, "FOR_TWO") if game.players != 2 else {}


def whole_field(game: Game) -> tuple[str, ...]:
    """The agents that ``all`` stands for: those that need no time to think, and can sit there."""
    thinkers = _own(game, "THINKERS")
    return tuple(name for name in agent_names(game) if name not in thinkers)


def takes_option(name: str, game: Game) -> bool:
    """Whether an agent of this name can be given something after a colon."""
    return name in _own(game, "WITH_OPTION")


def _load_tabular(path: Path, game: Game) -> Agent:
    """A strategy of a compiled game, or one over a growing table: the file says which. A folder is
    that of a saved run."""
    from fogtree.agents.hashed import TableAgent  # noqa: PLC0415 - these need numpy
    from fogtree.agents.tabular import TabularAgent  # noqa: PLC0415
    from fogtree.strategy.hashed import KIND  # noqa: PLC0415
    from fogtree.system.files import archive_kind  # noqa: PLC0415

    if path.is_dir():
        return TabularAgent.of_run(path, game)
    return TableAgent.load(path) if archive_kind(path) == KIND else TabularAgent.load(path)


def takes_settings(name: str, game: Game) -> bool:
    """Whether an agent of this name can be given settings between brackets."""
    return name in _own(game, "WITH_SETTINGS")


def load_agent(spec: str, game: Game) -> Agent:
    """An agent by its name, with an option after a colon or settings between brackets if it takes
    them, or ``tabular:FILE`` or ``deep:FILE``."""
    if spec.startswith(_TABULAR):
        return _load_tabular(Path(spec.removeprefix(_TABULAR)), game)
    if spec.startswith(_DEEP):
        from fogtree.deep.agent import load_deep  # noqa: PLC0415 - it needs numpy

        return load_deep(spec.removeprefix(_DEEP), game)
    known = _known(game)
    read = read_spec(spec)
    if read.name in (alone := _too_few_seats(game)):
        raise OptionError(f"{read.name} {alone[read.name]}, not {game.players}")
    if read.settings and read.name in known:
        makers = _own(game, "WITH_SETTINGS")
        if read.name not in makers:
            raise OptionError(f"{read.name} takes no settings, but '{spec}' has some")
        agent: Agent = makers[read.name](read.settings)
        agent.name = spec
        return agent
    with_option: dict[str, Callable[[str], Agent]] = _own(game, "WITH_OPTION")
    if read.option and read.name in with_option:
        return with_option[read.name](read.option)
    if spec not in known:
        raise UnknownNameError(
            f"agent for {game.short_name or game}", spec, (*agent_names(game), *_FROM_FILES)
        )
    return known[spec]()
