"""Sampling in ``solve`` and ``resume``, and games too large to compile."""

from __future__ import annotations

from dataclasses import asdict, replace
from enum import StrEnum
from functools import partial
from importlib import import_module
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.cli.export import Format, format_of
from fogtree.cli.report import Delivery, end_early, warn_of_delay
from fogtree.errors import OptionError
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.progress import line_within
from fogtree.text.amounts import amount, duration, rounded
from fogtree.text.sizes import read_size

if TYPE_CHECKING:
    from rich.status import Status

    from fogtree import Game, Recipe, Run
    from fogtree.runs.progress import Pulse
    from fogtree.solvers.run import SampledWork
    from fogtree.solvers.simulated import SimulatedRun

LARGEST_TREE = 4_000_000
"""Histories beyond which a game with a native simulator is sampled without being compiled."""


class BackendName(StrEnum):
    """The values of ``--backend``."""

    threads = "threads"
    ray = "ray"


def read_memory(text: str | None) -> int | None:
    """The bytes that ``--memory`` allows; None if it is not given."""
    size = None if text is None else read_size(text, "--memory")
    if size == 0:
        raise OptionError("--memory must be above 0")
    return size


Workers = Annotated[
    int | None,
    typer.Option(min=1, max=4096, help="Sampling: number of workers.", show_default="1"),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0,
        callback=options.at_most(options.LARGEST_SEED),
        help="Sampling: random seed.",
        show_default="0",
    ),
]
Batch = Annotated[
    int | None,
    typer.Option(
        min=1,
        callback=options.at_most(10**9),
        help="Sampling: iterations of each worker between two merges of their results.",
        show_default="automatic",
    ),
]
Backend = Annotated[
    BackendName, typer.Option(help="Sampling: workers are threads, or processes of a Ray cluster.")
]
Abstraction = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Sampling: an abstraction that keeps the table small; see the game's page.",
    ),
]
NoCompile = Annotated[
    bool,
    typer.Option(
        "--no-compile",
        help="Sampling: walk the game's states as they come instead of compiling it first. A game "
        "that does not fit into memory is never compiled.",
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Stop cleanly before more is used, as in 4GB; a saved run can go on with more. For "
        "all workers on this machine together, on a cluster of Ray for each process there.",
        show_default="four fifths of free memory",
    ),
]
CONSTANTS = {
    "exploration": (float, "0.6", "mccfr-outcome: exploration, the share of uniform play."),
    "baseline_rate": (float, "0.1", "mccfr-outcome-baseline: weight of a new baseline value."),
    "tried": (int, "2", "mccfr-robust: actions sampled at an information set."),
    "epsilon": (float, "0.05", "mccfr-average: least probability of sampling an action."),
    "tau": (float, "1000", "mccfr-average: weight of the average strategy."),
    "beta": (float, "1e6", "mccfr-average: iterations during which all actions are sampled."),
}
"""The constants of samplers as options: type, default and help."""


def constant_options() -> list[Parameter]:
    """The command-line options for the samplers' constants, one for each entry of
    :data:`CONSTANTS`."""
    declare = partial(typer.Option, rich_help_panel="Constants of samplers")
    return [
        options.keyword_option(name, kind, declare(help=text, show_default=default))
        for name, (kind, default, text) in CONSTANTS.items()
    ]


def with_constants(row: Recipe, **constants: float | None) -> Recipe:
    """The recipe with its sampler's constants as given on the command line (None: not given). A
    recipe that does not sample has none: giving one is an error."""
    if row.sampler is not None:
        return replace(row, sampler=row.sampler.with_constants(**constants))
    for name, value in constants.items():
        if value is not None:
            option = name.replace("_", "-")
            raise OptionError(f"'{row.name}' samples nothing: it has no --{option}")
    return row


