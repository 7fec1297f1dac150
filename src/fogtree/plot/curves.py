"""Exploitability over iterations and over time, on log axes, each curve named where it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from typing import TYPE_CHECKING

from fogtree.plot.figure import COLOURS, FAINT, INK, new_figure, plain, tidy
from fogtree.runs.progress import Check

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOWEST = 1e-16
"""The height at which an exploitability of 0, which a log axis lacks, is drawn."""

LABEL_GAP = 0.055
"""The least distance between two names, as a share of the height."""


def convergence(
    curves: Mapping[str, Sequence[Check]], *, title: str = "", players: int = 2
) -> Figure:
    """Two charts of the exploitability that was measured in some runs, one line per name: over
    iterations on the left, over solving time on the right, on logarithmic axes."""
    figure = new_figure(10.5, 4.6)
    left, right = figure.subplots(1, 2, sharey=True)
    _draw(left, {name: _points(c, by_time=False) for name, c in curves.items()}, "iterations")
    _draw(right, {name: _points(c, by_time=True) for name, c in curves.items()}, "seconds, solving")
    left.set_ylabel(f"exploitability (NashConv / {players})", color=INK, fontsize=9)
    if title:
        figure.suptitle(plain(title), x=0.01, ha="left", color=INK, fontsize=11, fontweight="bold")
    return figure


def _points(checks: Sequence[Check], *, by_time: bool) -> list[tuple[float, float]]:
    """The points of a run's curve, (seconds or iterations, exploitability); those at time or
    iteration 0 are left out, because the axes are logarithmic."""
    points = [
        (check.seconds if by_time else float(check.iteration), max(check.exploitability, LOWEST))
        for check in checks
    ]
    return [point for point in points if point[0] > 0]


def _draw(axes: Axes, curves: dict[str, list[tuple[float, float]]], label: str) -> None:
    """Draw curves by name on logarithmic axes, each with its name at its end; ``label`` is that of
    the horizontal axis."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    ends: list[tuple[str, str, float, float]] = []
    for number, (name, points) in enumerate(curves.items()):
        if not points:
            continue
        colour = COLOURS[number % len(COLOURS)]
        style = "-" if number < len(COLOURS) else "--"
        marker = "o" if len(points) == 1 else ""
        x, y = zip(*points, strict=True)
        axes.plot(x, y, color=colour, linewidth=1.6, linestyle=style, marker=marker)
        ends.append((name, colour, x[-1], y[-1]))
    axes.grid(visible=True, which="major", color=FAINT, linewidth=0.6)
    axes.set_xlabel(label, color=INK, fontsize=9)
    tidy(axes)
    _draw_names(axes, ends)


def _draw_names(axes: Axes, ends: list[tuple[str, str, float, float]]) -> None:
    """Write the names of lines in the right margin, moved apart where they would overlap. ``ends``
    has the name, the colour and the last point (x, y) of each."""
    low, high = (log10(limit) for limit in axes.get_ylim())
    wanted = sorted((log10(y) - low) / (high - low) for _, _, _, y in ends)
    heights = spread(wanted, LABEL_GAP)
    for (name, colour, x, y), height in zip(
        sorted(ends, key=lambda end: end[3]), heights, strict=True
    ):
        axes.annotate(
            plain(name),
            xy=(x, y),
            xytext=(1.03, height),
            textcoords="axes fraction",
            color=colour,
            fontsize=8.5,
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.6,
                "alpha": 0.6,
                "relpos": (0.0, 0.5),
                "shrinkA": 1.0,
            },
            annotation_clip=False,
        )


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Sorted heights, moved as little as needed to be at least ``gap`` apart."""
    groups: list[list[float]] = []
    for height in wanted:
        groups.append([height])
        while len(groups) > 1 and _bottom(groups[-1], gap) < _top(groups[-2], gap) + gap:
            last = groups.pop()
            groups[-1] = groups[-1] + last
    return [_bottom(group, gap) + gap * k for group in groups for k in range(len(group))]


def _bottom(group: list[float], gap: float) -> float:
    """The lowest height of a group that is spread with gaps around its mean."""
    return sum(group) / len(group) - gap * (len(group) - 1) / 2


def _top(group: list[float], gap: float) -> float:
    """The greatest height of a group that is spread with gaps around its mean."""
    return sum(group) / len(group) + gap * (len(group) - 1) / 2
