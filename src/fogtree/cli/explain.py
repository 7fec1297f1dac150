"""``fogtree explain``: an algorithm's first iterations, step by step."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand

from fogtree.errors import OptionError
from fogtree.explain import Explanation, Step, words
from fogtree.explain import explain as walk_through
from fogtree.explain.markdown import markdown as to_markdown
from fogtree.explain.rules import formulas, weight_rule
from fogtree.files import whole_file
from fogtree.games import load_game

_FILE_WIDTH = 100


class ManyDeals(TyperCommand):
    """Lets ``--deals JQ QK`` stand for ``--deals JQ --deals QK``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_repeat_option("--deals", args)))


def _repeat_option(option: str, args: list[str]) -> Iterator[str]:
    """Puts the option before every further value that follows it."""
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
    """Adds the command to the application."""
    app.command(cls=ManyDeals)(explain)


def explain(
    game: Annotated[
        str, typer.Argument(help="A game, as in  kuhn_poker  or  leduc_poker(ranks=4).")
    ],
    *,
    algorithm: Annotated[str, typer.Option(help="An algorithm by name.")] = "cfr+",
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
            help="How many iterations: over the whole game (default 1), or going round the deals."
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document.")] = False,
    output: Annotated[
        Path | None, typer.Option(help="A file for the result; JSON is printed as well.")
    ] = None,
) -> None:
    """Walk through an algorithm's iterations: reach, values, regrets and the next strategy."""
    if markdown and as_json:
        raise OptionError("--markdown and --json exclude each other")
    explanation = walk_through(load_game(game), algorithm, deals=deals or (), iterations=iterations)
    if as_json:
        text = json.dumps(explanation.to_dict(), indent=2, ensure_ascii=False) + "\n"
    elif markdown:
        text = to_markdown(explanation)
    elif output is None:
        show(explanation, Console())
        return
    else:
        page = StringIO()
        show(explanation, Console(file=page, width=_FILE_WIDTH, no_color=True))
        text = page.getvalue()
    if output is not None:
        with whole_file(output) as out:
            out.write(text.encode())
    if output is None or as_json:
        sys.stdout.write(text)


def show(explanation: Explanation, console: Console) -> None:
    """The walk-through as tables with a few words beside each."""
    for part in _parts(explanation):
        console.print(part)


def _parts(explanation: Explanation) -> Iterator[RenderableType]:
    yield Rule(Text(f"{explanation.game} with {explanation.algorithm}", style="bold"))
    yield Text(words.ground_rules(explanation))
    yield Text(weight_rule(explanation.recipe).summary)
    yield Text("\n".join(f"  {line}" for line in formulas(explanation.recipe)), style="dim")
    for steps in explanation.by_iteration():
        yield Text()
        yield Rule(Text(words.heading(steps), style="bold"))
        for step in steps:
            yield Text()
            yield _prose(words.situation(step))
            yield _table(step)
            yield _prose(f"{words.judgement(step)} {words.conclusion(step)}")


def _prose(sentence: str) -> Text:
    """Names in backquotes become bold."""
    out = Text()
    for number, piece in enumerate(sentence.split("`")):
        out.append(piece, style="bold cyan" if number % 2 else "")
    return out


def _table(step: Step) -> Table:
    title = f"{step.infoset}, player {step.player}"
    for symbol, value in (("c", step.scale), ("η", step.rate)):
        title += "" if value is None else f", {symbol} = {words.number(value)}"
    table = Table(title=Text(title, style="bold cyan"), title_justify="left", show_footer=True)
    table.add_column("action", footer="EV")
    table.add_column("leads to")
    numbers = ("σ", "v", "r", "R", "R′", "w", "σ′")
    for symbol in numbers:
        footer = words.number(step.expected_value) if symbol == "v" else ""
        table.add_column(symbol, footer=footer, justify="right")
    for k, action in enumerate(step.actions):
        table.add_row(
            Text(action),
            _prose(words.next_nodes(step.leads_to[k])),
            words.number(step.strategy[k]),
            words.number(step.values[k]),
            words.signed(step.regret[k]),
            words.signed(step.previous_regret[k]),
            words.signed(step.cumulative_regret[k]),
            words.weight(step.weights[k]),
            words.number(step.next_strategy[k]),
        )
    return table
