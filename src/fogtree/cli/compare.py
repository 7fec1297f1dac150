"""``fogtree compare``: several algorithms on one game, side by side."""

from __future__ import annotations

import csv as csv_format
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fogtree.runs.limits import DEFAULT_ITERATIONS
from fogtree.system.user_code import prints_to_stderr
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.inputs import compile_game, find_algorithm
from fogtree.terminal.outcome import INTERRUPTED
from fogtree.terminal.progress import Meter, SolveBar

if TYPE_CHECKING:
    from fogtree import Check, GameTree, Recipe
    from fogtree.runs.progress import Pulse
    from fogtree.solvers.compare import Comparison
    from fogtree.text.choices import Precision


def compare(
    game: options.GameArgument,
    *,
    algorithms: Annotated[
        str,
        typer.Option(
            "--algorithms", "-a", help=f"Algorithms separated by commas: {options.ALGORITHMS}."
        ),
    ] = "cfr,cfr+,dcfr,pcfr+",
    iterations: Annotated[
        int,
        typer.Option(
            "--iterations",
            "-n",
            min=1,
            callback=options.at_most(options.MOST_ITERATIONS),
            help="Iterations of each algorithm.",
        ),
    ] = DEFAULT_ITERATIONS,
    plot: options.Plot = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every measurement as CSV.")
    ] = None,
    distances: Annotated[
        bool | None,
        typer.Option(
            "--distances/--no-distances",
            show_default="only where it is quick",
            help="Measure every answer's distance from the nearest equilibrium (linear program).",
        ),
    ] = None,
    precision: options.TabularPrecision = "float64",
    threads: options.Threads = 1,
    digits: options.Digits = 3,
    json: options.Json = False,
) -> None:
    """Run several algorithms for the same number of iterations and compare how they converge."""
    options.check_plot(plot)
    options.check_file(csv)
    rows = find_algorithms(algorithms)
    tree = compile_game(game)
    comparison = run_comparison(
        tree,
        rows,
        iterations,
        distances=distances,
        precision=precision,
        threads=threads,
    )
    if json:
        from fogtree.cli.comparison_report import comparison_document

        print_json(comparison_document(comparison, tree.players))
    else:
        from fogtree.cli.comparison_report import print_comparison

        print_comparison(output(), comparison, tree, digits, distances)
    if csv is not None:
        _write_csv(comparison, csv)
    if plot is not None:
        draw(comparison, tree, plot)
    for what, path in (("measurements", csv), ("plot", plot)):
        if path is not None and not json:
            output().print(f"{what} written to {path}")
    if comparison.interrupted:
        messages().print("interrupted: the results so far are printed")
        raise typer.Exit(INTERRUPTED)


def find_algorithms(names: str) -> list[Recipe]:
    """The algorithms that a list with commas names; an error if one is named twice."""
    from fogtree.solvers.compare import check_different

    rows = [find_algorithm(name) for name in options.listed(names)]
    check_different(rows)
    return rows


def run_comparison(
    tree: GameTree,
    rows: list[Recipe],
    iterations: int,
    *,
    distances: bool | None = None,
    precision: Precision = "float64",
    threads: int = 1,
) -> Comparison:
    """Run the algorithms ``rows`` on a game, with a progress bar on standard error."""
    from fogtree.solvers.compare import compare as compare_algorithms

    bars = {
        row.name: SolveBar(f"{tree.game} {row.name}", Meter(iterations, None, None), tree.players)
        for row in rows
    }
    current: list[SolveBar] = []

    def switch(name: str) -> SolveBar:
        """The progress bar of an algorithm; that of another algorithm is closed first."""
        if current and current[0] is not bars[name]:
            current.pop().__exit__()
        if not current:
            current.append(bars[name].__enter__())
        return current[0]

    def check(name: str, measured: Check) -> None:
        switch(name).check(measured)

    def pulse(name: str, now: Pulse) -> None:
        switch(name).pulse(now)

    try:
        with prints_to_stderr():
            return compare_algorithms(
                tree,
                rows,
                iterations=iterations,
                distances=distances,
                precision=precision,
                threads=threads,
                progress=check,
                pulse=pulse,
            )
    finally:
        for bar in current:
            bar.__exit__()


def draw(comparison: Comparison, tree: GameTree, plot: Path) -> None:
    """Write the convergence curves of all algorithms of a comparison to a picture file."""
    from fogtree.plot import convergence, save_figure

    curves = {one.run.algorithm: one.run.curve for one in comparison.contenders}
    save_figure(convergence(curves, title=comparison.game, players=tree.players), plot)


def _write_csv(comparison: Comparison, path: Path) -> None:
    """Write one row per algorithm and measurement."""
    from fogtree.system.files import write_text

    out = io.StringIO()
    writer = csv_format.writer(out, lineterminator="\n")
    writer.writerow(["algorithm", "iteration", "seconds", "exploitability", "value"])
    for one in comparison.contenders:
        for c in one.run.curve:
            numbers = (repr(c.seconds), repr(c.exploitability), repr(c.value))
            writer.writerow([one.run.algorithm, c.iteration, *numbers])
    write_text(path, out.getvalue())
