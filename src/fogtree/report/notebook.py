"""Results as HTML for notebooks: strategies as bars, runs as curves, matches as tables.

Each function here is named by the ``drawing`` of a result's class.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fogtree.arena.record import replay, result_text
from fogtree.errors import FogtreeError
from fogtree.evaluate import InfosetReport, inspect
from fogtree.plot.figure import FADED_REACH
from fogtree.registry import game_by_name
from fogtree.report.analysis import Drawing
from fogtree.report.html import render
from fogtree.report.match_tables import cross_table, matches_table, ratings_table
from fogtree.report.mix_bars import Bar, MixBars
from fogtree.report.svg_charts import LogChart
from fogtree.report.tables import TextTable, candidates_table
from fogtree.text.amounts import duration, short_number
from fogtree.tree import compile

if TYPE_CHECKING:
    from fogtree.arena import GameRecord, MatchResult, Tournament
    from fogtree.deep.exploit import Exploitation
    from fogtree.deep.report import TrainingRun
    from fogtree.evaluate import Inspection
    from fogtree.search import SearchDecision
    from fogtree.solvers import Run
    from fogtree.solvers.compare import Comparison
    from fogtree.strategy import Strategy

MAX_BARS = 60
"""Information sets that a notebook shows of one strategy."""

MAX_COMPILED = 3000
"""Most information sets of a strategy whose game is compiled to find their reach."""

MAX_STEPS = 300
"""Steps of a game that a notebook writes out."""

Part = str | TextTable | Drawing


def strategy_html(strategy: Strategy) -> str:
    """A strategy as bars; information sets that are rarely reached are faded, if the game can be
    compiled quickly."""
    reports = _inspected(strategy)
    if reports is not None:
        return _result(strategy, *_strategy_bars(reports, shows_reach=True))
    parts = zip(strategy.names, strategy.infoset_player.tolist(), strict=True)
    plain = []
    for name, player in list(parts)[: MAX_BARS + 1]:
        mix = strategy[name]
        shares = tuple(mix.values())
        plain.append(InfosetReport(name, player, tuple(mix), shares, 1.0, None, None))
    return _result(strategy, *_strategy_bars(plain, shows_reach=False, count=len(strategy)))


def inspection_html(inspection: Inspection) -> str:
    """An inspection as bars, with the reach of every information set."""
    return _result(inspection, *_strategy_bars(inspection, shows_reach=True))


def run_html(run: Run) -> str:
    """A run as a curve of its exploitability over iterations, on logarithmic axes."""
    points = {run.algorithm: [(float(c.iteration), c.exploitability) for c in run.curve]}
    return _result(run, LogChart(points, "iterations", "exploitability"))


def comparison_html(comparison: Comparison) -> str:
    """A comparison as curves of exploitability over iterations and over solving time, one per
    algorithm."""
    runs = [contender.run for contender in comparison.contenders]
    by_iteration = {
        run.algorithm: [(float(c.iteration), c.exploitability) for c in run.curve] for run in runs
    }
    by_time = {run.algorithm: [(c.seconds, c.exploitability) for c in run.curve] for run in runs}
    table = TextTable(
        "Results",
        ("algorithm", "exploitability", "value", "time"),
        tuple(
            (
                run.algorithm,
                short_number(run.exploitability),
                short_number(run.value),
                duration(run.seconds),
            )
            for run in runs
        ),
    )
    return _result(
        comparison,
        LogChart(by_iteration, "iterations", "exploitability"),
        LogChart(by_time, "seconds of solving", "exploitability"),
        table,
    )


def training_html(run: TrainingRun) -> str:
    """A training run as curves over iterations: the exploitability, where it was measured, and the
    losses."""
    reports = run.reports
    measured = [
        (float(r.iteration), r.exploitability) for r in reports if r.exploitability is not None
    ]
    names = dict.fromkeys(name for report in reports for name in report.losses)
    losses = {
        name: [(float(r.iteration), r.losses[name]) for r in reports if name in r.losses]
        for name in names
    }
    parts = [LogChart(losses, "iterations", "loss")] if losses else []
    if measured:
        parts.insert(0, LogChart({"average strategy": measured}, "iterations", "exploitability"))
    return _result(run, *parts)


def match_html(match: MatchResult) -> str:
    """A match as a bar of games won, drawn and lost, and a table of its numbers."""
    return _result(match, _score_bars([match]), matches_table([match]))


def tournament_html(tournament: Tournament) -> str:
    """A tournament as tables: ratings, the cross table and every match."""
    matches = tournament.matches
    tables = ratings_table(tournament), cross_table(tournament)
    return _result(tournament, *tables, _score_bars(matches), matches_table(matches))


def record_html(record: GameRecord) -> str:
    """A recorded game: its steps, and the last position if the game can be made from its name."""
    steps = record.steps[:MAX_STEPS]
    more = f" and {len(record.steps) - len(steps):,} more" if len(record.steps) > MAX_STEPS else ""
    return _result(record, " ".join(steps) + more, *_last_position(record))


def decision_html(decision: SearchDecision) -> str:
    """A decision: the mix as a bar, the candidates as a table, and the belief if it can be
    drawn."""
    mix = {str(action): share for action, share in decision.mix.items()}
    belief = [decision.belief] if hasattr(decision.belief, "_repr_svg_") else []
    table = candidates_table(decision.candidates)
    return _result(decision, MixBars([Bar("mix", mix)]), table, *belief)


def exploitation_html(exploitation: Exploitation) -> str:
    """The bounds on an agent's exploitability as a table, one row per method."""
    rows = tuple(
        (
            bound.method,
            f"{bound.value:.4f}",
            f"[{bound.low:.4f}, {bound.high:.4f}]",
            f"{bound.games:,}",
            duration(bound.seconds),
        )
        for bound in exploitation.bounds
    )
    columns = ("method", "bound", "95 %", "games", "time")
    return _result(exploitation, TextTable("Bounds on exploitability", columns, rows))


