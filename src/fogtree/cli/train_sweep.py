"""Runs of ``fogtree train`` with several values of options: side by side, with a table at the end.

Every run is a ``fogtree train`` of its own, in its own process and in its own folder within that of
the sweep. The same command again goes on with runs that have not ended.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import typer

from fogtree.errors import FogtreeError
from fogtree.system.records import parse_json
from fogtree.system.termination import Terminated, sigterm_raises
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.outcome import ENDED_EARLY, INTERRUPTED
from fogtree.text.amounts import duration, rounded, short_number

if TYPE_CHECKING:
    from fogtree.deep.sweep import Setting, SweepRow, SweepRun


@dataclass
class SweepPlan:
    """The runs of a sweep: the game as it was written, further arguments of each ``train``, the
    combinations of settings, the folder, and the number of runs at a time."""

    spec: str
    machine: list[str]  # arguments for the device and the workers
    config: list[str]  # arguments of new runs alone
    combinations: list[tuple[Setting, ...]]
    names: dict[str, str]  # of the options that differ, as columns of the table
    folder: Path
    processes: int
    bound: bool  # no exact exploitability: train an exploiter after each run
    stopping: bool = False
    children: set[subprocess.Popen[str]] = field(default_factory=set)


def run_sweep(plan: SweepPlan, *, json: bool) -> None:
    """Make all runs and print the table. On Ctrl-C or SIGTERM the running ones are asked to save
    and end first."""
    from fogtree.deep.sweep import sweep_rows

    count = len(plan.combinations)
    messages().print(
        f"{count} runs in {plan.folder}, {min(plan.processes, count)} at a time", soft_wrap=True
    )
    with sigterm_raises(), ThreadPoolExecutor(plan.processes) as pool:
        pending = [pool.submit(_run, plan, number) for number in range(count)]
        try:
            found = [one.result() for one in pending]
        except (KeyboardInterrupt, Terminated) as end:
            _stop(plan)
            messages().print(
                f"Saved in {plan.folder}. The same command goes on with it.", soft_wrap=True
            )
            how = "interrupted" if isinstance(end, KeyboardInterrupt) else "terminated"
            raise typer.Exit(ENDED_EARLY[how]) from None
        except FogtreeError:
            _stop(plan)
            raise
    rows = sweep_rows([run for run in found if run is not None])
    if json:
        print_json({"folder": plan.folder, "rows": [asdict(row) for row in rows]})
    else:
        _print(plan, rows)


def _stop(plan: SweepPlan) -> None:
    """Ask the runs that are running to save and end."""
    plan.stopping = True
    for child in list(plan.children):
        child.send_signal(signal.SIGINT)


def _run(plan: SweepPlan, number: int) -> SweepRun | None:
    """Make or continue the run with this number; returns what it reached, or None if the sweep is
    being stopped."""
    from fogtree.deep.checkpoint import TrainingFolder
    from fogtree.deep.sweep import Moment, SweepRun

    if plan.stopping:
        return None
    settings = plan.combinations[number]
    folder = plan.folder / run_name(plan.names, settings)
    if (folder / "manifest.json").is_file():
        document = _document(plan, ["resume", str(folder), *plan.machine, *_limits(plan, settings)])
    else:
        given = [part for name, value in settings for part in ("--set", f"{name}={value}")]
        train = ["train", plan.spec, *plan.machine, *plan.config, *given, "--save", str(folder)]
        document = _document(plan, train)
    if document is None:
        return None
    lines = TrainingFolder(folder).metrics(dict[str, Any])
    run = SweepRun.of(settings, document, lines)
    if not run.measured and plan.bound:
        measured = _document(
            plan, ["exploit", plan.spec, "--agent", f"deep:{folder}", "--method", "trained"]
        )
        if measured is None:
            return None
        value = float(measured["bounds"][0]["value"])
        moments = (Moment(run.nodes, run.seconds, value),)
        run = SweepRun(run.settings, run.iterations, run.nodes, run.seconds, moments)
    left = "" if not run.measured else f", exploitability {run.measured[-1].exploitability:.4g}"
    messages().print(
        f"{folder.name}: {run.iterations:,} iterations in {duration(run.seconds)}{left}",
        soft_wrap=True,
    )
    return run


def run_name(names: dict[str, str], settings: Sequence[Setting]) -> str:
    """The name of a run's folder: the options that differ, with their values."""
    shown = {**names, "run.seed": "seed"}
    text = "_".join(f"{shown[name]}-{value}" for name, value in settings if name in shown)
    return re.sub(r"[^\w.+-]+", "-", text) or "run"


def _limits(plan: SweepPlan, settings: Sequence[Setting]) -> list[str]:
    """The arguments of ``resume`` for a run: its game, if a file defines it, and its limits."""
    from fogtree.system.user_code import is_user_code

    out = ["--game", plan.spec] if is_user_code(plan.spec) else []
    for name, value in settings:
        if name in ("run.seconds", "run.iterations"):
            out += [f"--{name.partition('.')[2]}", value]
    return out


def _document(plan: SweepPlan, arguments: list[str]) -> dict[str, Any] | None:
    """Run ``fogtree`` with these arguments in a process; returns the JSON document that it prints,
    or None if it was interrupted."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        command = [sys.executable, "-m", "fogtree", *arguments, "--json"]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip
        plan.children.add(child)
        if plan.stopping:
            child.send_signal(signal.SIGINT)
        printed = child.communicate()[0]
        plan.children.discard(child)
        if plan.stopping or child.returncode == INTERRUPTED:
            return None
        if child.returncode:
            raise FogtreeError(f"{' '.join(arguments[:2])}: {_last_line(errors)}")
    document: dict[str, Any] = parse_json(printed, f"the answer of {arguments[0]}")
    return document


def _last_line(errors: IO[str]) -> str:
    """The last line that a command wrote to stderr: what was wrong."""
    errors.seek(0)
    lines = errors.read().strip().splitlines()
    return lines[-1] if lines else "the run ended without a word"


def _print(plan: SweepPlan, rows: Sequence[SweepRow]) -> None:
    """Print one row per combination of settings: the exploitability at the end (mean, least and
    most over the seeds), and its mean after equally many nodes in all runs."""
    from fogtree.terminal.number_table import NumberTable

    measure = "bound" if plan.bound else "exploitability"
    equal = f"at {rounded(rows[0].equal_nodes)} nodes" if rows else "at equal nodes"
    head = [*plan.names.values()] or ["run"]
    table = NumberTable(*head, "runs", "time", "nodes", measure, "least", "most", equal)
    for row in rows:
        values = dict(row.settings)
        cells = [values[name] for name in plan.names] or ["all"]
        table.add_row(
            *cells,
            str(row.runs),
            duration(row.seconds),
            rounded(row.nodes),
            *(short_number(number) for number in _spread(row.final)),
            *(["–"] * (3 if not row.final else 0)),
            short_number(_mean(row.at_equal_nodes)) if row.at_equal_nodes else "–",
        )
    output().print(table)


def _spread(values: Sequence[float]) -> list[float]:
    """The mean, the least and the largest of some values; an empty list if there are none."""
    return [_mean(values), min(values), max(values)] if values else []


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
