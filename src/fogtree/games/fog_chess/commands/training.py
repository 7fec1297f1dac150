"""``fogtree chess data``, ``train-net`` and ``match``: a network from games of the search."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError
from fogtree.games.fog_chess.commands.evaluator import KingBuckets, Stacks, Width
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.long_task import long_task
from fogtree.terminal.outcome import ENDED_EARLY
from fogtree.text.amounts import amount, duration
from fogtree.text.choices import Device

if TYPE_CHECKING:
    from fogtree.arena.match import MatchResult

MoveSeconds = Annotated[
    float | None, typer.Option("--seconds", "--time", min=0, help="Seconds per move.")
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1, max=options.MOST_THREADS, help="Processes that play.", show_default="every core"
    ),
]
Openings = Annotated[
    str, typer.Option(metavar="SPEC", help="Starting positions: start, book, random:PLIES, a file.")
]
Weight = Annotated[float, typer.Option(min=0, help="Weight of this target.")]


def data(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", show_default=False, help="Where games are kept.")
    ],
    *,
    games: Annotated[
        int | None, typer.Option(min=1, max=2**32 - 1, help="Games that the folder shall have.")
    ] = None,
    limit: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="Stop after this time.")
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Play without fog or search: both sides choose by the evaluator, with errors.",
        ),
    ] = False,
    steps: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Search steps per move: the same seed gives the same data.",
            show_default="200 without --seconds or --quick",
        ),
    ] = None,
    seconds: MoveSeconds = None,
    search: Annotated[
        str, typer.Option(metavar="AGENT", help="Both players, as in 'search(evaluator=net:FILE)'.")
    ] = "search",
    openings: Openings = "random:4",
    roots: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1000,
            help="Possible positions kept of every decision (not with --quick).",
            show_default="8",
        ),
    ] = None,
    leaves: Annotated[
        int,
        typer.Option(
            min=0,
            max=100_000,
            help="Leaves kept of every tree; with --quick, moves valued of every position.",
        ),
    ] = 200,
    inner: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=100_000,
            help="Expanded nodes of the tree kept of every decision (not with --quick).",
            show_default="20",
        ),
    ] = None,
    seed: options.Seed = 0,
    workers: Workers = None,
    json: options.Json = False,
) -> None:
    """Play games of the search against itself, or quick ones, and keep positions with values.

    The same command goes on after a kill, and adds games if --games is larger.
    """
    from fogtree.games.fog_chess.training.generate import generate
    from fogtree.games.fog_chess.training.self_play import SelfPlay
    from fogtree.games.fog_chess.training.shards import statistics

    options.check_folder(folder)
    if quick and (roots is not None or inner is not None):
        raise OptionError("quick games have no search trees to take --roots and --inner from")
    chosen = SelfPlay(
        seed=seed,
        search=search,
        quick=quick,
        steps=200 if steps is None and seconds is None and not quick else steps or 0,
        seconds=seconds or 0.0,
        openings=openings,
        roots=8 if roots is None else roots,
        leaves=leaves,
        inner=20 if inner is None else inner,
    )
    with long_task("games", folder) as bar:
        bar.show(0, games)
        generate(folder, chosen, games=games, limit=limit, workers=workers, progress=bar.add)
    facts = {"folder": str(folder), **statistics(folder)}
    if json:
        print_json(facts)
        return
    known = ""
    if facts["plies_per_game"] is not None:
        known = f"; {facts['drawn']:,} games drawn, {facts['plies_per_game']} plies a game"
    output().print(
        f"{facts['games']:,} games in {folder}: {facts['rows']:,} positions "
        f"({facts['played']:,} played, {facts['root']:,} roots, {facts['leaf']:,} leaves), "
        f"{amount(facts['bytes'])}{known}",
        soft_wrap=True,
    )


def train_net(
    folders: Annotated[
        list[Path],
        typer.Argument(metavar="DATA...", show_default=False, help="Folders of chess data."),
    ],
    *,
    save: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            show_default=False,
            help="Folder of the run and of net.fognet; a run that was stopped goes on.",
        ),
    ],
    steps: Annotated[int, typer.Option(min=1, max=10**9, help="Steps of training.")] = 4000,
    batch: Annotated[int, typer.Option(min=1, max=1 << 20, help="Positions per step.")] = 8192,
    rate: Annotated[float, typer.Option(help="First learning rate.")] = 1e-3,
    result: Weight = 0.25,
    search: Weight = 0.5,
    teacher: Weight = 0.25,
    played_weight: Annotated[
        float, typer.Option(min=0, help="What a played position counts for; others count 1.")
    ] = 4.0,
    held_out: Annotated[
        int, typer.Option(min=2, help="One game in this many is measured, not fitted.")
    ] = 20,
    start: Annotated[
        str,
        typer.Option(metavar="NET", help="Network to start from: net, a file, or random."),
    ] = "net",
    width: Width = 512,
    king_buckets: KingBuckets = 4,
    stacks: Stacks = 8,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Random seed.")] = 0,
    limit: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="SECONDS", help="Stop after this time of training, wherever it is."
        ),
    ] = None,
    device: Annotated[
        Device, typer.Option(help="Where to train: on the processor or on an NVIDIA GPU.")
    ] = "cpu",
    json: options.Json = False,
) -> None:
    """Fit a network to chess data (needs JAX, the extra 'deep')."""
    from fogtree.games.fog_chess.training.options import TrainOptions
    from fogtree.games.fog_chess.training.run import train_net as train

    options.check_folder(save)
    chosen = TrainOptions(
        seed=seed,
        steps=steps,
        batch=batch,
        rate=rate,
        result=result,
        search=search,
        teacher=teacher,
        played_weight=played_weight,
        held_out=held_out,
        start=start,
        width=width,
        king_buckets=king_buckets,
        stacks=stacks,
    )
    with long_task("steps", save) as bar:
        bar.show(0, steps)
        run = train(
            folders,
            chosen,
            save,
            accelerator=device == "gpu",
            seconds=limit,
            watch=lambda step: bar.show(step, steps),
        )
    if run.stopped in ENDED_EARLY:
        messages().print(f"{run.stopped}; the same command goes on from {save}", soft_wrap=True)
        raise typer.Exit(ENDED_EARLY[run.stopped])
    if json:
        print_json(run.report)
        return
    _print_report(save, run.report)


def _print_report(folder: Path, report: dict[str, Any]) -> None:
    """Print the losses and where the network is."""
    before, after, native = report["before"], report["after"], report["native"]
    output().print(
        f"{report['steps']:,} steps in {duration(report['seconds'])}; mean squared error on "
        f"{report['held_out_rows']:,} held-out positions, before and after:"
    )
    output().print(f"  {'mix':8}{before['held_out']:.4f}  {after['held_out']:.4f}")
    for name, error in after["targets"].items():
        if error is not None:
            output().print(f"  {name:8}{before['targets'][name]:.4f}  {error:.4f}")
    output().print(
        f"The native inference differs by {native['largest_difference']:.4f} at most. The network "
        f"is {folder / 'net.fognet'}; use it as evaluator  net:{folder / 'net.fognet'}",
        soft_wrap=True,
    )


def match(
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            show_default=False,
            help="An evaluator, as in net:FILE, or an agent, as in 'search(solving=0.2)'.",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="The other one.")] = "net",
    *,
    seconds: MoveSeconds = None,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Search steps per move, instead of a time.")
    ] = None,
    games: Annotated[
        int, typer.Option(min=2, max=10**6, help="Games, two for every opening.")
    ] = 400,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop once it is clear which of the two Elo differences holds.",
        ),
    ] = None,
    openings: Openings = "random:4",
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",  # some versions of Typer would call it --FILE, by the metavar
            metavar="FILE",
            help="Keep every finished game; the same command goes on from there.",
        ),
    ] = None,
    seed: options.Seed = 0,
    workers: Workers = None,
    json: options.Json = False,
) -> None:
    """Play two evaluators or agents against each other: one thread each, equal time, every opening
    with both colours."""
    from fogtree.agents.budget import Budget
    from fogtree.arena import match as play
    from fogtree.arena.sequential import SequentialTest
    from fogtree.games.fog_chess.training.contest import contestant, pair_interval

    options.check_file(file)
    if seconds is not None and steps is not None:
        raise OptionError("a move has --seconds or --steps, not both")
    limit = 0.0 if steps is not None else 0.1 if seconds is None else seconds
    budget = Budget(seconds=limit, steps=steps or 0)
    test = None if sprt is None else SequentialTest.read(sprt)
    sides = contestant(first), contestant(second)
    with long_task("games", file) as bar:
        bar.show(0, None if sprt else games + games % 2)
        found = play(
            "fog_chess",
            *sides,
            games=games,
            seed=seed,
            budget=budget,
            openings=openings,
            test=test,
            file=file,
            processes=workers,
            keep_records=True,
            progress=bar.add,
        )
    score = pair_interval(found.records)
    if json:
        document = asdict(found)
        del document["records"]
        document |= {"score": asdict(score), "budget": asdict(budget), "openings": openings}
        print_json(document)
        return
    _print_match(found)
    output().print(f"score of the first, interval by pairs of games: {score}", soft_wrap=True)


def _print_match(found: MatchResult) -> None:
    """Print the result of a match as a table."""
    from fogtree.report.match_tables import matches_table
    from fogtree.terminal.text_tables import terminal_table

    output().print(terminal_table(matches_table([found])))
