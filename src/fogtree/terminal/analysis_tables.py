"""An analysis in tables, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Group
from rich.text import Text

from fogtree.terminal.console import printable
from fogtree.terminal.number_table import NumberTable, facts_table
from fogtree.terminal.position_table import PieceTable, PositionTable
from fogtree.text.amounts import amount, duration

if TYPE_CHECKING:
    from rich.console import RenderableType

    from fogtree.games.fog_chess.analysis import FogChessAnalysis
    from fogtree.search.analysis import Analysis, Line, Look

_MOMENTS = 8
_ACTIONS_OVER_TIME = 6
_LEAST_SHARE = 0.005
"""Of a square that is listed."""

Writing = Callable[["Line"], Sequence[str]]


def analysis_tables(
    analysis: Analysis, top: int, name: Callable[[str], str] = str, line: Writing | None = None
) -> Iterator[RenderableType]:
    """Everything but a board; ``name`` and ``line`` write actions and lines for people."""
    write = line or (lambda one: [move.action for move in one.moves])
    yield _summary(analysis)
    yield from _tables(analysis, top, name, write)


def titled(title: str, table: RenderableType) -> Group:
    """A title is as wide as it is, however narrow its table."""
    return Group(Text(title, style="bold"), table)


def _tables(
    analysis: Analysis, top: int, name: Callable[[str], str], write: Writing
) -> Iterator[RenderableType]:
    yield _candidates(analysis, top, name)
    yield _over_time(analysis, name)
    yield _convergence(analysis)
    yield _positions(analysis, top, write)
    if len(analysis.opponents) > 1 or analysis.decision.cover:
        yield _opponents(analysis, top)
        yield from _their_beliefs(analysis, top, write)
        yield _cover(analysis)
    yield _levels(analysis)


def _safety(safe: bool) -> str:
    """What p_max says."""
    if safe:
        return "safe: the opponent would enter nowhere, no margin is negative"
    return "how likely the opponent enters where it gains; not safe: some margin is negative"


def _summary(analysis: Analysis) -> RenderableType:
    d = analysis.decision
    table = facts_table()
    table.add_row("value", f"{d.value:+.4f}")
    table.add_row("p_max", f"{d.p_max:.4f}   ({_safety(d.safe)})")
    size = "too many positions to list"
    if d.belief_size is not None:
        size = f"{d.belief_size:,} {'position' if d.belief_size == 1 else 'positions'}"
    table.add_row("belief", f"{size}, {d.sampled:,} of them new to the tree")
    table.add_row(
        "tree",
        f"{d.nodes:,} nodes, {d.infosets:,} information sets,"
        f" {d.depth} {'ply' if d.depth == 1 else 'plies'}, {amount(d.bytes)}",
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


def _candidates(analysis: Analysis, top: int, name: Callable[[str], str]) -> RenderableType:
    table = NumberTable("action", "played", "strategy", "value", "visits")
    rows = sorted(analysis.decision.candidates, key=lambda c: (-c.probability, -c.strategy))
    for c in rows[:top]:
        table.add_row(
            printable(name(c.action)),
            f"{c.probability:.3f}",
            f"{c.strategy:.3f}",
            f"{c.value:+.4f}",
            f"{c.visits:,}",
        )
    return titled("Candidates", table)


def _over_time(analysis: Analysis, name: Callable[[str], str]) -> RenderableType:
    moments = _some(analysis.looks)
    last = analysis.looks[-1].mix
    known = dict.fromkeys(action for look in analysis.looks for action in look.mix)
    peak = {action: max(look.mix.get(action, 0.0) for look in analysis.looks) for action in known}
    shown = sorted(known, key=lambda a: (-last.get(a, 0.0), -peak[a]))[:_ACTIONS_OVER_TIME]
    table = NumberTable("seconds", "iterations", *(printable(name(a)) for a in shown))
    for look in moments:
        table.add_row(
            f"{look.seconds:.3f}",
            f"{look.iterations:,}",
            *(f"{look.mix.get(a, 0.0):.3f}" for a in shown),
        )
    return titled("The mix over time", table)


def _convergence(analysis: Analysis) -> RenderableType:
    table = NumberTable(
        "seconds",
        "expansions",
        "nodes",
        "value",
        "p_max",
        "worst\nmargin",
        "our\ngain",
        "their\ngain",
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
    return titled("Convergence", table)


def _positions(analysis: Analysis, top: int, write: Writing) -> RenderableType:
    table = PositionTable("share", "value", "set")
    for line in analysis.our_belief[:top]:
        numbers = f"{line.share:.4f}", f"{line.value:+.4f}", str(line.opponent_set)
        table.add_row(numbers, printable(line.position), printable(" ".join(write(line))))
    return titled("What we think possible, and how it would go on", table)


def _opponents(analysis: Analysis, top: int) -> RenderableType:
    title = f"The opponent's information sets at the root ({len(analysis.opponents):,})"
    table = NumberTable(
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
    return titled(title, table)


def _their_beliefs(analysis: Analysis, top: int, write: Writing) -> Iterator[RenderableType]:
    for one in analysis.opponents[:3]:
        table = PositionTable("weight", "value", "possible")
        for line in analysis.beliefs_of_opponent(one.number)[: max(3, top // 2)]:
            possible = "for us too" if line.possible else ""
            numbers = f"{line.weight:.4f}", f"{line.value:+.4f}", possible
            table.add_row(numbers, printable(line.position), printable(" ".join(write(line))))
        yield titled(f"What the opponent thinks possible in set {one.number}", table)


def _cover(analysis: Analysis) -> RenderableType:
    table = NumberTable("order", "nodes")
    for order, size in enumerate(analysis.decision.cover, start=1):
        table.add_row(str(order), f"{size:,}")
    return titled("Knowledge: nodes of the last tree", table)


def _levels(analysis: Analysis) -> RenderableType:
    table = NumberTable("ply", "nodes", "expanded", "ends")
    for ply, level in enumerate(analysis.levels):
        table.add_row(str(ply), f"{level.nodes:,}", f"{level.expanded:,}", f"{level.terminal:,}")
    return titled("The tree by plies below the root", table)


def _some(rows: Sequence[Look]) -> list[Look]:
    """A few of them, the first and the last among them."""
    if len(rows) <= _MOMENTS:
        return list(rows)
    return [rows[int(at)] for at in np.linspace(0, len(rows) - 1, _MOMENTS)]


def marginals_table(found: FogChessAnalysis, top: int) -> RenderableType:
    """Where the other side's pieces are: the likeliest squares of every kind."""
    from fogtree.games.fog_chess.belief import SQUARE_KINDS
    from fogtree.games.fog_chess.observation import SQUARES

    table = PieceTable()
    letters = "kqrbnp" if found.player == 0 else "KQRBNP"
    for letter in letters:
        column = SQUARE_KINDS.index(letter)
        shares = found.weighted_marginals[:, column]
        order = [s for s in np.argsort(-shares, kind="stable") if shares[s] > _LEAST_SHARE]
        most = max(8, top)
        cells = [
            f"{SQUARES[s]} {shares[s]:.2f} ({found.marginals[s, column]:.2f})" for s in order[:most]
        ]
        if len(order) > most:
            cells.append(f"and {len(order) - most} more")
        table.add_row(letter, cells)
    title = "The other side's pieces: weighed by the search (all positions alike)"
    return titled(title, table)
