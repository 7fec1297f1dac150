"""``fogtree study ablate``: what each part of the search is worth."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.long_task import long_task

PAIRED = 40
"""Least number of games for which the score by pairs of games, with seats changed, is shown."""


def ablate(
    game: Annotated[str, typer.Argument(help="A game that can be searched.")],
    *,
    games: Annotated[
        int, typer.Option(min=2, help="Games per switched-off part; an even number.")
    ] = 400,
    time: Annotated[float, typer.Option(help="Seconds per move.")] = 0.2,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Search nodes per move, instead of seconds.")
    ] = None,
    evaluator: Annotated[
        str | None,
        typer.Option(help="Evaluator of the full agent.", show_default="the game's default"),
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="Only this part; may be repeated.")] = None,
    workers: options.Processes = None,
    file: Annotated[
        Path,
        typer.Option(help="Keep finished games here; a study that was stopped continues from it."),
    ] = Path("ablation.jsonl"),
    json: options.Json = False,
) -> None:
    """Play the full search agent against itself with one part switched off, part by part.

    Published scores, where there are any, are those of Zhang & Sandholm (2025), at 5 s a move.
    """
    from fogtree.agents.budget import Budget
    from fogtree.registry import load_game
    from fogtree.search import search_settings
    from fogtree.studies.ablation import plain_evaluator_switch, study
    from fogtree.system.user_code import is_user_code, prints_to_stderr, user_game_errors
    from fogtree.terminal.number_table import NumberTable

    loaded = load_game(game)
    budget = Budget(nodes=nodes) if nodes else Budget(seconds=time)
    # One thread per game: the games themselves run side by side.
    values = {} if evaluator is None else {"evaluator": evaluator}
    with user_game_errors(game), prints_to_stderr():
        full = search_settings(loaded, budget=budget, threads=1, **values)
        plain = plain_evaluator_switch(loaded)
    options.check_file(file)
    with user_game_errors(game), prints_to_stderr(), long_task("games", file) as bar:
        results = study(
            loaded,
            full,
            games=games,
            file=file,
            only=only or (),
            processes=1 if is_user_code(game) else workers,
            progress=bar.show,
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
                        "paired": asdict(r.paired) if r.games >= PAIRED else None,
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
            str(r.paired) if r.games >= PAIRED else "",
            "" if r.published is None else f"{r.published:.3f}",
        )
    output().print(table)
    if plain is not None and not only and plain not in [r.name for r in results]:
        messages().print(f"'{plain}' is left out: both sides have it.", soft_wrap=True)
