"""Write and print the finished run of ``solve`` or ``resume``, and say how to resume it."""

from __future__ import annotations

import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import fogtree
from fogtree.cli.export import format_of
from fogtree.cli.rounding import Rounded
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.options import check_file, check_plot
from fogtree.terminal.outcome import ENDED_EARLY
from fogtree.terminal.strategy_rows import rows_to_show

if TYPE_CHECKING:
    from fogtree import GameTree, Run, Strategy
    from fogtree.solvers.simulated import SimulatedRun


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a run's strategy is written and how it is printed, by the options of the command."""

    json: bool
    output: Path | None
    plot: Path | None
    digits: int
    """Decimal places in tables."""
    rounding: int | None
    """Decimal places to which the strategy itself is rounded; None: not at all."""

    def check(self) -> None:
        """Raise an error now if a file could not be written later."""
        check_file(self.output)
        if self.output is not None:
            format_of(self.output)
        check_plot(self.plot)


def run_numbers(run: Run) -> dict[str, Any]:
    """The main numbers of a run, by their names in JSON documents."""
    measured = ("exploitability", "nash_conv", "value", "values")
    names = ("algorithm", "iterations", *measured, "seconds", "iterations_per_second")
    return {name: getattr(run, name) for name in names}


def run_document(run: Run, strategy: Strategy) -> dict[str, Any]:
    """A run as a JSON document with its ``strategy``, which may be rounded."""
    return {
        "game": run.game,
        **run_numbers(run),
        "check_seconds": run.check_seconds,
        "compile_seconds": run.compile_seconds,
        "stopped": run.stopped,
        "alternating": run.recipe.alternating,
        "averaging": run.recipe.averaging,
        "delay": run.recipe.delay,
        "precision": run.precision,
        "threads": run.threads,
        "device": run.device,
        "folder": run.folder,
        "sampled": None if run.sampled is None else asdict(run.sampled),
        "curve": [asdict(check) for check in run.curve],
        "strategy": strategy.to_dict(),
    }


def warn_of_delay(run: Run | SimulatedRun) -> None:
    """Warn if a run ended before averaging began, so that its answer is the uniform strategy."""
    row = run.recipe
    if row.averaging != "last" and 0 < run.iterations <= row.delay:
        messages().print(
            f"the delay of {row.delay:,} left out all {run.iterations:,} iterations: nothing was "
            "averaged, and the answer is the uniform strategy",
            soft_wrap=True,
        )


def deliver(run: Run, tree: GameTree, delivery: Delivery) -> None:
    """Print the result of a run on a compiled game, and write its files. If a signal ended the run,
    exit with the signal's status."""
    if run.sampled is not None:
        from fogtree.cli.sampling import check_begun

        check_begun(run)
    rounded = None
    if delivery.rounding is not None:
        rounded = Rounded.of(tree, run.strategy, delivery.rounding)
    strategy = rounded.strategy if rounded else run.strategy
    if delivery.json:
        document = run_document(run, strategy)
        if rounded is not None:
            document["rounded"] = rounded.document()
        print_json(document)
    else:
        _show(run, tree, strategy, delivery.digits)
        if rounded is not None:
            output().print(str(rounded))
    _write(run, tree, strategy, delivery)
    warn_of_delay(run)
    end_early(run)


def _write(run: Run, tree: GameTree, strategy: Strategy, delivery: Delivery) -> None:
    """Write the strategy and the plot, if asked for. This comes after the answer is printed, so
    that the answer is not lost if the disk is full."""
    if delivery.output is not None:
        fogtree.write_strategy(strategy, delivery.output)
    if delivery.plot is not None:
        from fogtree.plot import convergence, save_figure

        curves = {run.algorithm: run.curve}
        save_figure(convergence(curves, title=run.game, players=tree.players), delivery.plot)
    for what, path in (("strategy", delivery.output), ("plot", delivery.plot)):
        if path is not None and not delivery.json:
            output().print(f"{what} written to {path}")


def _show(run: Run, tree: GameTree, strategy: Strategy, digits: int) -> None:
    """Print the result of a run and the strategy that it found."""
    from fogtree.cli.tables import RUN_LEGEND, STRATEGY_LEGEND, StrategyTable, run_table

    console = output()
    console.print(run_table(run, tree))
    console.print(RUN_LEGEND, style="dim")
    console.print()
    shown = rows_to_show(fogtree.inspect(tree, strategy))
    console.print(StrategyTable(shown.reports, digits))
    console.print(STRATEGY_LEGEND, style="dim")
    if shown.note:
        console.print(f"{shown.note}: the others are reached less often", style="dim")
    if run.folder is not None and run.stopped not in ENDED_EARLY:
        console.print(f"run saved in {run.folder}")


def end_early(run: Run | SimulatedRun) -> None:
    """Say how to resume a run that a signal ended, and exit with the signal's status."""
    if run.stopped not in ENDED_EARLY:
        return
    where = f"{run.stopped} at iteration {run.iterations:,}"
    if run.folder is None:
        messages().print(f"{where}; the run was not saved (that is what --save FOLDER is for)")
    else:
        folder = shlex.quote(str(run.folder))
        messages().print(
            f"{where}; saved in {run.folder}. Go on with\n  fogtree resume {folder}",
            soft_wrap=True,
        )
    raise typer.Exit(ENDED_EARLY[run.stopped])
