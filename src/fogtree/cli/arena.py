"""``fogtree arena``: matches between agents, each deal played once from every seat."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError
from fogtree.registry import load_game
from fogtree.system.user_code import is_user_code, prints_to_stderr, user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.long_task import long_task

if TYPE_CHECKING:
    from rich.console import Console

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
            help="The agents: names, 'tabular:FILE', 'deep:FILE', 'search(time=0.5)', or 'all'.",
        ),
    ],
    games: Annotated[
        int,
        typer.Option(
            min=1,
            callback=options.at_most(10**9),
            help="Games per pair, rounded up so that every deal is played from each seat.",
        ),
    ] = 1000,
    seed: Annotated[
        int,
        typer.Option(
            callback=options.at_most(options.LARGEST_SEED, -(2**63)),
            help="Random seed; the same seed gives the same games.",
        ),
    ] = 0,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, max=options.MOST_THREADS, help="Processes that play.", show_default="every core"
        ),
    ] = None,
    records: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Write every game: one JSON line each, or the game's own format by the file's "
            "ending. May be repeated.",
        ),
    ] = None,
    openings: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Starting positions, in games that have several.",
            show_default="the game's own",
        ),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "--time", help="Seconds per move.")
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Search nodes per move.")] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="Keep every finished game here; a match that was stopped continues from it.",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Sequential test: stop a match once it is clear which of the two Elo differences "
            "holds.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Play every pair of agents: win rates with Wilson intervals, a cross table, ratings."""
    from fogtree.arena import SequentialTest, tournament
    from fogtree.arena.record_files import check_record_format, write_games
    from fogtree.text.specs import split_specs

    loaded = load_game(game)
    for target in records or ():
        check_record_format(loaded, target)
    for target in (*(records or ()), file):
        options.check_file(target)
    options.check_different(*(records or ()), file)
    budget = options.move_budget(seconds, nodes)
    test = None if sprt is None else SequentialTest.read(sprt)
    names = _all_agents(loaded) if agents == "all" else split_specs(agents)
    _note_rounding(loaded, games)
    with user_game_errors(game), prints_to_stderr(), long_task("games", file) as bar:
        bar.show(0, None if sprt else _total_games(loaded, len(names), games))
        result = tournament(
            loaded,
            names,
            games=games,
            seed=seed,
            budget=budget,
            openings=openings,
            test=test,
            file=file,
            processes=1 if is_user_code(game) else workers,
            keep_records=bool(records),
            progress=bar.add,
        )
    if json:
        print_json(tournament_document(result))
    else:
        print_tournament(result, loaded, output())
    # Written only after all games, because records show what is hidden from players.
    played = [record for match in result.matches for record in match.records]
    for target in records or ():
        write_games(target, played, loaded)


def _whole_deals(game: Game, games: int) -> int:
    """The number of games, rounded up to whole deals: each deal is played once from every seat."""
    return -(-games // game.players) * game.players


def _total_games(game: Game, agents: int, games: int) -> int:
    """The number of games of a tournament of so many ``agents``, with ``games`` of each pair. With
    more than two players, each agent of a pair once takes the single seat."""
    pairs = agents * (agents - 1) // (2 if game.players == 2 else 1)
    return pairs * _whole_deals(game, games)


def _note_rounding(game: Game, games: int) -> None:
    """Print a note if the number of games was rounded up to whole deals."""
    whole = _whole_deals(game, games)
    if whole != games:
        messages().print(
            f"{whole:,} games a pair, not {games:,}: every deal is played once from each seat",
            soft_wrap=True,
        )


def _all_agents(game: Game) -> list[str]:
    """The agents that ``--agents all`` stands for; an error if there is only one."""
    from fogtree.agents import agent_names, quick_agent_names

    names = list(quick_agent_names(game))
    if len(names) < 2:
        named = ",".join([*agent_names(game), "tabular:FILE"])
        raise OptionError(
            f"only '{names[0]}' plays {game} without a search or a strategy file: name others too, "
            f"as in  --agents {named}  with the file of  solve --output FILE"
        )
    return names


def tournament_document(result: Tournament) -> dict[str, Any]:
    """A tournament as a JSON document, without the records of games."""
    document = asdict(result)
    for match in document["matches"]:
        del match["records"]
    return document


def print_tournament(result: Tournament, game: Game, console: Console) -> None:
    """Print scores, the cross table and ratings."""
    from fogtree.agents import agent_groups
    from fogtree.report.match_tables import cross_table, matches_table, ratings_table
    from fogtree.terminal.text_tables import terminal_table

    tables = [matches_table(result.matches)]
    if len(result.agents) > 2:
        tables.append(cross_table(result, agent_groups(game)))
    if result.ratings:
        tables.append(ratings_table(result))
    for number, table in enumerate(tables):
        if number:
            console.print()
        console.print(terminal_table(table))
        if table.note:
            console.print(table.note, style="dim")
