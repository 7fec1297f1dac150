"""Terminal tables: sizes of games, results of runs, strategies with reach and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from fogtree.plot.figure import FADED_REACH
from fogtree.terminal.console import printable
from fogtree.terminal.number_table import GAP, NumberTable, facts_table, filled
from fogtree.text.amounts import amount, duration

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from fogtree import GameTree, Run, Sizes
    from fogtree.evaluate import InfosetReport

STRATEGY_LEGEND = (
    "Beside each action: its probability, then what it is worth to the player. reach: how often "
    "play gets there. value: what the player gets from there on, on average."
)
RUN_LEGEND = (
    "exploitability: what opponents who know this strategy win per game, averaged over the seats; "
    "0 is an equilibrium. value: what a player gets per game."
)
MOST_COLUMNS = 6
"""Actions up to which a strategy's table has a column for each."""
MOST_LISTED = 5
"""Actions of an information set that are listed if they have no columns: the likeliest ones."""


def counts(numbers: Sequence[int]) -> str:
    """Numbers of several players as text: ``6 + 6``."""
    return " + ".join(f"{number:,}" for number in numbers)


def sizes_table(tree: GameTree, sizes: Sizes) -> Table:
    """A table of a compiled game's size: histories, information sets, sequences, payoffs,
    memory."""
    table = facts_table()
    table.add_row(Text("game", style="bold"), Text(printable(tree.game), style="bold"))
    table.add_row("players", f"{tree.players}, {tree.payoff_kind}")
    table.add_row(
        "histories",
        f"{sizes.nodes:,}: {sizes.decision_nodes:,} decisions, {sizes.chance_nodes:,} chance, "
        f"{sizes.terminals:,} ends",
    )
    merged = sizes.merged_infosets != sizes.infosets
    note = f"   solved as {counts(sizes.merged_infosets)}" if merged else ""
    table.add_row("information sets", counts(sizes.infosets) + note)
    note = f"   solved as {counts(sizes.merged_sequences)}" if merged else ""
    table.add_row("sequences", counts(sizes.sequences) + note)
    note = f"   solved as {sizes.merged_nonzeros:,}" if merged else ""
    table.add_row("payoffs, not zero", f"{sizes.nonzeros:,}" + note)
    table.add_row("memory", f"{amount(sizes.bytes)}, compiled in {duration(tree.seconds)}")
    return table


def run_table(run: Run, tree: GameTree) -> Table:
    """The main facts of a run: algorithm, time, exploitability, values. In a zero-sum game of two
    the value of player 0 says both."""
    pace = run.iterations / run.seconds if run.seconds > 0 else 0.0
    table = facts_table()
    name = f"{run.algorithm}, {run.precision}"
    if run.threads > 1 and run.sampled is None:
        name += f", {run.threads} threads"
    table.add_row(Text("algorithm", style="bold"), name)
    table.add_row("iterations", f"{run.iterations:,}   ({pace:,.0f} per second)")
    table.add_row("time", f"{duration(run.seconds)} solving, {duration(run.check_seconds)} checks")
    if run.sampled is not None:
        from fogtree.cli.sampling import work_rows

        for row in work_rows(run.sampled, run.seconds):
            table.add_row(*row)
    label = f"{run.exploitability:.6g}   (NashConv / {tree.players}; NashConv {run.nash_conv:.6g})"
    table.add_row("exploitability", Text(label, style="bold"))
    both_in_one = tree.players == 2 and tree.zero_sum
    for player, value in enumerate(run.values[:1] if both_in_one else run.values):
        table.add_row(f"value, player {player}", f"{value:.9g}")
    return table


class StrategyTable:
    """One row per information set; every action has its probability and, dimmed, its value.

    Actions have a column each if they fit, else they follow one another.
    """

    def __init__(self, reports: Sequence[InfosetReport], digits: int) -> None:
        self.reports, self.digits = reports, digits

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Called by Rich to print the table: with one column per action if it is not wider than the
        terminal, else with one column that lists all actions."""
        labels = list(dict.fromkeys(a for report in self.reports for a in report.actions))
        if len(labels) <= MOST_COLUMNS:
            rows = [_columns(report, labels, self.digits) for report in self.reports]
            table = self._table([*map(printable, labels)], rows)
            if table.full_width() <= options.max_width:
                yield table
                return
        title = Text("probability, value", justify="left")
        others = self._table([], [[]] * len(self.reports)).full_width() + GAP
        room = max(options.max_width - others, title.cell_len)
        yield self._table([title], [[_list(report, self.digits, room)] for report in self.reports])

    def _table(self, titles: list[str | Text], cells: list[list[Text]]) -> NumberTable:
        """The table with these titles, and these ``cells`` for each row, between the columns of the
        reach and of the value."""
        table = NumberTable("information set", "player", "reach", *titles, "value")
        for report, between in zip(self.reports, cells, strict=True):
            value = report.expected_value
            table.add_row(
                printable(report.name),
                str(report.player),
                f"{report.reach:.{self.digits}f}",
                *between,
                "" if value is None else f"{value:+z.{self.digits}f}",
                style="dim" if report.reach < FADED_REACH else "",
            )
        return table


def _cell(share: float, value: float | None, digits: int) -> Text:
    """A cell with an action's probability and, dimmed, its value (None: unknown)."""
    text = Text(f"{share:.{digits}f}", style="bold" if share >= 0.5 else "")
    if value is not None:
        text.append(f" {value:+z.{digits}f}", style="not bold dim")
    return text


def _values(report: InfosetReport) -> Sequence[float | None]:
    """The values of the actions at an information set; None for each if they are unknown."""
    return report.values if report.values is not None else [None] * len(report.actions)


def _columns(report: InfosetReport, labels: list[str], digits: int) -> list[Text]:
    """The cells of one row, one per label; empty where the information set lacks the action."""
    cells = {
        action: _cell(share, value, digits)
        for action, share, value in zip(
            report.actions, report.probabilities, _values(report), strict=True
        )
    }
    return [cells.get(label, Text("")) for label in labels]


def _list(report: InfosetReport, digits: int, room: int) -> Text:
    """A cell that lists the most likely actions with probability and value, as many in a line as
    fit into ``room`` columns."""
    rows = sorted(
        zip(report.actions, report.probabilities, _values(report), strict=True),
        key=lambda row: -row[1],
    )
    parts = [
        Text(f"{printable(action)} ").append_text(_cell(share, value, digits))
        for action, share, value in rows[:MOST_LISTED]
    ]
    if len(rows) > MOST_LISTED:
        parts.append(Text(f"and {len(rows) - MOST_LISTED} more"))
    return filled(parts, room)
