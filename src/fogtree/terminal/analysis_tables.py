"""An analysis in tables, for terminals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from fogtree.report.meanings import FACTS
from fogtree.report.tables import (
    candidates_table,
    convergence_table,
    facts,
    levels_table,
    marginal_rows,
    mix_table,
    opponent_tables,
    positions_table,
)
from fogtree.terminal.console import printable
from fogtree.terminal.number_table import facts_table
from fogtree.terminal.position_table import PlacesTable
from fogtree.terminal.text_tables import terminal_table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from fogtree.report.analysis import AnalysisReport


MORE = (
    "With --full: what the words above mean, the mix over time, how the search converged, "
    "likely positions, what the opponent may know, the tree by depth, where hidden things may be."
)


def print_analysis(console: Console, report: AnalysisReport, top: int, full: bool) -> None:
    """Print the main facts and the candidates, or with ``full`` the whole report; long tables have
    ``top`` rows."""
    for text in (report.heading, report.sketch, report.view):
        if text:
            console.print(text, soft_wrap=True)
    if report.legend:
        console.print(report.legend, style="dim")
    console.print()
    for table in summary_tables(report, top, full):
        console.print(table, "")
    for table in more_tables(report, top) if full else ():
        console.print(table, "")
    if report.truth is not None:
        console.print(f"The truth: {report.truth.text}", soft_wrap=True)
    if not full:
        console.print(MORE, style="dim")


def summary_tables(report: AnalysisReport, top: int, full: bool) -> Iterator[RenderableType]:
    """The main facts, with ``full`` also their meanings, and the candidates with their values."""
    rows = facts(report)
    grid = facts_table()
    for name, value in rows:
        grid.add_row(name, printable(value))
    words = [f"{name}: {FACTS[name]}." for name, _ in rows if name in FACTS] if full else []
    yield Group(grid, *(Text(one, style="dim") for one in words))
    table = candidates_table(report.analysis.decision.candidates, report.names.action, top)
    yield _titled(table.title, terminal_table(table), table.note)


def more_tables(report: AnalysisReport, top: int) -> Iterator[RenderableType]:
    """The tables that only the whole report has: the mix over time, convergence, positions, the
    opponent's information sets, the tree by depth, and where hidden things may be."""
    for table in (
        mix_table(report),
        convergence_table(report),
        positions_table(report, top),
        *opponent_tables(report, top),
        levels_table(report),
    ):
        yield _titled(table.title, terminal_table(table), table.note)
    if report.marginals is not None:
        places = PlacesTable()
        for kind, cells in marginal_rows(report, top):
            places.add_row(kind, cells)
        yield _titled(report.marginals.title, places)


def _titled(title: str, table: RenderableType, note: str = "") -> Group:
    """A table below its title and above its note, neither wrapped to the width of the table."""
    below = [Text(note, style="dim")] if note else []
    return Group(Text(title, style="bold"), table, *below)
