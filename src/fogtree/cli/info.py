"""``fogtree info``: how large a game is, before anything is solved."""

from __future__ import annotations

from dataclasses import asdict

from fogtree.terminal import options
from fogtree.terminal.console import output, print_json
from fogtree.terminal.inputs import compile_game, find_game

MOST_HISTORIES = 20_000_000
"""Histories that a native simulator counts before a game is called too large to compile."""


def info(game: options.GameArgument, json: options.Json = False) -> None:
    """Show how large a game is and how much memory solving it takes."""
    found = find_game(game)
    simulator = found.simulator()
    if simulator is not None and simulator.histories(MOST_HISTORIES + 1) > MOST_HISTORIES:
        _show_large(str(found), found.players, found.abstractions, json)
        return
    tree = compile_game(game)
    sizes = tree.sizes()
    if json:
        head = {"game": tree.game, "players": tree.players, "zero_sum": tree.zero_sum}
        print_json({**head, **asdict(sizes), "compile_seconds": tree.seconds})
        return
    from fogtree.cli.tables import sizes_table

    output().print(sizes_table(tree, sizes))


def _show_large(game: str, players: int, abstractions: tuple[str, ...], json: bool) -> None:
    if json:
        print_json({"game": game, "players": players, "histories_above": MOST_HISTORIES})
        return
    lines = [
        f"{game}  {players} players",
        f"histories  more than {MOST_HISTORIES:,}: too many to compile, so it is sampled, as in",
        f"  fogtree solve '{game}' --algorithm mccfr-outcome --memory 4GB --save FOLDER",
    ]
    if abstractions:
        lines.append(f"abstractions for smaller tables: {', '.join(abstractions)}")
    output().print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
