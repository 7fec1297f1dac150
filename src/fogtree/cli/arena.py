"""``fogtree arena``: agents against each other, on the same deals from every seat."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.cli import options
from fogtree.cli.console import messages, output, print_json
from fogtree.cli.sources import find_game, is_own

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fogtree.arena import Tournament
    from fogtree.game import Game


def arena(
    game: options.GameArgument,
    *,
    agents: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME,...",
            show_default=False,
            help="Who plays: names of agents, 'tabular:FILE', 'search(time=0.5)', or 'all'.",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, max=10**9, help="Games per pair.")] = 1000,
    seed: Annotated[int, typer.Option(help="The deals; the same seed, the same games.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, max=options.MOST_THREADS, help="Default: every core.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every game, one JSON line each.")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every game of chess as PGN.")
    ] = None,
    openings: Annotated[
        str | None,
        typer.Option(help="Of chess: start, book, random:PLIES or a file. Default: book."),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "--time", help="Time for a move.")
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes for a move.")] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="LOW,HIGH", help="Stop a match when it is clear which Elo is true."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Play every pair of agents: win rates with Wilson intervals, a cross table, ratings."""
    from fogtree.agents import agent_names, split_specs
    from fogtree.arena import play_tournament
    from fogtree.cli.arena_terms import find_terms, write_games

    options.check_file(records)
    options.check_file(pgn)
    table = find_game(game)
    budget = options.move_budget(seconds, nodes)
    terms = find_terms(table, openings, games=games, seed=seed, budget=budget, sprt=sprt, pgn=pgn)
    names = agent_names(table) if agents == "all" else split_specs(agents)
    with _progress() as step:
        result = play_tournament(
            table,
            list(names),
            games=games,
            seed=seed,
            processes=1 if is_own(game) else workers,
            keep_records=records is not None or pgn is not None,
            progress=step,
            terms=terms,
        )
    write_games(table, result, records, pgn)
    if json:
        print_json(_document(result))
    else:
        _print(result, table)


def _progress() -> Any:
    from contextlib import contextmanager

    @contextmanager
    def counting() -> Iterator[Callable[[int], None] | None]:
        console = messages()
        if not console.is_terminal:
            yield None
            return
        played = 0
        with console.status("dealing") as status:

            def step(games: int) -> None:
                nonlocal played
                played += games
                status.update(f"{played:,} games")

            yield step

    return counting()


def _document(result: Tournament) -> dict[str, Any]:
    document = asdict(result)
    for match in document["matches"]:
        del match["records"]
    return document


def _print(result: Tournament, game: Game) -> None:
    from rich.table import Table

    def new_table(*columns: str) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for number, column in enumerate(columns):
            table.add_column(column, justify="left" if number == 0 else "right")
        return table

    facts = list(result.matches[0].facts)
    tested = ["test"] if result.matches[0].sequential is not None else []
    columns = ["match", "games", "won", "drawn", "lost", "win rate (95 %)", *facts, *tested]
    matches = new_table(*columns)
    for match in result.matches:
        means = [_mean(match.facts[name].value, match.facts[name].high) for name in facts]
        counts = [f"{n:,}" for n in (match.games, match.wins, match.draws, match.losses)]
        matches.add_row(
            f"{match.first} - {match.second}",
            *counts,
            str(match.win_rate),
            *means,
            *([str(match.sequential)] if tested else []),
        )
    output().print(matches)
    if len(result.agents) > 2:
        output().print()
        output().print(_cross_table(result, game, new_table))
    if result.ratings:
        ratings = new_table("rating", "Elo", "95 %")
        for rating in result.ratings:
            elo = rating.elo
            ratings.add_row(rating.name, f"{elo.value:+.0f}", f"[{elo.low:+.0f}, {elo.high:+.0f}]")
        output().print()
        output().print(ratings)


def _cross_table(result: Tournament, game: Game, new_table: Callable[..., Any]) -> Any:
    from fogtree.agents import agent_groups

    groups = {
        name: members
        for name, members in agent_groups(game).items()
        if set(members) <= set(result.agents)
    }
    numbers = [str(number) for number in range(1, len(result.agents) + 1)]
    table = new_table("win rate against", *numbers, "mean", *groups)
    for number, agent in enumerate(result.agents, start=1):
        scores = [result.score(agent, other) for other in result.agents]
        others = [other for other in result.agents if other != agent]
        means = [result.mean_score(agent, members) for members in (others, *groups.values())]
        cells = ["-" if score is None else f"{score:.3f}" for score in (*scores, *means)]
        table.add_row(f"{number} {agent}", *cells)
    return table


def _mean(value: float, high: float) -> str:
    return f"{value:+.2f} ± {high - value:.2f}"
