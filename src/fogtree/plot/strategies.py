"""Mixes as pictures: stacked bars for a few information sets, a map for many, columns to compare.

Information sets that are rarely reached are faded, because their mixes matter little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from fogtree.evaluate import InfosetReport
from fogtree.plot.figure import COLOURS, FADED_REACH, INK, new_figure, plain, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_NUMBERS = 1200
"""Cells of a map up to which the probabilities are written into them."""
FADED = 0.28
"""Opacity of information sets that are rarely reached."""


def mix_bars(reports: Sequence[InfosetReport], *, title: str = "") -> Figure:
    """One horizontal bar per information set, split by the probability of its actions."""
    players = sorted({report.player for report in reports})
    groups = [[r for r in reports if r.player == player] for player in players]
    tallest = max((len(group) for group in groups), default=1)
    figure = new_figure(5.2 * max(len(groups), 1), 1.3 + 0.26 * tallest)
    panels = figure.subplots(1, max(len(groups), 1), squeeze=False)[0]
    colour = _colours(reports)
    for axes, player, group in zip(panels, players, groups, strict=False):
        _bars(axes, group, colour)
        axes.set_title(f"player {player}", loc="left", fontsize=9, color=INK)
        axes.set_ylim(tallest - 0.4, -0.6)
    _legend(figure, colour)
    if title:
        figure.suptitle(plain(title), x=0.01, ha="left", fontsize=11, color=INK, fontweight="bold")
    return figure


def _colours(reports: Sequence[InfosetReport]) -> dict[str, str]:
    """A colour for every action label, the same in all bars."""
    labels = dict.fromkeys(action for report in reports for action in report.actions)
    return {label: COLOURS[k % len(COLOURS)] for k, label in enumerate(labels)}


def _bars(axes: Axes, group: Sequence[InfosetReport], colour: dict[str, str]) -> None:
    """Draw one bar per information set, in the ``colour`` of each action, with the reach at its
    end."""
    for row, report in enumerate(group):
        left = 0.0
        alpha = 0.9 if report.reach >= FADED_REACH else FADED
        for action, share in zip(report.actions, report.probabilities, strict=True):
            axes.barh(row, share, left=left, height=0.74, color=colour[action], alpha=alpha)
            if share >= 0.09:
                text = f"{share:.2f}"
                middle = left + share / 2
                axes.text(middle, row, text, ha="center", va="center", fontsize=7, color="white")
            left += share
        axes.text(1.02, row, f"{report.reach:.3f}", va="center", fontsize=7, color="#777777")
    axes.text(1.02, -0.75, "reach", va="bottom", fontsize=7, color="#777777")
    axes.set_yticks(range(len(group)), [plain(report.name) for report in group])
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1])
    tidy(axes)


def _legend(figure: Figure, colour: dict[str, str]) -> None:
    """A legend of the actions' colours, unless there are too many actions."""
    from matplotlib.patches import Patch

    if len(colour) > 12:
        return
    patches = [Patch(color=value, label=plain(label), alpha=0.9) for label, value in colour.items()]
    columns = min(len(patches), 6) or 1
    figure.legend(
        handles=patches, loc="outside lower left", ncols=columns, frameon=False, fontsize=8
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a map: a name, the probability in each column (NaN: no such action), whether it is
    drawn faded, and whether a group of rows begins with it."""

    name: str
    shares: tuple[float, ...]
    faded: bool
    starts_group: bool


def mix_map(reports: Sequence[InfosetReport], *, title: str = "") -> Figure:
    """A map with a row per information set and a column per action, darker where the probability is
    larger; for games of many actions."""
    labels = list(dict.fromkeys(action for report in reports for action in report.actions))
    rows = []
    for report in reports:
        share = dict(zip(report.actions, report.probabilities, strict=True))
        shares = tuple(share.get(label, nan) for label in labels)
        rows.append(_Row(report.name, shares, report.reach < FADED_REACH, starts_group=False))
    return _map(rows, labels, title)


def side_by_side(strategies: Mapping[str, Sequence[InfosetReport]], *, title: str = "") -> Figure:
    """A map that compares strategies of one game: a column per strategy, and a row per action of
    each information set. All must list the same information sets in the same order."""
    rows = []
    for sets in zip(*strategies.values(), strict=True):
        faded = all(report.reach < FADED_REACH for report in sets)
        for k, action in enumerate(sets[0].actions):
            name = f"{sets[0].name}   {action}" if k == 0 else action
            shares = tuple(report.probabilities[k] for report in sets)
            rows.append(_Row(name, shares, faded, starts_group=k == 0))
    return _map(rows, list(strategies), title)


def _map(rows: Sequence[_Row], columns: Sequence[str], title: str) -> Figure:
    """Draw probabilities as shades of blue, ``rows`` down and ``columns`` across, with numbers if
    there are at most MOST_NUMBERS cells."""
    height, width = len(rows), len(columns)
    figure = new_figure(1.8 + 0.75 * max(width, 3), 1.0 + 0.21 * max(height, 4))
    axes = figure.subplots()
    share = np.array([row.shares for row in rows]).reshape(height, width)
    alpha = np.array([[FADED if row.faded else 1.0] * width for row in rows])
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1.15, aspect="auto", alpha=alpha)
    for number, row in enumerate(rows):
        if row.starts_group and number:
            axes.axhline(number - 0.5, color="white", linewidth=2.5)
        if height * width <= MOST_NUMBERS:
            _numbers(axes, number, row)
    axes.xaxis.tick_top()
    axes.set_xticks(
        range(width), [plain(name) for name in columns], rotation=0 if width <= 6 else 60
    )
    axes.set_yticks(range(height), [plain(row.name) for row in rows])
    tidy(axes)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    if title:
        figure.suptitle(plain(title), x=0.01, ha="left", fontsize=11, color=INK, fontweight="bold")
    return figure


def _numbers(axes: Axes, number: int, row: _Row) -> None:
    """Write the probabilities of a row into its cells; ``number`` is the row's place, from 0."""
    for column, value in enumerate(row.shares):
        if isnan(value):
            continue
        colour = "#AAAAAA" if row.faded else "white" if value > 0.6 else INK
        text = f"{value:.2f}"
        axes.text(column, number, text, ha="center", va="center", fontsize=7, color=colour)