def check_recipe(
    row: Recipe, backend: BackendName, *, seed: int | None, batch: int | None, workers: int | None
) -> None:
    """Refuse choices that do not go with the algorithm, before any work begins."""
    if row.sampler is None:
        for name, value in (("seed", seed), ("batch", batch), ("workers", workers)):
            if value is not None:
                raise OptionError(f"'{row.name}' samples nothing: it has no --{name}")
        if backend is not BackendName.threads:
            raise OptionError(f"'{row.name}' samples nothing: --backend is for mccfr algorithms")
        return
    from fogtree.solvers.trainers import Schedule, sampling_plan

    sampling_plan(row, Schedule(batch=1, workers=1, seed=0))
    if backend is BackendName.ray:
        import_module("fogtree.solvers.ray_backend")  # an error if it is missing


def check_begun(run: Run | SimulatedRun) -> None:
    """Raise an error if a limit of memory or time stopped a run before its first batch of walks was
    complete: it has learned nothing."""
    work = run.sampled
    if work is None or run.iterations > 0 or run.stopped not in ("memory", "seconds"):
        return
    if run.seconds == 0:  # the limits allowed no work
        return
    why = {"memory": "fits in the memory allowed", "seconds": "was done in the time given"}
    more = {"memory": "more --memory", "seconds": "more --seconds"}
    less = "" if "outcome" in run.algorithm else ", or -a mccfr-outcome, whose walks are short"
    raise OptionError(
        f"not even one batch of {work.batch:,} walks {why[run.stopped]}: give a smaller --batch, "
        f"{more[run.stopped]}{less}"
    )


def say_rounded(run: Run | SimulatedRun, asked: int | None) -> None:
    """Print a note if the iterations were rounded up to whole epochs."""
    work = run.sampled
    if work is None or asked is None or run.stopped != "iterations":
        return
    if not 0 < run.iterations - asked < work.batch * work.workers:  # a resumed run may be beyond
        return
    each = "" if work.workers == 1 else f" for each of {work.workers:,} workers"
    messages().print(
        f"{asked:,} iterations were rounded up to {run.iterations:,}, whole batches of "
        f"{work.batch:,}{each}; see --batch",
        soft_wrap=True,
    )


def too_large(game: Game, memory: int | None) -> bool:
    """Whether a game should be sampled without compiling: one with a native simulator if it has
    more than LARGEST_TREE histories, any other if its tree clearly does not fit into memory."""
    from fogtree.tree import clearly_too_large

    simulator = game.simulator()
    if simulator is not None:
        return simulator.histories(LARGEST_TREE + 1) > LARGEST_TREE
    return clearly_too_large(game, memory)


def check_simulated(
    delivery: Delivery, until: float | None, every: int | None, precision: str | None = None
) -> None:
    """Raise an error if an option was given that needs the compiled game."""
    if until is not None:
        raise OptionError("exploitability needs the compiled game: leave out --until")
    if every is not None:
        raise OptionError("exploitability needs the compiled game: leave out --every")
    if precision not in (None, "float64"):
        raise OptionError(f"tables of games that are not compiled are float64, not {precision}")
    if delivery.plot is not None or delivery.rounding is not None:
        raise OptionError("drawing or rounding a strategy needs the compiled game")
    if delivery.output is not None and format_of(delivery.output) is not Format.npz:
        raise OptionError(
            "writing a strategy as text needs the compiled game; leave out .json or .csv"
        )


