"""Positions beside their numbers where there is room, else below them; none is cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fogtree.terminal.number_table import GAP, facts_table, filled

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Row = tuple[Sequence[str], str, str]
"""Numbers, a position, and the line of moves that follows from it; all as texts."""


class PositionTable:
    """A table of numbers and positions. A row is one line if all rows fit, else a line of numbers
    with the position below it."""

    def __init__(self, *titles: str) -> None:
        self.titles = titles
        self.rows: list[Row] = []

    def add_row(self, numbers: Sequence[str], position: str, line: str) -> None:
        self.rows.append((numbers, position, line))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Called by Rich to print the table: as columns if they fit into the width of the terminal,
        else row by row with positions and lines below their numbers."""
        head = (*self.titles, "position", "line")
        rows = [(*numbers, position, line) for numbers, position, line in self.rows]
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        if sum(widths) + GAP * (len(widths) - 1) <= options.max_width:
            yield _table(head, rows, numbers=len(self.titles))
            return
        for numbers, position, line in self.rows:
            named = zip(self.titles, numbers, strict=True)
            yield filled(
                [Text(f"{title} {number}") for title, number in named if number], options.max_width
            )
            for text in (position, line):
                if text:
                    yield Padding(Text(text, overflow="fold"), (0, 0, 0, GAP))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: int) -> Table:
    """A table without lines; the first ``numbers`` columns are right-aligned."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for place, title in enumerate(head):
        table.add_column(title, justify="right" if place < numbers else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


class PlacesTable:
    """A table of the kinds of hidden pieces or cards, and the places where each may be."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, list[str]]] = []

    def add_row(self, kind: str, places: list[str]) -> None:
        self.rows.append((kind, places))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Called by Rich to print the table; places that do not fit into a line are continued in
        the next."""
        table = facts_table()
        room = options.max_width - 1 - GAP
        for kind, places in self.rows:
            table.add_row(kind, filled([Text(place) for place in places], room))
        yield table
