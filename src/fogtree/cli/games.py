"""``fogtree games``: the games with their parameters."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fogtree.terminal import options
from fogtree.terminal.console import output, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from fogtree.registry import GameInfo

TABLE_WIDTH = 72
"""Least width of the terminal for a table; in a narrower one games are listed."""


def games(json: options.Json = False) -> None:
    """List the games, with their parameters and defaults."""
    from fogtree.registry import describe_game, game_names

    known = [describe_game(name) for name in game_names()]
    if json:
        print_json({"games": [{**asdict(game), "signature": game.signature} for game in known]})
        return
    console = output()
    console.print(_table(known) if console.width >= TABLE_WIDTH else _list(known))
    console.print("\nFor example:  fogtree solve 'leduc_poker(ranks=4)' --until 1e-3")


def _table(known: list[GameInfo]) -> RenderableType:
    """The games as a table: names in the first column, descriptions in the second."""
    from rich.text import Text

    from fogtree.terminal.number_table import facts_table

    table = facts_table()
    table.add_row("game", "what it is; its parameters and their defaults", style="bold")
    for game in known:
        table.add_row(Text(game.name, style="bold"), game.summary)
        for line in _parameters(game):
            table.add_row("", f"  {line}", style="dim")
    return table


def _list(known: list[GameInfo]) -> RenderableType:
    """The games as a list, with the descriptions below the names."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    lines: list[RenderableType] = []
    for game in known:
        lines += [Text(game.name, style="bold"), Padding(Text(game.summary), (0, 0, 0, 2))]
        for line in _parameters(game):
            text = Text(line, style="dim", overflow="fold")
            lines.append(Padding(text, (0, 0, 0, 4)))
    return Group(*lines)


def _parameters(game: GameInfo) -> Iterator[str]:
    """One line about each parameter of a game, and one that explains missing defaults."""
    for parameter in game.parameters:
        said = parameter.name if parameter.default is None else str(parameter)
        yield f"{said}   {parameter.help}"
    if any(parameter.default is None for parameter in game.parameters):
        yield "A parameter without a default follows from the parameters above it."