class TableLine:
    """The progress of sampling without compiling, as one line on standard error: iterations, nodes
    per second, information sets, memory. It is drawn only on a terminal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.first: Pulse | None = None
        self.status: Status | None = None

    def __enter__(self) -> TableLine:
        console = messages()
        if console.is_terminal:
            self.status = console.status(self.name)
            self.status.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.status is not None:
            self.status.stop()

    def pulse(self, now: Pulse) -> None:
        """Update the line with the work done so far."""
        if self.status is None:
            return
        first = self.first = self.first or now
        since = now.seconds - first.seconds
        pace = (now.nodes - first.nodes) / since if since > 0 else 0.0
        parts = [
            (4, self.name),
            (0, f"iteration {now.iteration:,}"),
            (2, f"{_in_millions(pace)} nodes/s"),
            (3, f"{now.infosets:,} information sets"),
            (1, amount(now.bytes)),
        ]
        self.status.update(line_within(parts, messages().width - 4))


def _in_millions(number: float) -> str:
    """A number to few digits: ``3.1 M``, or ``450,000`` below a million."""
    return f"{number / 1e6:.1f} M" if number >= 1e6 else rounded(number)


def work_rows(work: SampledWork, seconds: float) -> list[tuple[str, str]]:
    """The rows about sampling, each a name and a text, in the table of a run that took so many
    ``seconds``."""
    pace = f"{_in_millions(work.nodes / seconds)} per second" if seconds > 0 else "at once"
    kind = "Ray worker" if work.backend == "ray" else "thread"
    parts = [f"seed {work.seed}", f"{work.workers} {kind}{'s' if work.workers > 1 else ''}"]
    parts.append(f"batches of {work.batch:,}")
    parts += [f"{name.replace('_', ' ')} {value:g}" for name, value in work.constants.items()]
    return [
        ("nodes", f"{work.nodes:,}   ({pace})"),
        ("information sets", f"{work.infosets:,} seen; tables take {amount(work.bytes)}"),
        ("sampling", ", ".join(parts)),
    ]


def deliver_simulated(run: SimulatedRun, delivery: Delivery) -> None:
    """Print the result of a run on a game that is not compiled, and write its strategy. If a signal
    ended the run, exit with the signal's status."""
    check_begun(run)
    if delivery.json:
        print_json(_document(run))
    else:
        _show(run)
    if delivery.output is not None:
        run.strategy().save(delivery.output)
        if not delivery.json:
            output().print(f"strategy written to {delivery.output}")
    warn_of_delay(run)
    end_early(run)
    if run.stopped == "memory":
        messages().print(_memory_note(run), soft_wrap=True)


def _memory_note(run: SimulatedRun) -> str:
    """A sentence about a run that stopped because its memory is full, and how to continue it."""
    from fogtree.solvers.simulated import TABLE_SHARE

    allowed = run.solver.allowed
    where = "; the run was not saved (--save FOLDER)"
    if run.folder is not None:
        where = f"; go on with more:  fogtree resume {run.folder} --memory SIZE"
    return (
        f"stopped at iteration {run.iterations:,}: the memory allowed is full. Of "
        f"{amount(allowed)}, {amount(int(allowed * TABLE_SHARE))} are for the tables, the rest for "
        f"copies while they are saved; they have {amount(run.sampled.bytes)}, and the next batch "
        f"might double them{where}"
    )


def _document(run: SimulatedRun) -> dict[str, Any]:
    """The result of a run on a game that is not compiled, as a JSON document."""
    return {
        "game": run.game,
        "algorithm": run.algorithm,
        "abstraction": run.abstraction,
        "iterations": run.iterations,
        "exploitability": None,
        "seconds": run.seconds,
        "stopped": run.stopped,
        "folder": run.folder,
        "sampled": asdict(run.sampled),
    }


def _show(run: SimulatedRun) -> None:
    """Print the result of a run on a game that is not compiled."""
    from rich.text import Text

    from fogtree.terminal.number_table import facts_table

    table = facts_table()
    walked = "from its native simulator" if run.solver.native else "walked in Python, not compiled"
    table.add_row(Text("game", style="bold"), f"{run.game}, {walked}")
    table.add_row("algorithm", f"{run.algorithm}, float64")
    if run.abstraction is not None:
        table.add_row("abstraction", run.abstraction)
    table.add_row("iterations", f"{run.iterations:,}   in {duration(run.seconds)}")
    for row in work_rows(run.sampled, run.seconds):
        table.add_row(*row)
    table.add_row("exploitability", "not measured: that needs the compiled game")
    output().print(table)
    if run.folder is not None:
        output().print(f"run saved in {run.folder}")
