"""``fogtree demo``: a tour in the terminal, done in seconds."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

import fogtree
from fogtree.cli.compare import draw, find_algorithms, run_comparison
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.outcome import INTERRUPTED

if TYPE_CHECKING:
    from rich.console import Console

    from fogtree import GameTree
    from fogtree.solvers.compare import Comparison
    from fogtree.terminal.number_table import NumberTable

GAME = "kuhn_poker"
ALGORITHMS = "cfr,cfr+,normalhedge,normalhedge+"
ITERATIONS = 10_000
KUHN_VALUE = -1 / 18

NEXT = """What next:
  fogtree games                              every game and its parameters
  fogtree solve leduc_poker --until 1e-3     a larger game, until good enough
  fogtree solve kuhn_poker --save runs/kuhn  keep the run; Ctrl-C loses nothing
  fogtree compare leduc_poker -n 2000 --plot leduc.png
  fogtree solve --help"""


def demo(
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File of the convergence plot."),
    ] = Path("kuhn_convergence.png"),
    json: options.Json = False,
) -> None:
    """Solve Kuhn poker with four algorithms, and look at what they found."""
    from fogtree.errors import MissingExtraError
    from fogtree.plot.figure import check_format

    missing = ""
    try:
        if plot is not None:
            check_format(plot)
    except MissingExtraError as error:
        plot, missing = None, str(error)
    options.check_file(plot)
    tree = fogtree.compile(fogtree.load_game(GAME))
    comparison = run_comparison(tree, find_algorithms(ALGORITHMS), ITERATIONS)
    if plot is not None:
        draw(comparison, tree, plot)
    if json:
        from fogtree.cli.comparison_report import comparison_document

        document = comparison_document(comparison, tree.players)
        print_json({**document, "known_value": KUHN_VALUE, "plot": plot})
    else:
        _tour(output(), tree, comparison)
        written = f"Convergence plot: {plot.resolve()}" if plot else f"No plot: {missing}"
        output().print(written, soft_wrap=True)
        output().print(f"\n{_next()}", soft_wrap=True)
    if comparison.interrupted:
        messages().print("interrupted")
        raise typer.Exit(INTERRUPTED)


def _next() -> str:
    """Commands to try next, and where fogtree is if it is not on the path."""
    called = Path(sys.argv[0])
    known = which("fogtree") is not None or not called.name.startswith("fogtree")
    if known:
        return NEXT
    return f"{NEXT}\n(fogtree is not on your path yet: it is {called})"


def _tour(console: Console, tree: GameTree, comparison: Comparison) -> None:
    """Print the tour: the game, the convergence of each algorithm, and the strategies."""
    from fogtree.cli.comparison_report import milestone_table, summary_table
    from fogtree.cli.tables import sizes_table

    console.rule("fogtree: a tour", align="left")
    console.print(
        "Kuhn poker: three cards, one each, one bet. The first player loses 1/18 of a chip per "
        "game if both play perfectly, and perfect play bluffs, so it must randomise.\n"
    )
    console.print(sizes_table(tree, tree.sizes()))
    console.print(f"\nFour algorithms, {ITERATIONS:,} iterations each. How wrong is each still?")
    console.print(summary_table(comparison, tree.players))
    console.print(f"the value is known: -1/18 = {KUHN_VALUE:.7f}\n", style="dim")
    console.print(f"Iterations and time to an exploitability (NashConv / {tree.players})")
    console.print(milestone_table(comparison))
    console.print(
        "\nWhat they play (a letter each for card, check, bet), and how often one is there"
    )
    console.print(_strategies(tree, comparison))
    console.print(
        "They differ at J, Qcb and K and are all right: player 0 may bluff with the jack at any "
        "rate a up to 1/3 if the king bets 3a and the queen calls a + 1/3.\n"
    )


def _strategies(tree: GameTree, comparison: Comparison) -> NumberTable:
    """One column per algorithm, one row per action."""
    from fogtree.terminal.number_table import NumberTable

    runs = [one.run for one in comparison.contenders]
    names = [run.algorithm for run in runs]
    table = NumberTable("player", "information set", "reach", "action", *names, keys=4)
    reports = sorted(fogtree.inspect(tree, runs[-1].strategy), key=lambda report: report.player)
    for report in reports:
        shares = [run.strategy[report.name] for run in runs]
        for k, action in enumerate(report.actions):
            head = (f"{report.player}", report.name, f"{report.reach:.3f}") if k == 0 else ("",) * 3
            cells = [f"{share[action]:.3f}" for share in shares]
            table.add_row(*head, action, *cells, style="" if k == 0 else "dim")
    return table
