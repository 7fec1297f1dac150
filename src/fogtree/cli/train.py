"""``fogtree train``: train networks on a game by Deep CFR; save and resume the run."""

from __future__ import annotations

import shlex
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fogtree.cli import sampling
from fogtree.system.user_code import user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import messages, output, print_json
from fogtree.terminal.inputs import find_game
from fogtree.terminal.outcome import ENDED_EARLY, end_at_once, to_the_end

if TYPE_CHECKING:
    from fogtree.deep.report import TrainingRun


_REASONS = {
    "seconds": "; its time was up",
    "interrupted": "; interrupted",
    "terminated": "; terminated",
}


class DeviceName(StrEnum):
    cpu = "cpu"
    gpu = "gpu"


def train(
    game: options.GameArgument,
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Training options, a TOML file. Default: the game's own."
        ),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option("--save", metavar="FOLDER", help="Folder of the run. Default: GAME-training"),
    ] = None,
    device: Annotated[
        DeviceName, typer.Option(help="Device that fits networks and, by default, runs them.")
    ] = DeviceName.cpu,
    workers: Annotated[
        int,
        typer.Option(
            min=1,
            max=options.MOST_THREADS,
            help="Threads for walks; with a GPU, best two fewer than cores.",
        ),
    ] = 1,
    backend: sampling.Backend = sampling.BackendName.threads,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the run in the folder.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Train networks on a game. Ctrl-C saves the run; --resume continues it exactly."""
    from fogtree.cli.training_display import TrainingDisplay
    from fogtree.deep.config import read_options
    from fogtree.deep.train import train as run_training

    loaded = find_game(game)
    folder = folder or Path(f"{loaded.short_name or 'game'}-training")
    options.check_folder(folder)
    given = None if config is None else read_options(config, loaded)
    try:
        with user_game_errors(game), TrainingDisplay(str(loaded), folder) as display:
            run = to_the_end(
                partial(
                    run_training,
                    loaded,
                    given,
                    folder=folder,
                    device=device.value,
                    workers=workers,
                    backend=backend.value,
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
        go_on = f"fogtree train {shlex.quote(game)} --save {shlex.quote(str(folder))} --resume"
        messages().print(f"Saved in {folder}. Go on with\n  {go_on}", soft_wrap=True)
        raise typer.Exit(ENDED_EARLY[run.stopped])


def _document(run: TrainingRun) -> dict[str, Any]:
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
