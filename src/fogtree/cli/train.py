"""``fogtree train``: train networks on a game by Deep CFR, in a run that can be resumed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.cli import sampling
from fogtree.system.user_code import is_user_code, user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.inputs import find_game, find_named_game
from fogtree.terminal.outcome import ENDED_EARLY, end_at_once, to_the_end

if TYPE_CHECKING:
    from fogtree.deep.config import TrainingOptions
    from fogtree.deep.report import TrainingRun
    from fogtree.game import Game


_REASONS = {
    "seconds": "; its time was up",
    "interrupted": "; interrupted",
    "terminated": "; terminated",
}


class DeviceName(StrEnum):
    cpu = "cpu"
    gpu = "gpu"


Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Training options, a TOML file. Default: the game's own."),
]
Device = Annotated[
    DeviceName, typer.Option(help="Device that fits networks and, by default, runs them.")
]
Workers = Annotated[
    int,
    typer.Option(
        min=1,
        max=options.MOST_THREADS,
        help="Threads for walks; with a GPU, best two fewer than cores.",
    ),
]


@dataclass(frozen=True)
class Machine:
    """What a training run computes on."""

    device: DeviceName = DeviceName.cpu
    workers: int = 1
    backend: sampling.BackendName = sampling.BackendName.threads


def train(
    game: options.GameArgument,
    *,
    config: Config = None,
    folder: Annotated[
        Path | None,
        typer.Option("--save", metavar="FOLDER", help="Folder of the run. Default: GAME-training"),
    ] = None,
    device: Device = DeviceName.cpu,
    workers: Workers = 1,
    backend: sampling.Backend = sampling.BackendName.threads,
    json: options.Json = False,
) -> None:
    """Train networks on a game. Ctrl-C saves the run; 'fogtree resume FOLDER' continues it."""
    from fogtree.deep.config import default_options, read_options

    loaded = find_game(game)
    folder = folder or Path(f"{loaded.short_name or 'game'}-training")
    options.check_folder(folder)
    given = None if config is None else read_options(config, default_options(loaded))
    machine = Machine(device, workers, backend)
    _run(loaded, game, given, folder, machine, resume=False, json=json)


def resume_training(
    folder: Path,
    game: str | None,
    config: Path | None,
    machine: Machine,
    *,
    iterations: int | None,
    seconds: float | None,
    json: bool,
) -> None:
    """Go on with a saved training run, for as long as the given limits say, else the saved ones."""
    from fogtree.deep.checkpoint import TrainingFolder
    from fogtree.deep.config import read_options

    manifest = TrainingFolder(folder).manifest()
    loaded = find_game(game) if game else find_named_game(manifest.game, folder)
    given = manifest.options if config is None else read_options(config, manifest.options)
    if iterations is not None:
        given = replace(given, run=replace(given.run, iterations=iterations))
    if seconds is not None:
        given = replace(given, run=replace(given.run, seconds=seconds))
    spec = game or manifest.game
    _run(loaded, spec, given, folder, machine, resume=True, json=json)


def _run(
    game: Game,
    spec: str,
    given: TrainingOptions | None,
    folder: Path,
    machine: Machine,
    *,
    resume: bool,
    json: bool,
) -> None:
    """Train in a folder, show the progress, and print the result."""
    from fogtree.cli.training_display import TrainingDisplay
    from fogtree.deep.train import train as run_training

    try:
        with user_game_errors(spec), TrainingDisplay(str(game), folder) as display:
            run = to_the_end(
                partial(
                    run_training,
                    game,
                    given,
                    folder=folder,
                    device=machine.device.value,
                    workers=machine.workers,
                    backend=machine.backend.value,
                    resume=resume,
                    watch=display.show,
                    pulse=display.pulse,
                )
            )
    except (KeyboardInterrupt, SystemExit) as end:  # without waiting for the iteration
        end_at_once(end)
    if json:
        print_json(_document(run))
    else:
        _print(run)
    if run.stopped in ENDED_EARLY:
        own = f" --game {shlex.quote(spec)}" if is_user_code(spec) else ""
        go_on = f"fogtree resume {shlex.quote(str(folder))}{own}"
        messages().print(f"Saved in {folder}. Go on with\n  {go_on}", soft_wrap=True)
        raise typer.Exit(ENDED_EARLY[run.stopped])


def _document(run: TrainingRun) -> dict[str, Any]:
    """The result of a training run as JSON."""
    return {
        "game": run.game,
        "iterations": run.iterations,
        "seconds": run.seconds,
        "nodes": run.nodes,
        "stopped": run.stopped,
        "exploitability": run.exploitability,
        "folder": run.folder,
        "reports": [report.line() for report in run.reports],
    }


def _print(run: TrainingRun) -> None:
    """Print the result of a training run."""
    from fogtree.text.amounts import duration

    console = output()
    console.print(
        f"{run.game}: {run.iterations:,} iterations, {run.nodes:,} nodes in "
        f"{duration(run.seconds)}{_REASONS.get(run.stopped, '')}"
    )
    if run.exploitability is not None:
        console.print(f"exploitability of the average strategy: {run.exploitability:.4g}")
    if run.reports:
        for name, rate in run.reports[-1].win_rates.items():
            console.print(f"against {name}: {rate.value:.3f} [{rate.low:.3f}, {rate.high:.3f}]")
    if run.folder is not None:
        console.print(f"The networks are in {run.folder / 'policy.npz'}.")
