"""The curves of an analysis: how the search converged and how its tree grew."""

from __future__ import annotations

from fogtree.report.analysis import AnalysisReport, Gallery, Picture
from fogtree.report.svg_charts import Axis, BarChart, LineChart
from fogtree.report.tables import leading_actions

_ACTIONS = 8  # curves in the chart of the mix
_LEAST_GAIN = 1e-6
"""Smaller gains are drawn as this one, because the scale is logarithmic."""


def curves(report: AnalysisReport) -> tuple[Gallery, ...]:
    """The charts of a report under three headings: the mix and the value over time, convergence,
    and the growth of the tree by depth."""
    return (
        Gallery("The mix over time", (_mix(report), _value(report))),
        Gallery("Convergence", (_gap(report), _safety(report))),
        Gallery("Growth", (_levels(report),)),
    )


def _over_time(
    report: AnalysisReport,
    series: dict[str, list[float]],
    y_label: str,
    *,
    y_axis: Axis | None = None,
    logarithmic: bool = False,
) -> LineChart:
    """A chart of some curves over the seconds of the search."""
    seconds = [look.seconds for look in report.analysis.looks]
    return LineChart(seconds, series, "seconds", y_label, y_axis, logarithmic)


def _mix(report: AnalysisReport) -> Picture:
    """A chart of the probabilities of the leading actions over time."""
    looks = report.analysis.looks
    series = {
        report.names.action(action): [look.mix.get(action, 0.0) for look in looks]
        for action in leading_actions(looks, _ACTIONS)
    }
    chart = _over_time(report, series, "probability", y_axis=Axis(0.0, 1.0))
    words = "The solver's last mix, before a plan that is not safe is cut to its likeliest action."
    return Picture(chart, words)


def _value(report: AnalysisReport) -> Picture:
    """A chart of the value, for the searching player, over time."""
    series = {"value": [look.value for look in report.analysis.looks]}
    return Picture(_over_time(report, series, "our value"), "What we expect, in payoffs.")


def _gap(report: AnalysisReport) -> Picture:
    """A chart of the Nash gap over time, and of both sides' shares in it, on a logarithmic
    scale."""
    looks = report.analysis.looks
    series = {
        "ours": [max(look.gap[0], _LEAST_GAIN) for look in looks],
        "theirs": [max(look.gap[1], _LEAST_GAIN) for look in looks],
        "together": [max(sum(look.gap), _LEAST_GAIN) for look in looks],
    }
    chart = _over_time(report, series, "could be gained", logarithmic=True)
    words = "What the best answer to the other side would gain in the tree so far: the Nash gap."
    return Picture(chart, words)


def _safety(report: AnalysisReport) -> Picture:
    """A chart of p_max and the worst margin over time."""
    looks = report.analysis.looks
    series = {
        "p_max": [look.p_max for look in looks],
        "worst margin": [look.worst_margin for look in looks],
    }
    words = (
        "p_max is 0, and the plan safe, once no margin is negative: then the other side gains "
        "nothing by it, whatever it knows."
    )
    return Picture(_over_time(report, series, ""), words)


def _levels(report: AnalysisReport) -> Picture:
    """A bar chart of the size of the search tree at every depth."""
    levels = report.analysis.levels
    chart = BarChart(
        [str(ply) for ply in range(len(levels))],
        {
            "nodes": [level.nodes for level in levels],
            "expanded": [level.expanded for level in levels],
            "ends": [level.terminal for level in levels],
        },
        x_label="plies below the root",
        y_label="nodes",
    )
    words = "The tree by depth in plies, moves of one side. Expanded nodes have their moves in it."
    return Picture(chart, words)
