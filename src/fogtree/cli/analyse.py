"""``fogtree analyse``: look inside a search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.errors import OptionError
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json

if TYPE_CHECKING:
    from fogtree import Game, GameTree, Strategy
    from fogtree.game import History
    from fogtree.report.analysis import AnalysisSource

_TRACED_STEPS = 40
_FLAGS = {"history": "--record", "player": "--as"}
"""Options whose flags are not named like the fields of an analysis source."""

GameName = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME", show_default=False, help="A game; not needed with --record, which names it."
    ),
]
Fen = Annotated[
    str | None,
    typer.Option(
        "--fen",
        metavar="FEN",
        help="Chess: a position known to both sides, or a fog FEN: what one side sees.",
    ),
]
Moves = Annotated[
    str | None,
    typer.Option(metavar="MOVE,MOVE,...", help="Chess: UCI moves from the start or --fen."),
]
Record = Annotated[Path | None, typer.Option(metavar="FILE", help="A recorded game.")]
Number = Annotated[int, typer.Option("--game", min=1, help="Which game of the recorded ones.")]
Ply = Annotated[
    int | None,
    typer.Option(
        min=0, help="Steps of the recorded game.", show_default="to the player's last decision"
    ),
]
Seat = Annotated[
    str | None,
    typer.Option("--as", metavar="SEAT", help="Who is to move, by name or number: white, 0."),
]
Infoset = Annotated[
    str | None, typer.Option(help="Compiled games: the information set to search at.")
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
        help="Leaf values. Chess: net (by default), simple, stockfish-net, net:FILE, ...; cambia:"
        " auto (by default), cards, net, net:FILE."
    ),
]
Rules = Annotated[str | None, typer.Option(metavar="NAME", help="Chess: whose rules.")]
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
        help="Decisions before this one that are searched as well (not in compiled games).",
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
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]
Top = Annotated[int, typer.Option(min=1, help="Rows of long tables and lists.")]
AllSeeing = Annotated[
    bool, typer.Option("--all-seeing", help="Show the truth too, which the player cannot know.")
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
    fen: Fen = None,
    moves: Moves = None,
    record: Record = None,
    number: Number = 1,
    ply: Ply = None,
    as_: Seat = None,
    infoset: Infoset = None,
    time: Time = None,
    nodes: Nodes = None,
    steps: Steps = None,
    threads: Threads = None,
    evaluator: Evaluator = None,
    rules: Rules = None,
    preset: Preset = None,
    setting: Setting = None,
    memory: Memory = None,
    earlier: Earlier = None,
    before: Before = None,
    blueprint: Blueprint = None,
    seed: Seed = 0,
    top: Top = 10,
    all_seeing: AllSeeing = False,
    trace: Trace = False,
    output_file: Output = None,
    html: Html = None,
    json: options.Json = False,
) -> None:
    """Search a position and show the search from inside: belief, mix, margins, lines, growth."""
    from fogtree.report.compiled import CompiledSource

    if trace and (json or html is not None):
        raise OptionError("--trace writes a text of its own; leave --json and --html out")
    if ply is not None and record is None:
        raise OptionError("--ply is a place in a --record")
    options.check_file(html)
    options.check_file(output_file)
    if trace:
        if time is not None or nodes is not None:
            raise OptionError("--trace needs a search that can be repeated: say --steps")
        steps = steps or _TRACED_STEPS
    given: dict[str, Any] = {
        "fen": fen,
        "moves": moves,
        "history": record,
        "player": as_,
        "infoset": infoset,
        "rules": rules,
        "earlier": earlier,
        "before": before,
        "blueprint": blueprint,
        "all_seeing": all_seeing or None,
    }
    chosen: dict[str, Any] = {
        "preset": preset,
        "time": time,
        "nodes": nodes,
        "steps": steps,
        "threads": threads,
        "memory": memory,
        "evaluator": evaluator,
        "seed": seed,
    }
    place = _given(given)
    kind, subject, history = _subject(game, place, number)
    settings = kind.defaults.read(_given(chosen) | _changes(setting or []))
    source: AnalysisSource
    if kind is CompiledSource:
        tree = _compiled(game, subject)
        source = kind(game=tree, **_read_for_tree(place, tree))
    else:
        source = kind(game=subject, **_read_for_game(place, subject, history, ply))
    if trace:
        _write(source.trace(settings), output_file)
        return
    report = source.analyse(settings)
    if html is not None:
        from fogtree.report.html import analysis_page

        _save(html, analysis_page(report, top))
    if json:
        from fogtree.report.document import analysis_document

        print_json(analysis_document(report, top))
        return
    from fogtree.terminal.analysis_tables import print_analysis

    print_analysis(output(), report, top)
    _say_written("report", html)


def _flag(name: str) -> str:
    """The flag of an option."""
    return _FLAGS.get(name, "--" + name.replace("_", "-"))


def _given(values: dict[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in values.items() if value is not None}


def _changes(texts: list[str]) -> dict[str, str]:
    """Settings of the search from ``NAME=VALUE``."""
    changes = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"--set needs NAME=VALUE, not '{text[:40]}'")
        changes[name] = value
    return changes


def _subject(
    spec: str | None, place: dict[str, Any], number: int
) -> tuple[type[AnalysisSource], Game, History | None]:
    """The kind of source, the game, and the recorded game if there is one. Options that are not
    for the game are refused before a record is read."""
    from fogtree.report.analyse import source_kind
    from fogtree.terminal.inputs import find_game

    record = place.get("history")
    if spec is not None:
        named = find_game(spec)
        kind = source_kind(named, place, _flag)
        if record is None:
            return kind, named, None
        history = _recorded(record, number, named)
        return kind, history.game, history
    if record is None:
        raise OptionError("say which game: fogtree analyse GAME, or --record FILE")
    history = _recorded(record, number, None)
    return source_kind(history.game, place, _flag), history.game, history


def _recorded(file: Path, number: int, named: Game | None) -> History:
    """A recorded game, which must be the one that was named."""
    from fogtree.arena.record_files import replay_file
    from fogtree.game import History
    from fogtree.registry import load_game

    record, states = replay_file(file, number)
    game = load_game(record.game)
    if named is not None and named.short_name != game.short_name:
        raise OptionError(f"'{file}' is a record of {record.game}, not of {named.short_name}")
    return History(game, tuple(states), record.steps)


def _place(history: History, ply: int | None, player: int | None) -> int:
    """The number of steps that were asked for; by default as many as lead to the last decision,
    of a player if one is named."""
    if ply is None:
        own = [
            number
            for number, state in enumerate(history.states)
            if state.player >= 0 and player in (None, state.player)
        ]
        if not own:
            raise OptionError("that side never was to move in this game")
        return own[-1]
    if ply > len(history.steps):
        raise OptionError(f"this game has {len(history.steps)} plies, not {ply}")
    return ply


def _compiled(spec: str | None, game: Game) -> GameTree:
    from fogtree.terminal.inputs import compile_game

    return compile_game(spec or str(game))


def _read_for_game(
    place: dict[str, Any], game: Game, history: History | None, ply: int | None
) -> dict[str, Any]:
    """The options that name a decision in a game, read."""
    from fogtree.registry import seat_number

    read = dict(place)
    if "moves" in read:
        read["moves"] = [part.strip() for part in read["moves"].split(",") if part.strip()]
    if "player" in read:
        read["player"] = seat_number(game, read["player"])
    if history is not None:
        read["history"] = history.until(_place(history, ply, read.get("player")))
    return read


def _read_for_tree(place: dict[str, Any], tree: GameTree) -> dict[str, Any]:
    """The options that name a decision in a compiled game, read."""
    from fogtree.agents.budget import Budget

    read = dict(place)
    if "before" in read:
        read["before"] = Budget(steps=read["before"])
    if "blueprint" in read:
        read["blueprint"] = _strategy(read["blueprint"], tree)
    return read


def _strategy(source: str, tree: GameTree) -> Strategy:
    if source == "equilibrium":
        from fogtree import equilibrium

        return equilibrium(tree).strategy
    from fogtree.terminal.inputs import find_strategy

    return find_strategy(Path(source), tree)


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
