"""``fogtree info``: the rules of a game and how large it is, before anything is solved."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, runtime_checkable

import typer

from fogtree.errors import FogtreeError
from fogtree.game import Game
from fogtree.registry import load_game, rules_of
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json
from fogtree.terminal.inputs import compile_game

if TYPE_CHECKING:
    from fogtree import GameTree

MOST_HISTORIES = 20_000_000
"""Histories that a native simulator counts before a game is called too large to compile."""


Efg = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the whole game as a file for Gambit (.efg)."),
]


def info(game: options.GameArgument, *, efg: Efg = None, json: options.Json = False) -> None:
    """Show the rules of a game, how large it is and how much memory solving it takes."""
    options.check_file(efg)
    found = load_game(game)
    simulator = found.simulator()
    counted = 0 if simulator is None or efg else simulator.histories(MOST_HISTORIES + 1)
    if counted > MOST_HISTORIES:
        _show_large(found, json)
        return
    try:
        tree = compile_game(game)
    except FogtreeError:
        if not json:
            _show_rules(found)
        raise
    sizes = tree.sizes()
    if efg is not None:
        from fogtree import write_efg

        write_efg(tree, efg)
    if json:
        head = {"game": tree.game, "rules": rules_of(found), "players": tree.players}
        kind = {"zero_sum": tree.zero_sum, "payoff_sum": tree.payoff_sum}
        more = {**kind, **asdict(sizes), "compile_seconds": tree.seconds}
        print_json({**head, **more, "remark": _remark(found, tree)})
        return
    from fogtree.cli.tables import sizes_table

    _show_rules(found)
    output().print(sizes_table(tree, sizes))
    if remark := _remark(found, tree):
        output().print(f"\n{remark}", markup=False, highlight=False)
    if efg is not None:
        output().print(f"the game is written to {efg}", markup=False, soft_wrap=True)


@runtime_checkable
class _Remarking(Protocol):
    """A game with something to say about its compiled tree."""

    def tree_remark(self, tree: GameTree) -> str | None: ...


def _remark(game: Game, tree: GameTree) -> str | None:
    """A sentence that the game has about its compiled tree, if any."""
    return game.tree_remark(tree) if isinstance(game, _Remarking) else None


def _show_rules(game: Game) -> None:
    """Print the rules of a game in words, if it has them."""
    if rules := rules_of(game):
        output().print(f"{rules}\n", markup=False, highlight=False)


def _show_large(game: Game, json: bool) -> None:
    """Describe a game that has too many histories to be compiled, and how to sample it."""
    if json:
        head = {"game": str(game), "rules": rules_of(game), "players": game.players}
        print_json({**head, "histories_above": MOST_HISTORIES})
        return
    _show_rules(game)
    lines = [
        f"{game}  {game.players} players",
        f"histories  more than {MOST_HISTORIES:,}: too many to compile, so it is sampled, as in",
        f"  fogtree solve '{game}' --algorithm mccfr-outcome --memory 4GB --save FOLDER",
    ]
    if game.abstractions:
        lines.append(f"abstractions for smaller tables: {', '.join(game.abstractions)}")
    output().print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
