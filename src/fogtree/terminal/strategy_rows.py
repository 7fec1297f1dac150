"""Which rows of a strategy are shown, and in what order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fogtree.evaluate import InfosetReport

MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Shown:
    """The information sets of a strategy to show, and how many it has in all."""

    reports: tuple[InfosetReport, ...]
    total: int

    @property
    def note(self) -> str:
        """A line about information sets that are not shown; empty if all are."""
        left = self.total - len(self.reports)
        if left <= 0:
            return ""
        return f"{len(self.reports):,} of {self.total:,} information sets; {left:,} not shown"


def rows_to_show(
    reports: Sequence[InfosetReport], *, top: int | None = None, min_reach: float = 0.0
) -> Shown:
    """Choose the information sets to print: all that are reached with at least ``min_reach``,
    ordered by player; if these are more than ``top`` (default: MOST_SHOWN), those with the largest
    reach."""
    likely = [report for report in reports if report.reach >= min_reach]
    most = MOST_SHOWN if top is None else top
    if len(likely) > most:
        likely = sorted(likely, key=lambda report: -report.reach)[:most]
    else:
        likely = sorted(likely, key=lambda report: report.player)
    return Shown(tuple(likely), len(reports))
