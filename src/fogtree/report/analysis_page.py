"""An analysis as one HTML page that stands alone: boards, heat maps, arrows, curves and tables.

Only what the analysis has in it is drawn, so a page for one side shows what that side may know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from fogtree.games.cambia.analysis import CambiaAnalysis
from fogtree.games.fog_chess.analysis import FogChessAnalysis, line_san
from fogtree.games.fog_chess.belief import SQUARE_KINDS
from fogtree.games.fog_chess.board_text import COLORS, PIECE_NAMES
from fogtree.games.fog_chess.svg import Arrow, draw_board
from fogtree.plot.vector import Axis, bar_chart, line_chart
from fogtree.search.analysis import Analysis, Line
from fogtree.tree import GameTree

_CURVES = 8
_SMALL = 220
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1f2328; }
body { margin: 2rem auto; max-width: 1180px; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .7rem .15rem 0; text-align: right; }
th { color: #57606a; font-weight: 600; } td.text, th.text { text-align: left; }
tr + tr td { border-top: 1px solid #eaeef2; }
.row { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: flex-start; }
figure { margin: 0; } figcaption { color: #57606a; font-size: .85rem; max-width: 380px; }
code { font-size: .85em; }
"""

Writing = Callable[[Line], Sequence[str]]
_TEXT = frozenset({"action", "position", "line", "possible", ""})


def fog_chess_page(found: FogChessAnalysis, top: int = 10) -> str:
    """The page of an analysis of Fog-of-War chess."""
    side = COLORS[found.player]
    parts = [
        f"<h1>Fog-of-War chess, {side} to move</h1>",
        f"<p>{_settings(found)}</p>",
        _row([_own_board(found), _summary(found.analysis)]),
        _heat_maps(found),
        *_common(found.analysis, top, found.san, line_san),
        _possible_boards(found, top),
    ]
    if found.truth is not None:
        parts.append(_truth(found))
    return _page(f"Analysis for {side}", parts)


def tree_page(tree: GameTree, infoset: str, analysis: Analysis, top: int = 10) -> str:
    """The page of an analysis of a compiled game."""
    heading = f"{tree.game}, {infoset}: player {analysis.player}"
    return _plain_page(tree.game, heading, analysis, top)


def cambia_page(found: CambiaAnalysis, top: int = 10) -> str:
    """The page of an analysis of Cambia."""
    truth = "" if found.truth is None else f"The truth: {found.truth}"
    return _plain_page(str(found.game), found.heading, found.analysis, top, truth)


def _plain_page(game: str, heading: str, analysis: Analysis, top: int, more: str = "") -> str:
    parts = [
        f"<h1>{escape(heading)}</h1>",
        _summary(analysis),
        *_common(analysis, top, str, lambda line: [move.action for move in line.moves]),
        f"<p>{escape(more)}</p>" if more else "",
    ]
    return _page(f"Analysis of {escape(game)}", parts)


