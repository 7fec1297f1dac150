"""The tables of an analysis as text, the same for terminals and pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fogtree.report import meanings
from fogtree.report.analysis import AnalysisReport
from fogtree.search.analysis import Line, Look
from fogtree.search.decision import Candidate
from fogtree.text.amounts import amount, duration

_MOMENTS = 8  # rows of tables over time
_ACTIONS_OVER_TIME = 6  # columns of the table of the mix over time
_SETS_SHOWN = 3  # information sets of the opponent whose positions are listed
_LEAST_LISTED = 0.005
"""Places that hold something with a smaller probability are not listed."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """Columns and rows of text under a title. With ``positions`` the last two columns are long
    texts, a position and a line; otherwise all columns but the first are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    positions: bool = False
    note: str = ""
    """What the columns mean; shown below the rows."""

    def is_text(self, column: int) -> bool:
        """Whether a column is aligned at the left."""
        return column >= len(self.columns) - 2 if self.positions else column == 0


def facts(report: AnalysisReport) -> list[tuple[str, str]]:
    """The facts about the decision and the main numbers of the search, as rows."""
    d = report.analysis.decision
    ours, theirs = report.analysis.gap
    size = "too many positions to list"
    if d.belief_size is not None:
        size = f"{d.belief_size:,} {'position' if d.belief_size == 1 else 'positions'}"
    plies = f"{d.depth} {'ply' if d.depth == 1 else 'plies'}"
    return [
        *report.facts.items(),
        ("plays", _played(report)),
        ("value", f"{d.value:+z.4f}"),
        ("p_max", f"{d.p_max:.4f}   ({_safety(d.safe)})"),
        ("Nash gap", f"{ours + theirs:.4f}   (we could gain {ours:.4f}, they {theirs:.4f})"),
        ("belief", f"{size}, {d.sampled:,} of them new to the tree"),
        ("tree", f"{d.nodes:,} nodes, {d.infosets:,} information sets, {plies}, {amount(d.bytes)}"),
        ("carried over", _carried(d.carried_nodes, d.carried_infosets)),
        ("work", f"{d.iterations:,} iterations, {d.steps:,} expansions in {duration(d.seconds)}"),
    ]


def _played(report: AnalysisReport) -> str:
    """The action that the search chose, and that it was drawn at random if it was."""
    decision = report.analysis.decision
    action = report.names.action(str(decision.action))
    drawn = sum(share > 0 for share in decision.mix.values()) > 1
    return f"{action}, drawn at random from the mix below" if drawn else action


def _carried(nodes: int, infosets: int) -> str:
    """The size of the part of the last search's tree with which this search started, in words."""
    if nodes == 0:
        return "nothing from an earlier search"
    return f"{nodes:,} nodes, {infosets:,} information sets of the last search's tree"


def _safety(safe: bool) -> str:
    """Whether a search is safe (p_max is 0), in words for people."""
    if safe:
        return "safe: nowhere does the opponent gain by this plan"
    return "not safe: somewhere the opponent gains by this plan"


def candidates_table(
    candidates: Iterable[Candidate], write: Callable[[str], str] = str, top: int | None = None
) -> TextTable:
    """The table of the ``top`` actions (None: all), the likeliest first, then by the solver's mix,
    value and name; ``write`` gives the text of an action."""
    best = sorted(candidates, key=_played_first)[:top]
    return TextTable(
        "Candidates",
        ("action", "played", "strategy", "value", "visits"),
        tuple(
            (
                write(c.action),
                f"{c.probability:.3f}",
                f"{c.strategy:.3f}",
                f"{c.value:+z.4f}",
                f"{c.visits:,}",
            )
            for c in best
        ),
        note=meanings.CANDIDATES,
    )


def _played_first(one: Candidate) -> tuple[float, float, float, str]:
    """The key that sorts candidates by the probability of being played, then by the solver's mix,
    value and name; the largest numbers come first."""
    return (-one.probability, -one.strategy, -one.value, one.action)


def leading_actions(looks: Sequence[Look], count: int) -> list[str]:
    """The first ``count`` actions by their probability at the end of a search; where that is equal,
    by their largest probability at any time."""
    last = looks[-1].mix
    peak: dict[str, float] = {}
    for look in looks:
        for action, share in look.mix.items():
            peak[action] = max(share, peak.get(action, 0.0))
    return sorted(peak, key=lambda action: (-last.get(action, 0.0), -peak[action]))[:count]


def mix_table(report: AnalysisReport) -> TextTable:
    """The probabilities of the leading actions while the search ran."""
    looks = report.analysis.looks
    shown = leading_actions(looks, _ACTIONS_OVER_TIME)
    return TextTable(
        "The mix over time",
        ("seconds", "iterations", *map(report.names.action, shown)),
        tuple(
            (
                f"{look.seconds:.3f}",
                f"{look.iterations:,}",
                *(f"{look.mix.get(action, 0.0):.3f}" for action in shown),
            )
            for look in _some(looks)
        ),
        note=meanings.MIX,
    )


