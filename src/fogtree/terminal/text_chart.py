"""Curves on logarithmic axes in plain letters, for terminals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10

Points = Sequence[tuple[float, float]]

MARKS = "ox+*#@"


def log_chart(series: Mapping[str, Points], *, width: int = 60, height: int = 14) -> str:
    """Several curves over one quantity, both axes logarithmic, each with a mark of its own; points
    that are not positive are left out."""
    shown = {
        name: [(x, y) for x, y in points if x > 0 and y > 0] for name, points in series.items()
    }
    everything = [point for points in shown.values() for point in points]
    if not everything:
        return "(nothing to draw)"
    left, right = _decades([x for x, _ in everything])
    low, high = _decades([y for _, y in everything])
    grid = [[" "] * width for _ in range(height)]
    for mark, points in zip(_marks(len(shown)), shown.values(), strict=True):
        for x, y in points:
            column = round((log10(x) - left) / (right - left) * (width - 1))
            row = round((high - log10(y)) / (high - low) * (height - 1))
            grid[row][column] = mark
    labels = {
        round((high - k) / (high - low) * (height - 1)): f"1e{k}" for k in range(low, high + 1)
    }
    lines = [f"{labels.get(row, ''):>6} |{''.join(cells)}" for row, cells in enumerate(grid)]
    legend = "   ".join(f"{m} {name}" for m, name in zip(_marks(len(shown)), shown, strict=True))
    below = f"{10**left:,}".ljust(width // 2) + f"{10**right:,}".rjust(width - width // 2)
    return "\n".join([*lines, f"{'':6} +{'-' * width}", f"{'':8}{below}", f"{'':8}{legend}"])


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The exponents of the powers of ten below the smallest and above the largest of some values;
    they differ by at least 1."""
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return low, max(high, low + 1)


def _marks(count: int) -> str:
    """One letter for each of ``count`` curves; many curves share letters."""
    return (MARKS * (count // len(MARKS) + 1))[:count]
