"""A terminal table that never cuts a number: columns that do not fit form a block below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderResult

GAP = 2  # columns of the terminal between two columns of a table
NARROW_NAME, WIDE_WORD = 12, 24
"""Names are folded to 12 letters, or to the length of their longest word, up to 24."""


class NumberTable:
    """A table that splits into blocks below each other if it is too wide. Its first ``keys``
    columns name the row: they may be folded, and are repeated in every block. The other columns,
    numbers or short words, are right-aligned and never folded."""

    def __init__(self, *titles: str | Text, keys: int = 1) -> None:
        self.titles, self.keys = tuple(map(_text, titles)), keys
        self.rows: list[tuple[tuple[Text, ...], str]] = []

    def add_row(self, *cells: str | Text, style: str = "") -> None:
        self.rows.append((tuple(map(_text, cells)), style))

    def full_width(self) -> int:
        """The terminal width at which all columns fit beside each other."""
        columns = range(len(self.titles))
        return sum(map(self._width, columns)) + GAP * (len(columns) - 1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Called by Rich to print the table: blocks of columns that fit into the width of the
        terminal."""
        for number, block in enumerate(self._blocks(options.max_width)):
            if number:
                yield Text()
            yield self._table(block, options.max_width)

    def _width(self, column: int) -> int:
        """The width that a column needs: for a column of numbers its longest cell, for one of names
        less, because these may be folded."""
        cells = [self.titles[column], *(row[column] for row, _ in self.rows)]
        longest = max(line.cell_len for cell in cells for line in cell.split(allow_blank=True))
        if column >= self.keys:
            return longest
        word = max((len(word) for cell in cells for word in cell.plain.split()), default=0)
        return min(longest, max(NARROW_NAME, min(word, WIDE_WORD)))

    def _blocks(self, width: int) -> Iterator[list[int]]:
        """The columns of each block: the keys, and as many others as fit into ``width``."""
        keys = list(range(self.keys))
        used = taken = sum(self._width(key) + GAP for key in keys) - GAP
        block: list[int] = []
        for column in range(self.keys, len(self.titles)):
            more = GAP + self._width(column)
            if block and used + more > width:
                yield keys + block
                block, used = [], taken
            block.append(column)
            used += more
        yield keys + block

    def _table(self, columns: list[int], width: int) -> Table:
        """One block as a Rich table: these columns of all rows, in a terminal of this width."""
        fits = sum(self._width(column) + GAP for column in columns) - GAP <= width
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
        for column in columns:
            key = column < self.keys
            table.add_column(
                self.titles[column],
                justify="left" if key else "right",
                no_wrap=fits and not key,
                overflow="fold",
            )
        for cells, style in self.rows:
            table.add_row(*(cells[column] for column in columns), style=style)
        return table


def _text(cell: str | Text) -> Text:
    """A cell as Rich text."""
    return Text(cell) if isinstance(cell, str) else cell


def filled(parts: Sequence[Text], room: int) -> Text:
    """Texts joined to lines of at most ``room`` columns, with a gap between them; a text is never
    broken."""
    lines = [parts[0].copy()] if parts else []
    for part in parts[1:]:
        if lines[-1].cell_len + GAP + part.cell_len <= room:
            lines[-1].append(" " * GAP).append_text(part)
        else:
            lines.append(part.copy())
    return Text("\n", justify="left").join(lines)


def facts_table() -> Table:
    """An empty table of two columns without a head, for names and the facts beside them."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    return table
