"""``fogtree analyse``: look inside a search."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError
from fogtree.registry import AnalysisOption, all_entries
from fogtree.system.files import write_text
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json

if TYPE_CHECKING:
    from fogtree.report.analysis import AnalysisReport

_TRACED_STEPS = 40  # expansions of a traced search by default: each one is written out

GameName = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME", show_default=False, help="A game; not needed with --record, which names it."
    ),
]
Record = Annotated[Path | None, typer.Option(metavar="FILE", help="A recorded game.")]
Number = Annotated[
    int | None,
    typer.Option("--game", min=1, help="Which game of the recorded ones.", show_default="1"),
]
Ply = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Analyse after this many steps of the recorded game.",
        show_default="at the player's last decision",
    ),
]
Seat = Annotated[
    str | None,
    typer.Option("--as", metavar="SEAT", help="The player to move, by the seat's name or number."),
]
Moves = Annotated[
    str | None,
    typer.Option(
        metavar="MOVE,MOVE,...",
        help="The moves so far with outcomes of chance, as in e2e4,e7e5.",
    ),
]
Infoset = Annotated[
    str | None, typer.Option(help="Compiled games: the information set to search at.")
]
NoCompile = Annotated[
    bool,
    typer.Option(
        "--no-compile",
        help="Search the game's states as they come instead of compiling it first. A game that "
        "does not fit into memory is never compiled.",
    ),
]
Time = Annotated[float | None, typer.Option(help="Budget in seconds.")]
Nodes = Annotated[int | None, typer.Option(min=1, help="Budget in nodes of the tree.")]
Steps = Annotated[
    int | None, typer.Option(min=1, help="Budget in expansions, in one thread: reproducible.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=options.MOST_THREADS,
        help="Search threads (only with --time).",
        show_default="automatic",
    ),
]
Evaluator = Annotated[
    str | None,
    typer.Option(
        help="The evaluator of leaves by name, in games that have several.",
        show_default="the game's own",
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(help="Search options: paper, seed, focus.", show_default="the game's own"),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A search option; may be repeated."),
]
Memory = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="Memory of the tree, as in 512M.", show_default="no limit"),
]
Earlier = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Decisions before this one that are searched as well (not with --infoset).",
        show_default="1",
    ),
]
Before = Annotated[
    int | None,
    typer.Option(min=1, help="Compiled games: steps per earlier search.", show_default="--steps"),
]
Blueprint = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Compiled games: a strategy for the way there instead of searches, or 'equilibrium'.",
    ),
]
Top = Annotated[int, typer.Option(min=1, help="Rows of long tables and lists.")]
AllSeeing = Annotated[
    bool, typer.Option("--all-seeing", help="Show the truth too, which the player cannot know.")
]
Full = Annotated[
    bool,
    typer.Option("--full", help="Print all tables, not only the main facts and the candidates."),
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report with pictures.")]
Trace = Annotated[
    bool, typer.Option("--trace", help="Write every step of a small search as Markdown.")
]
Output = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help="Where the trace goes.")
]


def analyse(
    game: GameName = None,
    *,
    record: Record = None,
    number: Number = None,
    ply: Ply = None,
    as_: Seat = None,
    moves: Moves = None,
    infoset: Infoset = None,
    no_compile: NoCompile = False,
    time: Time = None,
    nodes: Nodes = None,
    steps: Steps = None,
    threads: Threads = None,
    evaluator: Evaluator = None,
    preset: Preset = None,
    setting: Setting = None,
    memory: Memory = None,
    earlier: Earlier = None,
    before: Before = None,
    blueprint: Blueprint = None,
    seed: options.Seed = 0,
    top: Top = 10,
    full: Full = False,
    all_seeing: AllSeeing = False,
    trace: Trace = False,
    output_file: Output = None,
    html: Html = None,
    json: options.Json = False,
    **of_game: str | None,
) -> None:
    """Search a position and show the search from inside: belief, mix, margins, lines, growth."""
    from fogtree.cli.analyse_source import find_subject

    if trace and (json or html is not None):
        raise OptionError("--trace writes a text of its own; leave --json and --html out")
    if trace and (time is not None or nodes is not None):
        raise OptionError("--trace needs a search that can be repeated: say --steps")
    if full and (trace or json):
        raise OptionError("--full is about tables: --json and --trace hold everything already")
    for flag, value in (("--ply", ply), ("--game", number)):
        if value is not None and record is None:
            raise OptionError(f"{flag} is a place in a --record")
    if output_file is not None and not trace:
        raise OptionError("--output is where a --trace goes; a report goes to --html FILE")
    if no_compile and infoset is not None:
        raise OptionError("--infoset is of the compiled game; --no-compile needs --moves")
    if no_compile and record is None and moves is None:
        moves = ""
    options.check_file(html)
    options.check_file(output_file)
    place = _given(
        **of_game,
        history=record,
        player=as_,
        moves=None if moves is None else options.listed(moves),
        infoset=infoset,
        earlier=earlier,
        before=before,
        blueprint=blueprint,
        all_seeing=all_seeing or None,
    )
    chosen = _given(
        preset=preset,
        time=time,
        nodes=nodes,
        steps=steps or (_TRACED_STEPS if trace else None),
        threads=threads,
        memory=memory,
        evaluator=evaluator,
        compile=False if no_compile else None,
        seed=seed,
    )
    subject = find_subject(game, place, number or 1)
    settings = subject.kind.defaults.read(chosen | _changes(setting or []))
    source = subject.source(place, ply)
    if trace:
        _write(source.trace(settings), output_file)
    else:
        _show(source.analyse(settings), top, full, html, json)


def register(app: typer.Typer) -> None:
    """Add the command to the application, with the options that games bring along."""
    own = {
        option.name: _parameter(option, entry.name)
        for entry in all_entries()
        for option in entry.analysis_options
    }
    app.command()(options.with_options(analyse, own.values()))


def _parameter(option: AnalysisOption, game: str) -> inspect.Parameter:
    """A keyword parameter of the command for a game's own option."""
    declared = typer.Option(
        f"--{option.name}",
        metavar=option.metavar,
        help=option.help,
        rich_help_panel=f"Options of {game}",
    )
    return options.keyword_option(option.name, str, declared)


def _given(**options: Any) -> dict[str, Any]:
    """The options that were given on the command line, which are those that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def _changes(texts: list[str]) -> dict[str, str]:
    """The settings of the search that ``--set`` gave, by name, from texts ``NAME=VALUE``."""
    changes = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"--set needs NAME=VALUE, not '{text[:40]}'")
        changes[name] = value
    return changes


def _show(report: AnalysisReport, top: int, full: bool, html: Path | None, json: bool) -> None:
    """Print a report as JSON or tables, then write it as HTML, if asked for."""
    if json:
        from fogtree.report.document import analysis_document

        print_json(analysis_document(report, top))
    else:
        from fogtree.terminal.analysis_tables import print_analysis

        print_analysis(output(), report, top, full)
    if html is not None:
        from fogtree.report.html import analysis_page

        write_text(html, analysis_page(report, top))
        if not json:
            _say_written("report", html)


def _say_written(what: str, path: Path) -> None:
    output().print(f"{what} written to {path}", soft_wrap=True)


def _write(text: str, path: Path | None) -> None:
    """Write a trace to a file, or to standard output."""
    if path is None:
        output().file.write(text)
    else:
        write_text(path, text)
        _say_written("trace", path)
