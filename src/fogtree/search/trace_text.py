"""Numbers and tables of a trace, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_DIGITS = 4


def number(value: float) -> str:
    """A number with four digits after the point, without a negative zero."""
    text = f"{value:.{_DIGITS}f}"
    return text[1:] if float(text) == 0 and text.startswith("-") else text


def table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], total: int | None = None
) -> Iterator[str]:
    """The lines of a Markdown table, and the number of rows left out if ``total`` is larger."""
    if not rows:
        return
    widths = [max(len(row[n]) for row in [columns, *rows]) for n in range(len(columns))]
    yield "| " + " | ".join(c.ljust(w) for c, w in zip(columns, widths, strict=True)) + " |"
    yield "|" + "|".join("-" * (w + 2) for w in widths) + "|"
    for row in rows:
        yield "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"
    if total is not None and total > len(rows):
        yield ""
        yield f"({total - len(rows):,} more rows)"
    yield ""
