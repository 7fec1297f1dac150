"""Tables of text, drawn for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fogtree.terminal.console import printable
from fogtree.terminal.number_table import NumberTable
from fogtree.terminal.position_table import PositionTable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fogtree.report.tables import TextTable


def terminal_table(table: TextTable) -> RenderableType:
    """A table for Rich to print, without its title and its note."""
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
