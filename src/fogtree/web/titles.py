"""What people call games and agents: the names that lists of the pages show."""

from __future__ import annotations

from fogtree.agents import agent_entries
from fogtree.game import Game
from fogtree.registry import LEVEL_AGENT, describe_game, game_names
from fogtree.text.specs import parse_spec

_SAVED = {"deep": "Network", "tabular": "Strategy"}


def game_title(spec: str) -> str:
    """A game by the name in its summary, with its parameters: ``Kuhn poker (players=3)``."""
    name, bracket, parameters = spec.partition("(")
    if name not in game_names():
        return spec
    title, colon, _ = describe_game(name).summary.partition(":")
    return f"{title if colon else name}{' (' if bracket else ''}{parameters}"


def agent_title(spec: str, game: Game) -> str:
    """An agent by its entry's title, with its settings: ``Search (steps=100)``; a level by its
    number, and the agent of a saved run by the run's name."""
    read = parse_spec(spec, "agent")
    kind, colon, run = spec.partition(":")
    if colon and kind in _SAVED:
        return f"{_SAVED[kind]} {run}"
    entry = agent_entries(game)[read.name]
    if entry is LEVEL_AGENT:
        return f"{entry.words} {read.argument}"
    _, bracket, settings = spec.partition("(")
    return f"{entry.words}{' (' if bracket else ''}{settings}"
