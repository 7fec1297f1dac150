"""What a training run looks like while it goes on: a board on a terminal, lines elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fogtree.terminal.console import messages
from fogtree.text.amounts import amount, duration

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from fogtree.deep.report import Moment, Report


STOPPING = "stopping after this iteration; once more: at once"


class Board:
    """Loss, regrets, win rates, nodes per second, buffers, memory and the time to go."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder
        self.console = messages()
        self.live: Live | None = None
        self.latest: Report | None = None
        self.checked: Report | None = None
        self.validated: Report | None = None
        self.told = False  # that somebody has asked to stop

    def __enter__(self) -> Board:
        if self.console.is_terminal:
            from rich.live import Live

            self.live = Live(self.table("preparing"), console=self.console, auto_refresh=False)
            self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.live is not None:
            self.live.stop()

    def show(self, report: Report) -> None:
        if report.validation is not None:
            self.validated = report
        if report.exploitability is not None or report.win_rates:
            self.checked = report
        self.latest = report
        if self.live is not None:
            self.live.update(self.table(), refresh=True)
        else:
            self.console.print(line(report), soft_wrap=True)

    def pulse(self, moment: Moment) -> None:
        """What is going on just now; on a terminal only, but for an answer to who asks to stop."""
        if moment.asked is not None and not self.told:
            self.told = True
            self.console.print(STOPPING, soft_wrap=True)
        if self.live is not None:
            doing = f": {moment.doing}" if moment.doing else ""
            text = f"iteration {moment.iteration:,}{doing}, {duration(moment.seconds)}"
            self.live.update(self.table(text), refresh=True)

    def table(self, doing: str = "") -> Table:
        from rich.table import Table

        board = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        board.add_row("training", f"{self.name} in {self.folder}")
        if self.latest is not None:
            self._report(board, self.latest)
        board.add_row("now", doing)
        return board

    def _report(self, board: Table, report: Report) -> None:
        left = (
            "" if report.left_seconds is None else f", about {duration(report.left_seconds)} left"
        )
        board.add_row("iteration", f"{report.iteration:,} after {duration(report.seconds)}{left}")
        board.add_row("nodes", f"{report.nodes:,}, {report.nodes_per_second:,.0f} per second")
        board.add_row("loss", _numbers(report.losses))
        shares = {name: f"{share:.0%}" for name, share in report.filled.items()}
        board.add_row("samples", _words(shares) + f", {amount(report.bytes)}")
        if self.validated is not None and self.validated.validation is not None:
            found = self.validated.validation
            board.add_row(
                "regret",
                f"mean {found.mean_regret:.4g}, most {found.max_regret:.4g}, entropy "
                f"{found.strategy_entropy:.3f} (iteration {self.validated.iteration})",
            )
        if self.checked is not None:
            board.add_row("strength", f"{_strength(self.checked)} ({self.checked.iteration})")


def line(report: Report) -> str:
    """One iteration where nobody can see a board."""
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
    return "  ".join(parts)


def _strength(report: Report) -> str:
    parts = []
    if report.exploitability is not None:
        parts.append(f"exploitability {report.exploitability:.4g}")
    parts.extend(f"{name} {rate.value:.3f}" for name, rate in report.win_rates.items())
    if report.latest:
        parts.append("latest: " + ", ".join(f"{r.value:.3f}" for r in report.latest.values()))
    return ", ".join(parts)


def _numbers(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in values.items())


def _words(values: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
