"""``fogtree explain``: an algorithm's first iterations, step by step."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from fogtree.errors import OptionError
from fogtree.system.user_code import prints_to_stderr
from fogtree.terminal import options
from fogtree.terminal.console import messages
from fogtree.terminal.console import output as standard_output
from fogtree.terminal.inputs import compile_game, find_algorithm

if TYPE_CHECKING:
    from fogtree.explanation import Explanation

_FILE_WIDTH = 100
MOST_STEPS = 100
"""Default number of steps printed; more would be too many to scroll through."""


class ManyDeals(TyperCommand):
    """A command that reads ``--deals JQ QK`` as ``--deals JQ --deals QK``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_repeat_option("--deals", args)))


def _repeat_option(option: str, args: list[str]) -> Iterator[str]:
    """Repeat an option before each of the values that follow it."""
    repeating, waiting = False, False
    for arg in args:
        if arg.startswith("-") and not waiting:
            waiting = arg == option
            repeating = waiting or arg.startswith(f"{option}=")
        elif waiting:
            waiting = False
        elif repeating:
            yield option
        yield arg


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(cls=ManyDeals)(explain)


def explain(
    game: options.GameArgument,
    *,
    algorithm: options.Algorithm = "cfr+",
    deals: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DEAL...",
            help="One iteration per deal: the labels of chance events in their order, as in JQ QK, "
            "or J,Q. Events beyond the last label stay random.",
        ),
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            "-n",
            help="How many iterations: over the whole game (default 1), or going round the deals.",
        ),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option(
            min=1,
            show_default=f"{MOST_STEPS}; all with --json",
            help="Write at most this many steps: the most likely ones of the first iterations.",
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(help="Write the result to a file; with --json it is printed as well."),
    ] = None,
) -> None:
    """Walk through an algorithm's iterations: reach, values, regrets and the next strategy."""
    if markdown and as_json:
        raise OptionError("--markdown and --json exclude each other")
    options.check_file(output)
    from fogtree.explanation import explain as walk_through

    row, tree = find_algorithm(algorithm), compile_game(game)
    with prints_to_stderr():
        explanation = walk_through(tree, row, deals=deals or (), iterations=iterations)
    if most is not None or not as_json:
        explanation = explanation.shortened(most or MOST_STEPS)
    _write(explanation, markdown=markdown, as_json=as_json, file=output)
    if explanation.left_out:
        written = len(explanation.steps)
        total = written + explanation.left_out
        shown = len(explanation.by_iteration())
        messages().print(
            f"{written:,} of {total:,} steps written, those with the largest reach, of "
            f"{shown:,} iteration{'s'[: shown > 1]}; all with --most {total}",
            soft_wrap=True,
        )


def _write(explanation: Explanation, *, markdown: bool, as_json: bool, file: Path | None) -> None:
    """Print the walk-through, or write it to a file, as tables, Markdown or JSON."""
    from rich.console import Console

    from fogtree.cli.explain_report import show
    from fogtree.explanation.markdown import markdown as to_markdown
    from fogtree.system.files import write_text

    if as_json:
        text = json.dumps(explanation.to_dict(), indent=2, ensure_ascii=False) + "\n"
    elif markdown:
        text = to_markdown(explanation)
    elif file is None:
        show(explanation, standard_output())
        return
    else:
        page = StringIO()
        show(explanation, Console(file=page, width=_FILE_WIDTH, no_color=True))
        text = page.getvalue()
    if file is not None:
        write_text(file, text)
    if file is None or as_json:
        sys.stdout.write(text)