def _page(title: str, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _settings(found: FogChessAnalysis) -> str:
    own = " ".join(found.own_moves) or "none yet"
    return (
        f"Evaluator {escape(found.settings.evaluator)}; own moves so far: {own}.<br>"
        f"What this side sees: <code>{escape(found.view.fog_fen)}</code>"
    )


def _common(
    analysis: Analysis, top: int, name: Callable[[str], str], write: Writing
) -> Iterable[str]:
    yield "<h2>Candidates</h2>" + _candidates(analysis, top, name)
    yield "<h2>The mix over time</h2>" + _row([_mix_chart(analysis, name), _value_chart(analysis)])
    yield "<h2>Convergence</h2>" + _row([_gap_chart(analysis), _safety_chart(analysis)])
    yield "<h2>What we think possible, and how it would go on</h2>" + _lines(
        analysis.our_belief[:top], write, "share"
    )
    yield (
        f"<h2>The opponent's information sets at the root ({len(analysis.opponents):,})</h2>"
        + _opponents(analysis, top)
    )
    for one in analysis.opponents[:3]:
        yield f"<h2>What the opponent thinks possible in set {one.number}</h2>" + _lines(
            analysis.beliefs_of_opponent(one.number)[:top], write, "weight"
        )
    yield "<h2>Growth</h2>" + _row([_levels(analysis), _cover(analysis)])


def _row(parts: Iterable[str]) -> str:
    return f'<div class="row">{"".join(parts)}</div>'


def _figure(picture: str, caption: str) -> str:
    return f"<figure>{picture}<figcaption>{caption}</figcaption></figure>"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    kinds = [' class="text"' if column in _TEXT else "" for column in columns]
    head = "".join(f"<th{k}>{escape(c)}</th>" for c, k in zip(columns, kinds, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{k}>{escape(cell)}</td>" for cell, k in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _summary(analysis: Analysis) -> str:
    d = analysis.decision
    ours, theirs = analysis.gap
    size = "too many positions to list" if d.belief_size is None else f"{d.belief_size:,} positions"
    rows = [
        ("plays", str(d.action)),
        ("value", f"{d.value:+.4f}"),
        ("p_max", f"{d.p_max:.4f}, {'safe' if d.safe else 'not safe'}"),
        ("Nash gap", f"{ours + theirs:.4f} (ours {ours:.4f}, theirs {theirs:.4f})"),
        ("belief", f"{size}, {d.sampled:,} new to the tree"),
        ("tree", f"{d.nodes:,} nodes, {d.infosets:,} information sets, {d.depth} plies"),
        ("carried over", f"{d.carried_nodes:,} nodes, {d.carried_infosets:,} information sets"),
        ("work", f"{d.iterations:,} iterations, {d.steps:,} expansions, {d.seconds:.2f} s"),
    ]
    return _table(("", ""), rows)


def _candidates(analysis: Analysis, top: int, name: Callable[[str], str]) -> str:
    rows = sorted(analysis.decision.candidates, key=lambda c: (-c.probability, -c.strategy))
    return _table(
        ("action", "played", "strategy", "value", "visits"),
        [
            (
                name(c.action),
                f"{c.probability:.3f}",
                f"{c.strategy:.3f}",
                f"{c.value:+.4f}",
                f"{c.visits:,}",
            )
            for c in rows[:top]
        ],
    )


def _opponents(analysis: Analysis, top: int) -> str:
    names = ("prior", "reach", "alternate", "value", "margin", "enter", "maxmargin")
    return _table(
        ("set", "positions", "possible for us", *names),
        [
            (
                str(one.number),
                f"{one.positions:,}",
                f"{one.possible:,}",
                *(f"{getattr(one, name):+.4f}" for name in names),
            )
            for one in analysis.opponents[:top]
        ],
    )


def _lines(lines: Sequence[Line], write: Writing, weight: str) -> str:
    return _table(
        (weight, "value", "possible", "position", "line"),
        [
            (
                f"{getattr(line, weight):.4f}",
                f"{line.value:+.4f}",
                "yes" if line.possible else "not for us",
                line.position,
                " ".join(write(line)),
            )
            for line in lines
        ],
    )


def _times(analysis: Analysis) -> list[float]:
    return [look.seconds for look in analysis.looks]


def _mix_chart(analysis: Analysis, name: Callable[[str], str]) -> str:
    looks = analysis.looks
    known = dict.fromkeys(action for look in looks for action in look.mix)
    total = {action: sum(look.mix.get(action, 0.0) for look in looks) for action in known}
    last = looks[-1].mix
    shown = sorted(known, key=lambda a: (-last.get(a, 0.0), -total[a]))[:_CURVES]
    chart = line_chart(
        _times(analysis),
        {name(a): [look.mix.get(a, 0.0) for look in looks] for a in shown},
        x_label="seconds",
        y_label="probability",
        y_axis=Axis(0.0, 1.0),
    )
    return _figure(chart, "The last iterate at our information set, before purification.")


def _value_chart(analysis: Analysis) -> str:
    chart = line_chart(
        _times(analysis),
        {"value": [look.value for look in analysis.looks]},
        x_label="seconds",
        y_label="our value",
    )
    return _figure(chart, "What we expect, in payoffs.")


def _gap_chart(analysis: Analysis) -> str:
    looks = analysis.looks
    least = 1e-6
    chart = line_chart(
        _times(analysis),
        {
            "ours": [max(look.gap[0], least) for look in looks],
            "theirs": [max(look.gap[1], least) for look in looks],
            "together": [max(sum(look.gap), least) for look in looks],
        },
        x_label="seconds",
        y_label="could be gained",
        logarithmic=True,
    )
    return _figure(chart, "What a best answer in the tree as it stands would gain: the Nash gap.")


def _safety_chart(analysis: Analysis) -> str:
    looks = analysis.looks
    chart = line_chart(
        _times(analysis),
        {
            "p_max": [look.p_max for look in looks],
            "worst margin": [look.worst_margin for look in looks],
        },
        x_label="seconds",
        y_label="",
    )
    return _figure(chart, "p_max is 0 once no margin is negative.")


def _levels(analysis: Analysis) -> str:
    chart = bar_chart(
        [str(ply) for ply in range(len(analysis.levels))],
        {
            "nodes": [level.nodes for level in analysis.levels],
            "expanded": [level.expanded for level in analysis.levels],
            "ends": [level.terminal for level in analysis.levels],
        },
        x_label="plies below the root",
        y_label="nodes",
    )
    return _figure(chart, "The tree by depth.")


def _cover(analysis: Analysis) -> str:
    rows = [(str(k), f"{size:,}") for k, size in enumerate(analysis.decision.cover, start=1)]
    return _table(("order of knowledge", "nodes of the last tree"), rows) if rows else ""


def _own_board(found: FogChessAnalysis) -> str:
    arrows = [
        Arrow(c.action, c.probability, f"{found.san(c.action)} {c.probability:.2f}")
        for c in found.analysis.decision.candidates
        if c.probability > 0.005
    ]
    board = draw_board(found.view.marks(), flipped=found.player == 1, arrows=arrows)
    return _figure(board, "What this side sees, and what it plays.")


def _heat_maps(found: FogChessAnalysis) -> str:
    """Where the other side's pieces may be, all together and by kind."""
    letters = "kqrbnp" if found.player == 0 else "KQRBNP"
    columns = [SQUARE_KINDS.index(letter) for letter in letters]
    pictures = []
    for marginals, words in (
        (found.weighted_marginals, "as the search weighs them"),
        (found.marginals, "all possible positions alike"),
    ):
        shares = marginals[:, columns].sum(axis=1)
        board = _heat(found, shares, 378)
        pictures.append(_figure(board, f"Any piece of the other side: {words}."))
    kinds = [
        _figure(
            _heat(found, found.weighted_marginals[:, column], _SMALL),
            f"{PIECE_NAMES[letter.lower()].capitalize()}s, as the search weighs them.",
        )
        for letter, column in zip(letters, columns, strict=True)
    ]
    size = found.analysis.decision.belief_size
    return f"<h2>Belief: {size:,} positions, percent per square</h2>" + _row(pictures) + _row(kinds)


def _heat(found: FogChessAnalysis, shares: NDArray[np.float64], size: int) -> str:
    own = [
        mark if mark.isalpha() and mark.isupper() == (found.player == 0) else "."
        for mark in found.view.marks()
    ]
    flipped = found.player == 1
    return draw_board(own, flipped=flipped, shades=[float(s) for s in shares], size=size)


def _possible_boards(found: FogChessAnalysis, top: int) -> str:
    pictures = []
    for line in found.analysis.our_belief[: min(top, 8)]:
        arrows = [Arrow(move.action, 0.9 - 0.3 * n) for n, move in enumerate(line.moves[:3])]
        marks = [line.state.letter_at(square) or "." for square in range(64)]
        board = draw_board(marks, flipped=found.player == 1, arrows=arrows, size=_SMALL)
        words = f"{100 * line.share:.1f} %, value {line.value:+.3f}: {' '.join(line_san(line))}"
        pictures.append(_figure(board, escape(words)))
    return "<h2>The likeliest positions, with their lines</h2>" + _row(pictures)


def _truth(found: FogChessAnalysis) -> str:
    assert found.truth is not None
    from fogtree.games.fog_chess.rules import read_fen  # noqa: PLC0415

    position = read_fen(found.truth.fen)
    marks = [position.letter_at(square) or "." for square in range(64)]
    board = draw_board(marks, flipped=found.player == 1)
    words = "thought possible" if found.truth.possible else "thought impossible"
    return "<h2>The truth, which this side cannot know</h2>" + _figure(
        board, f"<code>{escape(found.truth.fen)}</code>, {words}."
    )
