"""``fogtree ablate``: what each part of the search is worth."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from fogtree.cli import options
from fogtree.cli.console import output, print_json
from fogtree.cli.studying import studying
from fogtree.errors import OptionError


def ablate(
    game: Annotated[str, typer.Argument(help="fog_chess, with parameters if you like.")],
    *,
    games: Annotated[int, typer.Option(min=2, help="Games per switch, an even number.")] = 400,
    time: Annotated[float, typer.Option(help="Seconds a move; 0: none.")] = 0.2,
    nodes: Annotated[int, typer.Option(min=0, help="Nodes a move, instead of seconds.")] = 0,
    evaluator: Annotated[str, typer.Option(help="Leaf values of the full agent.")] = "simple",
    only: Annotated[
        list[str] | None, typer.Option(help="A switch by name; may be repeated.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; one per core.")] = None,
    file: Annotated[
        Path, typer.Option(help="Where finished games are kept; a study goes on from it.")
    ] = Path("ablation.jsonl"),
    json: options.Json = False,
) -> None:
    """Play the full search agent against itself with one part switched off, part by part."""
    from fogtree.cli.number_table import NumberTable
    from fogtree.cli.sources import find_game
    from fogtree.fogchess.belief import BeliefLimits
    from fogtree.search import Budget
    from fogtree.search.ablation import study
    from fogtree.search.fog_chess import FogSearchSettings

    if find_game(game).short_name != "fog_chess":
        raise OptionError(f"the ablation study is for fog_chess, not {game}")
    budget = Budget(nodes=nodes) if nodes else Budget(seconds=time)
    # One thread per game: the games themselves run side by side.
    full = FogSearchSettings(
        evaluator=evaluator, budget=budget, limits=BeliefLimits(threads=1), threads=1
    )
    options.check_file(file)
    with studying("games", file) as tally:
        results = study(
            full,
            games=games,
            file=file,
            only=only or (),
            workers=workers,
            game=game,
            progress=tally.tell,
        )
    if json:
        print_json(
            {
                "game": game,
                "results": [
                    {
                        "switch": r.name,
                        "games": r.games,
                        "wins": r.wins,
                        "draws": r.draws,
                        "losses": r.losses,
                        "score": r.score.value,
                        "low": r.score.low,
                        "high": r.score.high,
                        "paired": None if r.games < 4 else asdict(r.paired),
                        "published": r.published,
                    }
                    for r in results
                ],
            }
        )
        return
    output().print(f"{game}: the full agent's score", style="bold", soft_wrap=True)
    table = NumberTable(
        "switch", "games", "won", "drawn", "lost", "score (95 %)", "by pairs", "published"
    )
    for r in results:
        table.add_row(
            r.name,
            *(f"{number:,}" for number in (r.games, r.wins, r.draws, r.losses)),
            str(r.score),
            "" if r.games < 4 else str(r.paired),
            "" if r.published is None else f"{r.published:.3f}",
        )
    output().print(table)