def _result(result: object, *parts: object) -> str:
    """A result as HTML: its ``repr`` as the heading, and its parts (texts, tables and drawings)
    below."""
    heading = repr(result).removeprefix("<").removesuffix(">")
    return str(render("result.html", heading=heading, parts=parts))


def _inspected(strategy: Strategy) -> Inspection | None:
    """The strategy with the reach of its information sets; None if the game cannot be compiled, or
    not quickly."""
    if len(strategy) > MAX_COMPILED:
        return None
    try:
        return inspect(compile(strategy.game), strategy)
    except FogtreeError:  # a user-defined game, or one with other parameters
        return None


def _strategy_bars(
    reports: Sequence[InfosetReport], *, shows_reach: bool, count: int | None = None
) -> Iterator[Part]:
    """Bars for the information sets with a choice that are reached most often, in the order of the
    game, and a line if some are left out. ``count`` is the number of all information sets, if
    ``reports`` are not all of them."""
    count = len(reports) if count is None else count
    choices = [report for report in reports if len(report.actions) > 1]
    likely = sorted(range(len(choices)), key=lambda k: -choices[k].reach)[:MAX_BARS]
    shown = [choices[k] for k in sorted(likely)]
    yield MixBars(
        [
            Bar(
                f"{report.player}: {report.name}",
                dict(zip(report.actions, report.probabilities, strict=True)),
                f"reach {short_number(report.reach)}" if shows_reach else "",
                faded=report.reach < FADED_REACH,
            )
            for report in shown
        ]
    )
    if len(choices) > len(shown):
        yield f"{len(shown)} of {count:,} information sets, those reached most often"


def _score_bars(matches: Sequence[MatchResult]) -> MixBars:
    """A bar per match: the shares of games won, drawn and lost."""
    return MixBars(
        [
            Bar(
                f"{match.first} - {match.second}",
                {
                    "won": match.wins / match.games,
                    "drawn": match.draws / match.games,
                    "lost": match.losses / match.games,
                },
            )
            for match in matches
        ]
    )


def _last_position(record: GameRecord) -> Iterator[Part]:
    """The result of a recorded game, and its last position as a drawing or as text; nothing if the
    game cannot be made from its name."""
    try:
        game = game_by_name(record.game)
        end = list(replay(record, game))[-1]
    except FogtreeError:  # a user-defined game
        return
    yield result_text(game, record, end)
    if hasattr(end, "_repr_svg_"):
        yield end
    elif end.show_all():
        yield end.show_all()
