"""``fogtree study safety``: the exact exploitability of the search agent on small games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import fogtree
from fogtree.errors import OptionError
from fogtree.registry import load_game
from fogtree.terminal import options
from fogtree.terminal.console import output, print_json
from fogtree.terminal.long_task import long_task

if TYPE_CHECKING:
    from fogtree.studies.safety import GameFacts, SafetyResult

_GADGET_NAMES = {"both": "both halves", "none": "no gadget"}


def safety(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME...", help="Small games.", show_default="four small games"),
    ] = None,
    *,
    steps: Annotated[int, typer.Option(min=1, help="Expansions per decision.")] = 20_000,
    orders: Annotated[
        str, typer.Option(help="Orders of knowledge, separated by commas; inf is the whole game.")
    ] = "1,2,3,inf",
    gadgets: Annotated[
        str, typer.Option(help="Root gadgets: both, resolve, maxmargin, none.")
    ] = "both,resolve,maxmargin,none",
    presets: Annotated[
        str, typer.Option(help="Presets of the search, played with purification.")
    ] = "paper,seed",
    seed: Annotated[
        int,
        typer.Option(
            min=0, callback=options.at_most(options.LARGEST_SEED), help="The first random seed."
        ),
    ] = 0,
    seeds: Annotated[
        int,
        typer.Option(
            min=1, max=1000, help="Number of seeds; the agent plays the mixture of them all."
        ),
    ] = 5,
    workers: options.Processes = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="Keep finished conditions here; a study that was stopped continues from it."
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
    json: options.Json = False,
) -> None:
    """Measure the exact exploitability of the search agent on small games, for every gadget."""
    from fogtree.agents.budget import Budget
    from fogtree.games import SMALL_GAMES
    from fogtree.studies import safety as study
    from fogtree.system.cores import cores
    from fogtree.system.user_code import is_user_code
    from fogtree.terminal.inputs import compile_game

    if markdown and json:
        raise OptionError("--markdown and --json exclude each other")
    names = games or list(SMALL_GAMES)
    own = any(is_user_code(name) for name in names)
    compiler = compile_game if own else fogtree.compile
    for name in names:  # a game that cannot be loaded is an error before the study begins
        _ = study.game_facts(name, compiler) if own else load_game(name)
    chosen = study.conditions(
        [_order(word) for word in options.listed(orders)],
        options.listed(gadgets),
        [_preset(word) for word in options.listed(presets)],
    )
    options.check_file(file)
    with long_task("conditions", file) as bar:
        found = study.safety(
            names,
            Budget(steps=steps),
            chosen=chosen,
            seed=seed,
            seeds=seeds,
            workers=1 if own else workers or cores(),
            file=file,
            progress=bar.show,
            compiler=compiler,
        )
    facts = [study.game_facts(name, compiler) for name in names]
    if json:
        print_json(_document(found, facts, steps))
        return
    for one in facts:
        rows = [result for result in found if result.game == one.game]
        if markdown:
            output().print(_markdown(one, rows, steps), soft_wrap=True)
        else:
            output().print(_text(one, rows, steps))


def _order(word: str) -> int:
    """An order of knowledge from a word on the command line, as a number: 0 stands for ``inf``."""
    if word == "inf":
        return 0  # infinity, in the search's options
    if not word.isdecimal() or len(word) > 9 or int(word) < 1:
        raise OptionError(f"an order of knowledge is 1, 2, 3, ... or inf, not '{word[:40]}'")
    return int(word)


def _preset(word: str) -> str:
    """The name of a preset; an error if there is none of that name."""
    from fogtree.search import PRESETS

    if word not in PRESETS:
        raise OptionError(f"a preset is one of {', '.join(PRESETS)}, not '{word[:40]}'")
    return word


def _heading(one: GameFacts, steps: int) -> str:
    """The size of a game, and how exploitable random play is."""
    return (
        f"{one.game}: {one.nodes:,} histories, {one.infosets:,} information sets, "
        f"{steps:,} steps a decision; playing at random {one.uniform:.4f}"
    )


def _cell(result: SafetyResult) -> str:
    """The exploitability of the mixture of all seeds and, if there are several, in brackets the
    range over single seeds."""
    text = _number(result.exploitability)
    if len(result.by_seed) > 1:
        text += f" ({_number(min(result.by_seed))} to {_number(max(result.by_seed))})"
    return text


def _number(exploitability: float) -> str:
    """An exploitability with four decimals; a negative one is a rounding error, written as zero."""
    return f"{max(exploitability, 0.0):.4f}"


def _grid(rows: Sequence[SafetyResult]) -> tuple[list[str], list[list[str]]]:
    """The titles and the rows of a game's table: orders of knowledge down, gadgets across, and in
    the last column what theory guarantees in general. Presets follow in rows of their own."""
    plain = [r for r in rows if r.condition.preset is None]
    gadgets = list(dict.fromkeys(r.condition.gadget for r in plain))
    lines = []
    for frozen, order in dict.fromkeys((r.condition.frozen, r.condition.knowledge) for r in plain):
        here = {
            r.condition.gadget: r
            for r in plain
            if (r.condition.frozen, r.condition.knowledge) == (frozen, order)
        }
        promise = next(iter(here.values())).condition.promise
        name = f"k = {order or '∞'}{', frozen' if frozen else ''}"
        lines.append([name, *(_cell(here[g]) for g in gadgets), promise])
    for r in rows:
        if r.condition.preset is not None:
            blank = [""] * (len(gadgets) - 1)
            lines.append([r.condition.name, _cell(r), *blank, r.condition.promise])
    return ["", *(_GADGET_NAMES.get(g, g) for g in gadgets), "promised in general"], lines


def _markdown(one: GameFacts, rows: Sequence[SafetyResult], steps: int) -> str:
    """The results of a game as a table in Markdown."""
    head, lines = _grid(rows)
    parts = [
        f"**{_heading(one, steps)}**",
        "",
        f"| {' | '.join(head)} |",
        f"|---|{'---:|' * (len(head) - 2)}---|",
    ]
    parts += [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([*parts, ""])


def _text(one: GameFacts, rows: Sequence[SafetyResult], steps: int) -> Any:
    """The results of a game as a table for the terminal."""
    from rich.console import Group
    from rich.text import Text

    from fogtree.terminal.number_table import NumberTable

    head, lines = _grid(rows)
    table = NumberTable(*head[:-1], Text(head[-1], justify="left"))
    for line in lines:
        table.add_row(*line[:-1], Text(line[-1], justify="left"))
    return Group(Text(_heading(one, steps), style="bold"), table, "")


def _document(
    found: Sequence[SafetyResult], facts: Sequence[GameFacts], steps: int
) -> dict[str, Any]:
    """The results as a JSON document."""
    return {
        "steps": steps,
        "exploitability_is": "NashConv / 2",
        "games": [
            {
                "game": one.game,
                "nodes": one.nodes,
                "infosets": one.infosets,
                "uniform": one.uniform,
                "results": [
                    {
                        "knowledge": r.condition.knowledge or "infinite",
                        "frozen": r.condition.frozen,
                        "gadget": r.condition.gadget,
                        "preset": r.condition.preset,
                        "exploitability": r.exploitability,
                        "by_seed": list(r.by_seed),
                        "value": r.value,
                        "promise": r.condition.promise,
                        "seconds": r.seconds,
                    }
                    for r in found
                    if r.game == one.game
                ],
            }
            for one in facts
        ],
    }
