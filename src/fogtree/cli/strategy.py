"""``fogtree strategy show | diff | export``: look at strategies, compare and convert them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import fogtree
from fogtree.cli.export import Format, format_of
from fogtree.cli.rounding import Rounded
from fogtree.cli.table_strategy import infoset_row, is_table, show_table
from fogtree.errors import OptionError
from fogtree.terminal import options
from fogtree.terminal.console import messages, print_json, printable
from fogtree.terminal.console import output as standard_output
from fogtree.terminal.inputs import compile_game, find_strategy, find_strategy_and_tree
from fogtree.terminal.strategy_rows import rows_to_show

if TYPE_CHECKING:
    from fogtree import GameTree
    from fogtree.evaluate import InfosetReport

app = typer.Typer(help="Look at strategies, compare and convert them.", no_args_is_help=False)

Source = Annotated[
    Path,
    typer.Argument(
        metavar="FILE|FOLDER", show_default=False, help="A strategy file or the folder of a run."
    ),
]
Top = Annotated[int | None, typer.Option(min=1, help="Number of rows.", show_default="40")]


@app.command()
def show(
    source: Source,
    *,
    infoset: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Show only this information set; may be repeated."),
    ] = None,
    min_reach: Annotated[
        float,
        typer.Option(min=0.0, max=1.0, help="Leave out information sets with a smaller reach."),
    ] = 0.0,
    top: Top = None,
    game: options.GameOption = None,
    plot: options.Plot = None,
    digits: options.Digits = 3,
    rounding: options.Rounding = None,
    json: options.Json = False,
) -> None:
    """Print a strategy: per information set its reach, and each action's probability and value."""
    options.check_plot(plot)
    if is_table(source):
        for flag, value in (("--plot", plot), ("--rounding", rounding), ("--infoset", infoset)):
            if value is not None:
                raise OptionError(f"{flag} takes a strategy of a compiled game, not a table")
        show_table(source, game, top=top, min_reach=min_reach, digits=digits, json=json)
        return
    strategy, tree = find_strategy_and_tree(source, game)
    wanted = {tree.infoset(name) for name in infoset or []}
    rounded = None if rounding is None else Rounded.of(tree, strategy, rounding)
    strategy = rounded.strategy if rounded else strategy
    reports: tuple[InfosetReport, ...] = fogtree.inspect(tree, strategy)
    if wanted:
        reports = tuple(reports[number] for number in sorted(wanted))
    most = len(reports) if json and top is None else top
    shown = rows_to_show(reports, top=most, min_reach=0.0 if math.isnan(min_reach) else min_reach)
    if plot is not None:
        _draw(shown.reports, tree, plot)
    if json:
        rows = [infoset_row(report) for report in shown.reports]
        more = {"rounded": rounded.document()} if rounded else {}
        print_json({"game": tree.game, "infosets": rows, "total": shown.total, **more})
        return
    from fogtree.cli.tables import STRATEGY_LEGEND, StrategyTable

    console = standard_output()
    console.print(StrategyTable(shown.reports, digits))
    console.print(STRATEGY_LEGEND, style="dim")
    if shown.note:
        console.print(f"{shown.note} (see --top and --min-reach)", style="dim")
    if rounded:
        console.print(str(rounded))
    if plot is not None:
        console.print(f"plot written to {plot}")


def _draw(reports: tuple[InfosetReport, ...], tree: GameTree, plot: Path) -> None:
    """Draw the mixes as bars, or as a map where there are many actions."""
    from fogtree.plot import mix_bars, mix_map, save_figure
    from fogtree.plot.figure import COLOURS

    few = len({action for report in reports for action in report.actions}) <= len(COLOURS)
    save_figure((mix_bars if few else mix_map)(reports, title=tree.game), plot)


@app.command()
def diff(
    first: Source,
    second: Source,
    *,
    top: Top = None,
    game: options.GameOption = None,
    digits: options.Digits = 3,
    json: options.Json = False,
) -> None:
    """Compare two strategies of one game: per information set, half the summed difference."""
    tree = compile_game(game) if game else None
    one, other = find_strategy(first, tree), find_strategy(second, tree)
    if tree is None and one.game != other.game:
        note = f"note: '{first}' was made for '{one.game}', '{second}' for '{other.game}'"
        messages().print(note, soft_wrap=True)
    difference = one.difference(other)
    ranked = sorted(difference, key=lambda name: -difference[name])
    largest = difference[ranked[0]] if ranked else 0.0
    mean = sum(difference.values()) / len(difference) if difference else 0.0
    if json:
        summary = {"game": one.game, "largest": largest, "mean": mean}
        print_json({**summary, "differences": {name: difference[name] for name in ranked}})
        return
    from fogtree.terminal.number_table import NumberTable

    table = NumberTable("information set", "difference", "first", "second")
    shown = [name for name in ranked if difference[name] > 0][: top or 40]
    for name in shown:
        table.add_row(
            printable(name),
            f"{difference[name]:.{digits}g}",
            _mix(one[name], digits),
            _mix(other[name], digits),
        )
    console = standard_output()
    if shown:
        console.print(table)
    equal = sum(1 for value in difference.values() if value == 0)
    console.print(
        f"largest {largest:.6g}, mean {mean:.6g} over {len(difference):,} information sets, "
        f"{equal:,} of them equal"
    )


def _mix(mix: dict[str, float], digits: int) -> str:
    """A mix as a cell of a table, with one line per action."""
    return "\n".join(f"{printable(action)} {share:.{digits}f}" for action, share in mix.items())


@app.command()
def export(
    source: Source,
    *,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", show_default=False, help="The file to write."
        ),
    ],
    kind: Annotated[
        Format | None,
        typer.Option("--format", help="Format, if the file's ending does not name it."),
    ] = None,
    game: options.GameOption = None,
    rounding: options.Rounding = None,
    json: options.Json = False,
) -> None:
    """Write a strategy in another format: json, csv or npz (compact binary)."""
    options.check_file(output)
    kind = kind or format_of(output)
    strategy = find_strategy(source, compile_game(game) if game else None)
    if rounding is not None:
        strategy = strategy.rounded(rounding)
    fogtree.write_strategy(strategy, output, kind)
    if json:
        written = {"game": strategy.game, "format": kind.value, "output": output}
        print_json({**written, "infosets": len(strategy)})
    else:
        standard_output().print(f"{len(strategy):,} information sets written to {output}")
