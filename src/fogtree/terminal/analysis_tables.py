"""An analysis in tables, for terminals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from fogtree.report.tables import (
    TextTable,
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
from fogtree.terminal.number_table import NumberTable, facts_table
from fogtree.terminal.position_table import PlacesTable, PositionTable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from fogtree.report.analysis import AnalysisReport


def print_analysis(console: Console, report: AnalysisReport, top: int) -> None:
    """Print the whole report; long tables have ``top`` rows."""
    for text in (report.heading, report.sketch, report.view):
        if text:
            console.print(text, soft_wrap=True)
    console.print()
    for table in analysis_tables(report, top):
        console.print(table, "")
    if report.truth is not None:
        console.print(f"The truth: {report.truth.text}", soft_wrap=True)


def analysis_tables(report: AnalysisReport, top: int) -> Iterator[RenderableType]:
    """Everything that goes into tables."""
    grid = facts_table()
    for name, value in facts(report):
        grid.add_row(name, printable(value))
    yield grid
    for table in (
        candidates_table(report, top),
        mix_table(report),
        convergence_table(report),
        positions_table(report, top),
        *opponent_tables(report, top),
        levels_table(report),
    ):
        yield _titled(table.title, _rich(table))
    if report.marginals is not None:
        places = PlacesTable()
        for kind, cells in marginal_rows(report, top):
            places.add_row(kind, cells)
        yield _titled(report.marginals.title, places)


def _titled(title: str, table: RenderableType) -> Group:
    """A table below its title, which is not wrapped to the width of the table."""
    return Group(Text(title, style="bold"), table)


def _rich(table: TextTable) -> RenderableType:
    rows = [[printable(cell) for cell in row] for row in table.rows]
    if table.positions:
        positions = PositionTable(*table.columns[:-2])
        for *numbers, position, line in rows:
            positions.add_row(numbers, position, line)
        return positions
    columns = NumberTable(*(_heading(column) for column in table.columns))
    for row in rows:
        columns.add_row(*row)
    return columns


def _heading(column: str) -> str:
    """A column's name without control characters; it may have two lines."""
    return "\n".join(map(printable, column.split("\n")))
