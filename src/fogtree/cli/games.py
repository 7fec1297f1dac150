"""``fogtree games``: what can be solved by name."""

from __future__ import annotations

from dataclasses import asdict

from fogtree.cli import options
from fogtree.cli.console import output, print_json


def games(json: options.Json = False) -> None:
    """List the games, with their parameters and defaults."""
    from fogtree.games import describe_game, game_names

    known = [describe_game(name) for name in game_names()]
    if json:
        print_json({"games": [{**asdict(game), "signature": game.signature} for game in known]})
        return
    from rich.table import Table

    console = output()
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("game", style="bold", no_wrap=True)
    table.add_column("what it is; its parameters and their defaults")
    for game in known:
        table.add_row(game.name, game.summary)
        for parameter in game.parameters:
            table.add_row("", f"  {parameter}   {parameter.help}", style="dim")
    console.print(table)
    console.print("\nFor example:  fogtree solve 'leduc_poker(ranks=4)' --until 1e-3")
