"""A training run's metrics as TensorBoard event files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fogtree.errors import MissingExtraError

if TYPE_CHECKING:
    from fogtree.deep.report import Report

try:
    writer: Any = import_module("tensorboardX")
except ImportError as error:
    raise MissingExtraError("tensorboardX", "tensorboard") from error


class EventLog:
    """Writes event files to the folder of a run."""

    def __init__(self, folder: Path) -> None:
        self._writer = writer.SummaryWriter(str(folder / "tensorboard"))

    def write(self, report: Report) -> None:
        """Write the numbers of an iteration's report."""
        numbers: dict[str, float] = {
            "nodes_per_second": report.nodes_per_second,
            "root_value": report.root_value,
            **{f"loss/{name}": value for name, value in report.losses.items()},
            **{f"win_rate/{name}": rate.value for name, rate in report.win_rates.items()},
        }
        if report.exploitability is not None:
            numbers["exploitability"] = report.exploitability
        if report.validation is not None:
            for name in ("mean_regret", "max_regret", "strategy_entropy"):
                numbers[f"validation/{name}"] = getattr(report.validation, name)
        for name, value in numbers.items():
            self._writer.add_scalar(name, value, report.iteration)
        self._writer.flush()
