"""The progress of a training run: a table that updates on a terminal, lines elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fogtree.terminal.console import messages
from fogtree.text.amounts import amount, duration

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from fogtree.deep.report import Activity, Report


MEANINGS = (
    "loss: how far each network is from its samples, lower is better. A value "
    "network estimates payoffs, a regret network regrets, mix the average strategy, policy the "
    "current one; the number is the player, 0 where all share a network."
)
SCORES = (
    "score: the share of games won against an agent, a draw counting half; of a group of agents "
    "such as mi5, the mean. The scores of the last iteration's networks, without averaging, follow "
    "in the same order."
)
STOPPING = "stopping after this iteration; once more: at once"


class TrainingDisplay:
    """Shows losses, regrets, win rates, nodes per second, reservoirs, memory and remaining time."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.console = messages()
        self.live: Live | None = None
        self.latest: Report | None = None
        self.last_measured: Report | None = None  # with an exploitability or win rates
        self.last_validated: Report | None = None  # with validation walks
        self.explained: set[str] = set()  # the explanations that have been printed
        self.announced = False  # whether the coming stop has been announced

    def __enter__(self) -> TrainingDisplay:
        if self.console.is_terminal:
            from rich.live import Live

            self.live = Live(self.table("preparing"), console=self.console, auto_refresh=False)
            self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.live is not None:
            self.live.stop()

    def show(self, report: Report) -> None:
        """Show the report of a finished iteration: update the table on a terminal, else print a
        line."""
        if report.validation is not None:
            self.last_validated = report
        if report.exploitability is not None or report.win_rates:
            self.last_measured = report
        self.latest = report
        self._explain(MEANINGS)
        if report.win_rates:
            self._explain(SCORES)
        if self.live is not None:
            self.live.update(self.table(), refresh=True)
        else:
            self.console.print(line(report), soft_wrap=True)

    def _explain(self, words: str) -> None:
        """Print what the numbers mean, once: above the table or the first line that has them."""
        if words not in self.explained:
            self.explained.add(words)
            self.console.print(words, style="dim", soft_wrap=self.live is None)

    def pulse(self, activity: Activity) -> None:
        """Show the present activity on a terminal; confirm a request to stop on any output."""
        if activity.asked is not None and not self.announced:
            self.announced = True
            self.console.print(STOPPING, soft_wrap=True)
        if self.live is not None:
            doing = f": {activity.doing}" if activity.doing else ""
            text = f"iteration {activity.iteration:,}{doing}, {duration(activity.seconds)}"
            self.live.update(self.table(text), refresh=True)

    def table(self, doing: str = "") -> Table:
        """The rows about the last finished iteration, and what is done now."""
        from rich.table import Table

        table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        table.add_row("training", f"{self.name} in {self.folder}")
        if self.latest is not None:
            self._add_report(table, self.latest)
        table.add_row("now", doing)
        return table

    def _add_report(self, table: Table, report: Report) -> None:
        """Add the rows about the last iteration, and about the latest validation and
        measurement."""
        left = (
            "" if report.left_seconds is None else f", about {duration(report.left_seconds)} left"
        )
        table.add_row("iteration", f"{report.iteration:,} after {duration(report.seconds)}{left}")
        table.add_row("nodes", f"{report.nodes:,}, {report.nodes_per_second:,.0f} per second")
        table.add_row("loss", _numbers(report.losses))
        filled = _numbers(report.filled, ".0%")
        table.add_row("samples", f"{filled}, {amount(report.bytes)}")
        if self.last_validated is not None and self.last_validated.validation is not None:
            found = self.last_validated.validation
            table.add_row(
                "regret",
                f"mean {found.mean_regret:.4g}, most {found.max_regret:.4g}, entropy "
                f"{found.strategy_entropy:.3f} (iteration {self.last_validated.iteration})",
            )
        if self.last_measured is not None:
            measured = self.last_measured
            table.add_row("strength", f"{_strength(measured)} (iteration {measured.iteration})")


def line(report: Report) -> str:
    """The report of one iteration as one line."""
    parts = [
        f"iteration {report.iteration}",
        duration(report.seconds),
        f"{report.nodes_per_second:,.0f} nodes/s",
        f"loss {_numbers(report.losses)}",
    ]
    if report.validation is not None:
        parts.append(f"mean regret {report.validation.mean_regret:.4g}")
    if report.exploitability is not None or report.win_rates:
        parts.append(_strength(report))
    if report.left_seconds:
        parts.append(f"about {duration(report.left_seconds)} left")
    return "  ".join(parts)


def _strength(report: Report) -> str:
    """The measured strength of the networks: exploitability or win rates, where there are any."""
    parts = []
    if report.exploitability is not None:
        parts.append(f"exploitability {report.exploitability:.4g}")
    if report.win_rates:
        rates = ", ".join(f"{name} {rate.value:.3f}" for name, rate in report.win_rates.items())
        parts.append(f"score against {rates}")
    if report.latest:
        rates = ", ".join(f"{rate.value:.3f}" for rate in report.latest.values())
        parts.append(f"last networks: {rates}")
    return ", ".join(parts)


def _numbers(values: dict[str, float], form: str = ".4g") -> str:
    return ", ".join(f"{name} {value:{form}}" for name, value in values.items())
