"""``fogtree analyse``: look inside a search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json

if TYPE_CHECKING:
    from fogtree import GameTree, Strategy
    from fogtree.agents.budget import Budget
    from fogtree.games.cambia.analysis import CambiaAnalysis
    from fogtree.games.fog_chess.analysis import FogChessAnalysis
    from fogtree.search import SearchOptions
    from fogtree.search.analysis import Analysis

_SECONDS = 5.0
_STEPS = 10_000
_TRACED = 40

Fen = Annotated[
    str | None,
    typer.Option(
        "--fen",
        metavar="FEN",
        help="A position known to both sides, or a fog FEN: what one side sees and no more.",
    ),
]
Moves = Annotated[
    str | None, typer.Option(metavar="MOVE,MOVE,...", help="UCI moves, from the start or --fen.")
]
Record = Annotated[Path | None, typer.Option(metavar="FILE", help="A recorded game.")]
Number = Annotated[int, typer.Option("--game", min=1, help="Which of the file's games.")]
Ply = Annotated[
    int | None,
    typer.Option(min=0, help="After so many plies of it; the side's last decision if not said."),
]
Infoset = Annotated[
    str | None, typer.Option(help="Of a compiled game: the information set to search at.")
]
Time = Annotated[
    float | None, typer.Option(help=f"Seconds; chess searches {_SECONDS:g} if unsaid.")
]
Nodes = Annotated[int | None, typer.Option(min=1, help="Until the tree has so many nodes.")]
Steps = Annotated[
    int | None, typer.Option(min=1, help="So many expansions, in one thread: reproducible.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, max=options.MOST_THREADS, help="With --time.", show_default="as many as help"
    ),
]
Evaluator = Annotated[
    str | None,
    typer.Option(
        help="Leaf values. Chess: net (by default), simple, stockfish-net, net:FILE, ...; cambia:"
        " auto (by default), cards, net, net:FILE."
    ),
]
Preset = Annotated[
    str | None, typer.Option(help="paper, seed or focus (chess: focus by default, others: paper).")
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A search option; may be repeated."),
]
Memory = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="The tree grows no further, as in 512M. Default: no bound."),
]
Earlier = Annotated[
    int,
    typer.Option(
        min=0, help="Chess: so many of the side's decisions before this one are searched as well."
    ),
]
Before = Annotated[
    int | None,
    typer.Option(min=1, help="Compiled games: steps of the searches on the way, if others."),
]
Blueprint = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Compiled games: instead of searches on the way a strategy; or 'equilibrium'.",
    ),
]
Top = Annotated[int, typer.Option(min=1, help="Rows of long tables and lists.")]
AllSeeing = Annotated[
    bool, typer.Option("--all-seeing", help="Show the truth too, which the side cannot know.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report with pictures.")]
Trace = Annotated[
    bool, typer.Option("--trace", help="Write every step of a small search as Markdown.")
]
Output = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help="Where the trace goes.")
]


def analyse(
    game: Annotated[
        str, typer.Argument(help="fog_chess, cambia, or a game that can be compiled.")
    ] = ("fog_chess"),
    *,
    fen: Fen = None,
    moves: Moves = None,
    record: Record = None,
    number: Number = 1,
    ply: Ply = None,
    as_: options.Side = None,
    infoset: Infoset = None,
    time: Time = None,
    nodes: Nodes = None,
    steps: Steps = None,
    threads: Threads = None,
    evaluator: Evaluator = None,
    rules: options.Rules = "chesscom",
    preset: Preset = None,
    setting: Setting = None,
    memory: Memory = None,
    earlier: Earlier = 1,
    before: Before = None,
    blueprint: Blueprint = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the search's own choices.")] = 0,
    top: Top = 10,
    all_seeing: AllSeeing = False,
    trace: Trace = False,
    output_file: Output = None,
    html: Html = None,
    json: options.Json = False,
) -> None:
    """Search a position and show the search from inside: belief, mix, margins, lines, growth."""
    from fogtree.cli.analyse_source import ChessSource, recorded_cambia, search_settings
    from fogtree.games.cambia.analysis import analyse_cambia
    from fogtree.search import search_settings as default_settings
    from fogtree.search.adapter import find_adapter
    from fogtree.search.settings import default_threads
    from fogtree.terminal.inputs import find_game

    if trace and (json or html is not None):
        raise OptionError("--trace writes a text of its own; leave --json and --html out")
    options.check_file(html)
    options.check_file(output_file)
    count = threads or default_threads()
    budget = _budget(time, nodes, steps, count, traced=trace, chess=infoset is None)
    named = find_game(game)
    kind = named.short_name
    usual = find_adapter(named).defaults.preset
    chosen = search_settings(preset or usual, setting or (), seed, memory)
    if kind == "fog_chess":
        _refuse_given({"--infoset": infoset}, "is for compiled games: chess has --moves and --fen")
    else:
        chess: dict[str, object] = {"--fen": fen, "--moves": moves, "--as": as_}
        _refuse_given(chess, f"is for chess, not for {game}")
        if kind != "cambia":
            _refuse_given({"--record": record, "--ply": ply}, f"is not for {game}: say --infoset")
            _refuse_given({"--evaluator": evaluator}, f"is for chess and cambia, not for {game}")
    if infoset is None and kind == "cambia":
        if trace:
            raise OptionError("--trace is for chess and for games that can be compiled")
        values = {} if evaluator is None else {"evaluator": evaluator}
        settings = default_settings(named, options=chosen, budget=budget, threads=count, **values)
        played, states = recorded_cambia(record, number, ply)
        found = analyse_cambia(
            played, states, settings, earlier=earlier, seed=str(seed), all_seeing=all_seeing
        )
        _show_cambia(found, top, html, json)
        return
    if infoset is not None or kind != "fog_chess":
        _compiled(
            game,
            infoset,
            budget,
            chosen,
            before=before,
            blueprint=blueprint,
            top=top,
            trace=trace,
            output_file=output_file,
            html=html,
            json=json,
        )
        return
    source = ChessSource(
        game=game,
        fen=fen,
        moves=moves,
        record=record,
        number=number,
        ply=ply,
        player=None if as_ is None else options.color_number(as_),
        rules=rules,
        earlier=earlier,
        seed=str(seed),
        all_seeing=all_seeing,
    )
    if trace:
        _write(source.trace(evaluator, chosen, budget), output_file)
        return
    _show_chess(source.analyse(evaluator, chosen, budget, count), top, html, json)


def _refuse_given(chosen: dict[str, object], why: str) -> None:
    for name, value in chosen.items():
        if value is not None:
            raise OptionError(f"{name} {why}")


def _budget(
    time: float | None,
    nodes: int | None,
    steps: int | None,
    threads: int,
    *,
    traced: bool,
    chess: bool,
) -> Budget:
    from fogtree.agents.budget import Budget

    if time is not None and not 0 < time < float("inf"):
        raise OptionError(f"--time must be above 0, not {time}")
    if traced:
        if time is not None or nodes is not None:
            raise OptionError("--trace needs a search that can be repeated: say --steps")
        return Budget(steps=steps or _TRACED)
    if time is None and nodes is None and steps is None:
        return Budget(seconds=_SECONDS, expanders=threads - 1) if chess else Budget(steps=_STEPS)
    expanders = threads - 1 if steps is None and nodes is None else 0
    return Budget(seconds=time or 0.0, nodes=nodes or 0, steps=steps or 0, expanders=expanders)


def _compiled(
    game: str,
    infoset: str | None,
    budget: Budget,
    chosen: SearchOptions,
    *,
    before: int | None,
    blueprint: str | None,
    top: int,
    trace: bool,
    output_file: Path | None,
    html: Path | None,
    json: bool,
) -> None:
    from fogtree.agents.budget import Budget
    from fogtree.search.tree_analysis import analyse_tree, search_at
    from fogtree.terminal.inputs import compile_game

    tree = compile_game(game)
    if infoset is None:
        known = ", ".join(tree.infoset_names[:6])
        raise OptionError(f"say with --infoset where {game} is to be searched: {known}, ...")
    first = Budget(steps=before) if before is not None else budget
    start = None if blueprint is None else _strategy(blueprint, tree)
    if trace:
        from fogtree.search.tree_trace import trace_tree

        search = search_at(tree, infoset, first, chosen, start)
        _write(trace_tree(search, infoset, budget, chosen), output_file)
        return
    analysis = analyse_tree(tree, infoset, budget, chosen, before=first, blueprint=start)
    if html is not None:
        from fogtree.report.analysis_page import tree_page

        _save(html, tree_page(tree, infoset, analysis, top))
    _show_tree(tree, infoset, analysis, top, json)
    if not json:
        _say_written("report", html)


def _strategy(source: str, tree: GameTree) -> Strategy:
    if source == "equilibrium":
        from fogtree import equilibrium

        return equilibrium(tree).strategy
    from fogtree.terminal.inputs import find_strategy

    return find_strategy(Path(source), tree)


def _show_tree(tree: GameTree, infoset: str, analysis: Analysis, top: int, json: bool) -> None:
    from fogtree.report.analysis_document import analysis_document
    from fogtree.terminal.analysis_tables import analysis_tables

    if json:
        heading: dict[str, Any] = {"game": tree.game, "infoset": infoset, "player": analysis.player}
        print_json(heading | analysis_document(analysis, top))
        return
    output().print(f"{tree.game}, {infoset}: player {analysis.player}\n")
    for table in analysis_tables(analysis, top):
        output().print(table, "")


def _show_chess(found: FogChessAnalysis, top: int, html: Path | None, json: bool) -> None:
    from fogtree.games.fog_chess.analysis import line_san
    from fogtree.report.analysis_document import fog_chess_document
    from fogtree.terminal.analysis_tables import analysis_tables, marginals_table

    if html is not None:
        from fogtree.report.analysis_page import fog_chess_page

        _save(html, fog_chess_page(found, top))
    if json:
        print_json(fog_chess_document(found, top))
        return
    output().print(f"{found.view}\n{found.view.fog_fen}\n", soft_wrap=True)
    for table in analysis_tables(found.analysis, top, found.san, line_san):
        output().print(table, "")
    output().print(marginals_table(found, top))
    if found.truth is not None:
        inside = "possible for this side" if found.truth.possible else "thought impossible"
        output().print(f"\nThe truth: {found.truth.fen} ({inside})", soft_wrap=True)
    _say_written("report", html)


def _show_cambia(found: CambiaAnalysis, top: int, html: Path | None, json: bool) -> None:
    from fogtree.report.analysis_document import cambia_document
    from fogtree.terminal.analysis_tables import analysis_tables

    if html is not None:
        from fogtree.report.analysis_page import cambia_page

        _save(html, cambia_page(found, top))
    if json:
        print_json(cambia_document(found, top))
        return
    output().print(f"{found.heading}\n")
    for table in analysis_tables(found.analysis, top):
        output().print(table, "")
    if found.truth is not None:
        output().print(f"The truth: {found.truth}", soft_wrap=True)
    _say_written("report", html)


def _save(path: Path, text: str) -> None:
    from fogtree.system.files import whole_file

    with whole_file(path) as out:
        out.write(text.encode())


def _say_written(what: str, path: Path | None) -> None:
    if path is not None:
        output().print(f"{what} written to {path}", soft_wrap=True)


def _write(text: str, path: Path | None) -> None:
    if path is None:
        output().file.write(text)
    else:
        _save(path, text)
        _say_written("trace", path)