def convergence_table(report: AnalysisReport) -> TextTable:
    """Value, safety and Nash gap while the search ran."""
    gains = ("worst\nmargin", "our\ngain", "their\ngain")
    return TextTable(
        "Convergence",
        ("seconds", "expansions", "nodes", "value", "p_max", *gains),
        tuple(
            (
                f"{look.seconds:.3f}",
                f"{look.steps:,}",
                f"{look.nodes:,}",
                f"{look.value:+z.4f}",
                f"{look.p_max:.4f}",
                f"{look.worst_margin:+z.4f}",
                f"{look.gap[0]:.4f}",
                f"{look.gap[1]:.4f}",
            )
            for look in _some(report.analysis.looks)
        ),
        note=meanings.CONVERGENCE,
    )


def _some(looks: Sequence[Look]) -> list[Look]:
    """At most ``_MOMENTS`` snapshots, evenly spread, with the first and the last."""
    if len(looks) <= _MOMENTS:
        return list(looks)
    return [looks[int(at)] for at in np.linspace(0, len(looks) - 1, _MOMENTS)]


def positions_table(report: AnalysisReport, top: int) -> TextTable:
    """The likeliest positions of our belief, each with the line that would follow."""
    rows = (
        (f"{line.share:.4f}", f"{line.value:+z.4f}", str(line.opponent_set), *_line(report, line))
        for line in report.analysis.our_belief[:top]
    )
    title = "What we think possible, and how it would go on"
    return _positions(title, ("share", "value", "set"), rows, meanings.POSITIONS)


def opponent_tables(report: AnalysisReport, top: int) -> Iterator[TextTable]:
    """The opponent's information sets at the root and what it believes in the likeliest ones;
    nothing where there is only one set because nothing has been searched before."""
    analysis = report.analysis
    if len(analysis.opponents) == 1 and not analysis.decision.cover:
        return
    names = ("prior", "reach", "alternate", "value", "margin", "enters", "maxmargin")
    yield TextTable(
        f"The opponent's information sets at the root ({len(analysis.opponents):,})",
        ("set", "positions", "possible", *names),
        tuple(
            (
                str(one.number),
                f"{one.positions:,}",
                f"{one.possible:,}",
                f"{one.prior:.4f}",
                f"{one.reach:.4f}",
                f"{one.alternate:+z.4f}",
                f"{one.value:+z.4f}",
                f"{one.margin:+z.4f}",
                f"{one.enter:.3f}",
                f"{one.maxmargin:.3f}",
            )
            for one in analysis.opponents[:top]
        ),
        note=meanings.OPPONENT_SETS,
    )
    for one in analysis.opponents[:_SETS_SHOWN]:
        lines = analysis.beliefs_of_opponent(one.number)[: max(3, top // 2)]
        rows = (
            (
                f"{line.weight:.4f}",
                f"{line.value:+z.4f}",
                "for us too" if line.possible else "",
                *_line(report, line),
            )
            for line in lines
        )
        title = f"What the opponent thinks possible in set {one.number}"
        columns = ("weight", "value", "possible")
        yield _positions(title, columns, rows, meanings.OPPONENT_BELIEF)
    yield TextTable(
        "Knowledge: nodes of the last tree",
        ("order", "nodes"),
        tuple((str(k), f"{size:,}") for k, size in enumerate(analysis.decision.cover, start=1)),
        note=meanings.KNOWLEDGE,
    )


def _positions(
    title: str, numbers: tuple[str, ...], rows: Iterable[tuple[str, ...]], note: str
) -> TextTable:
    """A table whose rows are numbers, a position and the line that follows from it."""
    return TextTable(title, (*numbers, "position", "line"), tuple(rows), positions=True, note=note)


def _line(report: AnalysisReport, line: Line) -> tuple[str, str]:
    """A line as two cells: its first position, and its moves."""
    return line.position, " ".join(report.names.line(line))


def levels_table(report: AnalysisReport) -> TextTable:
    """The size of the tree at every ply below the root."""
    return TextTable(
        "The tree by plies below the root",
        ("ply", "nodes", "expanded", "ends"),
        tuple(
            (str(ply), f"{level.nodes:,}", f"{level.expanded:,}", f"{level.terminal:,}")
            for ply, level in enumerate(report.analysis.levels)
        ),
        note=meanings.LEVELS,
    )


def marginal_rows(report: AnalysisReport, top: int) -> Iterator[tuple[str, list[str]]]:
    """Each listed kind with its likeliest places: ``e1 0.93 (0.87)``, weighted and uniform."""
    marginals = report.marginals
    if marginals is None:
        return
    most = max(8, top)
    for kind in marginals.listed:
        column = marginals.kinds.index(kind)
        shares, uniform = marginals.weighted[:, column], marginals.uniform[:, column]
        order = [at for at in np.argsort(-shares, kind="stable") if shares[at] > _LEAST_LISTED]
        cells = [
            f"{marginals.places[at]} {shares[at]:.2f} ({uniform[at]:.2f})" for at in order[:most]
        ]
        if len(order) > most:
            cells.append(f"and {len(order) - most} more")
        yield kind, cells
