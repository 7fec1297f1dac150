"""An analysis in tables, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from fogtree.cli.console import amount, duration, printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fogtree.search.analyse_fog_chess import FogChessAnalysis
    from fogtree.search.analysis import Analysis, Line, Look

_MOMENTS = 8
_ACTIONS_OVER_TIME = 6

Writing = Callable[["Line"], Sequence[str]]


def _table(title: str, *columns: str, left: Sequence[str] = ()) -> Table:
    table = Table(title=title, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right")
    return table


def analysis_tables(
    analysis: Analysis, top: int, name: Callable[[str], str] = str, line: Writing | None = None
) -> Iterator[RenderableType]:
    """Everything but a board; ``name`` and ``line`` write actions and lines for people."""
    write = line or (lambda one: [move.action for move in one.moves])
    yield _summary(analysis)
    for table in _tables(analysis, top, name, write):
        yield titled(table)


def titled(table: Table) -> Group:
    """A title is as wide as it is, however narrow its table."""
    title, table.title = table.title, None
    return Group(Text(str(title), style="bold"), table)


def _tables(
    analysis: Analysis, top: int, name: Callable[[str], str], write: Writing
) -> Iterator[Table]:
    yield _candidates(analysis, top, name)
    yield _over_time(analysis, name)
    yield _convergence(analysis)
    yield _positions(analysis, top, write)
    if len(analysis.opponents) > 1 or analysis.decision.cover:
        yield _opponents(analysis, top)
        yield from _their_beliefs(analysis, top, write)
        yield _cover(analysis)
    yield _levels(analysis)


def _summary(analysis: Analysis) -> Table:
    d = analysis.decision
    table = Table.grid(padding=(0, 2))
    table.add_row("value", f"{d.value:+.4f}")
    safe = "safe: no margin is negative" if d.safe else "not safe: some margin is negative"
    table.add_row("p_max", f"{d.p_max:.4f}   ({safe})")
    size = "too many positions to list" if d.belief_size is None else f"{d.belief_size:,} positions"
    table.add_row("belief", f"{size}, {d.sampled:,} of them new to the tree")
    table.add_row(
        "tree",
        f"{d.nodes:,} nodes, {d.infosets:,} information sets, {d.depth} plies, {amount(d.bytes)}",
    )
    table.add_row(
        "carried over", f"{d.carried_nodes:,} nodes, {d.carried_infosets:,} information sets"
    )
    table.add_row(
        "work", f"{d.iterations:,} iterations, {d.steps:,} expansions in {duration(d.seconds)}"
    )
    ours, theirs = analysis.gap
    table.add_row("Nash gap", f"{ours + theirs:.4f}   (ours {ours:.4f}, theirs {theirs:.4f})")
    return table


def _candidates(analysis: Analysis, top: int, name: Callable[[str], str]) -> Table:
    table = _table(
        "Candidates", "action", "played", "strategy", "value", "visits", left=("action",)
    )
    rows = sorted(analysis.decision.candidates, key=lambda c: (-c.probability, -c.strategy))
    for c in rows[:top]:
        table.add_row(
            printable(name(c.action)),
            f"{c.probability:.3f}",
            f"{c.strategy:.3f}",
            f"{c.value:+.4f}",
            f"{c.visits:,}",
        )
    return table


def _over_time(analysis: Analysis, name: Callable[[str], str]) -> Table:
    moments = _some(analysis.looks)
    last = analysis.looks[-1].mix
    known = dict.fromkeys(action for look in analysis.looks for action in look.mix)
    peak = {action: max(look.mix.get(action, 0.0) for look in analysis.looks) for action in known}
    shown = sorted(known, key=lambda a: (-last.get(a, 0.0), -peak[a]))[:_ACTIONS_OVER_TIME]
    table = _table("The mix over time", "seconds", "iterations", *(name(a) for a in shown))
    for look in moments:
        table.add_row(
            f"{look.seconds:.3f}",
            f"{look.iterations:,}",
            *(f"{look.mix.get(a, 0.0):.3f}" for a in shown),
        )
    return table


def _convergence(analysis: Analysis) -> Table:
    table = _table(
        "Convergence",
        "seconds",
        "expansions",
        "nodes",
        "value",
        "p_max",
        "worst margin",
        "our gain",
        "their gain",
    )
    for look in _some(analysis.looks):
        table.add_row(
            f"{look.seconds:.3f}",
            f"{look.steps:,}",
            f"{look.nodes:,}",
            f"{look.value:+.4f}",
            f"{look.p_max:.4f}",
            f"{look.worst_margin:+.4f}",
            f"{look.gap[0]:.4f}",
            f"{look.gap[1]:.4f}",
        )
    return table


def _positions(analysis: Analysis, top: int, write: Writing) -> Table:
    table = _table(
        "What we think possible, and how it would go on",
        "share",
        "value",
        "set",
        "position",
        "line",
        left=("position", "line"),
    )
    for line in analysis.our_belief[:top]:
        table.add_row(
            f"{line.share:.4f}",
            f"{line.value:+.4f}",
            str(line.opponent_set),
            printable(line.position),
            printable(" ".join(write(line))),
        )
    return table


def _opponents(analysis: Analysis, top: int) -> Table:
    title = f"The opponent's information sets at the root ({len(analysis.opponents):,})"
    table = _table(
        title,
        "set",
        "positions",
        "possible",
        "prior",
        "reach",
        "alternate",
        "value",
        "margin",
        "enters",
        "maxmargin",
    )
    for one in analysis.opponents[:top]:
        table.add_row(
            str(one.number),
            f"{one.positions:,}",
            f"{one.possible:,}",
            f"{one.prior:.4f}",
            f"{one.reach:.4f}",
            f"{one.alternate:+.4f}",
            f"{one.value:+.4f}",
            f"{one.margin:+.4f}",
            f"{one.enter:.3f}",
            f"{one.maxmargin:.3f}",
        )
    return table


def _their_beliefs(analysis: Analysis, top: int, write: Writing) -> Iterator[Table]:
    for one in analysis.opponents[:3]:
        table = _table(
            f"What the opponent thinks possible in set {one.number}",
            "weight",
            "value",
            "possible",
            "position",
            "line",
            left=("possible", "position", "line"),
        )
        for line in analysis.beliefs_of_opponent(one.number)[: max(3, top // 2)]:
            table.add_row(
                f"{line.weight:.4f}",
                f"{line.value:+.4f}",
                "for us too" if line.possible else "",
                printable(line.position),
                printable(" ".join(write(line))),
            )
        yield table


def _cover(analysis: Analysis) -> Table:
    table = _table("Knowledge: nodes of the last tree", "order", "nodes")
    for order, size in enumerate(analysis.decision.cover, start=1):
        table.add_row(str(order), f"{size:,}")
    return table


def _levels(analysis: Analysis) -> Table:
    table = _table("The tree by plies below the root", "ply", "nodes", "expanded", "ends")
    for ply, level in enumerate(analysis.levels):
        table.add_row(str(ply), f"{level.nodes:,}", f"{level.expanded:,}", f"{level.terminal:,}")
    return table


def _some(rows: Sequence[Look]) -> list[Look]:
    """A few of them, the first and the last among them."""
    if len(rows) <= _MOMENTS:
        return list(rows)
    return [rows[int(at)] for at in np.linspace(0, len(rows) - 1, _MOMENTS)]


def marginals_table(found: FogChessAnalysis, top: int) -> Table:
    """Where the other side's pieces are: the likeliest squares of every kind."""
    from fogtree.fogchess.belief import SQUARE_KINDS
    from fogtree.fogchess.observation import SQUARES

    table = _table(
        "The other side's pieces: weighed by the search (all positions alike)",
        "piece",
        "squares",
        left=("piece", "squares"),
    )
    letters = "kqrbnp" if found.player == 0 else "KQRBNP"
    for letter in letters:
        column = SQUARE_KINDS.index(letter)
        shares = found.weighted_marginals[:, column]
        order = np.argsort(-shares, kind="stable")[: max(4, top // 2)]
        cells = [
            f"{SQUARES[s]} {shares[s]:.2f} ({found.marginals[s, column]:.2f})"
            for s in order
            if shares[s] > 0.005
        ]
        table.add_row(letter, "  ".join(cells))
    return table
