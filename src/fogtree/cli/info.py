"""``fogtree info``: how large a game is, before anything is solved."""

from __future__ import annotations

from dataclasses import asdict

from fogtree.cli import options
from fogtree.cli.console import output, print_json
from fogtree.cli.sources import compile_game


def info(game: options.GameArgument, json: options.Json = False) -> None:
    """Compile a game and tell its sizes and the memory solving it takes."""
    tree = compile_game(game)
    sizes = tree.sizes()
    if json:
        head = {"game": tree.game, "players": tree.players, "zero_sum": tree.zero_sum}
        print_json({**head, **asdict(sizes), "compile_seconds": tree.seconds})
        return
    from fogtree.cli.tables import sizes_table

    output().print(sizes_table(tree, sizes))
