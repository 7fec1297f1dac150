"""``fogtree resume``: go on with a saved run of a solver or of training."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import fogtree
from fogtree.cli import sampling
from fogtree.cli import train as training
from fogtree.cli.report import Delivery, deliver
from fogtree.errors import OptionError
from fogtree.registry import load_game
from fogtree.runs.progress import Pulse
from fogtree.system.user_code import prints_to_stderr, user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import messages
from fogtree.terminal.inputs import compile_game, compile_named, find_named_game
from fogtree.terminal.outcome import ENDED_EARLY, to_the_end
from fogtree.terminal.progress import Meter, SolveBar

if TYPE_CHECKING:
    from fogtree.solvers.manifest import SolverManifest


def resume(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", show_default=False, help="The folder of the run.")
    ],
    *,
    iterations: options.Iterations = None,
    until: options.Until = None,
    seconds: options.Seconds = None,
    every: options.Every = None,
    game: options.GameOption = None,
    memory: sampling.Memory = None,
    output: options.Output = None,
    plot: options.Plot = None,
    digits: options.Digits = 3,
    rounding: options.Rounding = None,
    config: training.Config = None,
    device: Annotated[
        training.DeviceName | None,
        typer.Option(help="Device to continue on.", show_default="solve: as before; train: cpu"),
    ] = None,
    workers: training.Workers = 1,
    backend: sampling.Backend = sampling.BackendName.threads,
    json: options.Json = False,
) -> None:
    """Go on with a saved run of solve or train, exactly as if it had never stopped.

    Limits count from the run's beginning; without any, those it was started with hold.
    """
    from fogtree.runs.folder import kind_of_run
    from fogtree.solvers.folder import SolverFolder

    delivery = Delivery(json, output, plot, digits, rounding)
    delivery.check()
    machine = training.Machine(device or training.DeviceName.cpu, workers, backend)
    if kind_of_run(folder) == "training":
        _refuse("training", until=until, every=every, memory=memory, output=output, plot=plot)
        options.check_folder(folder)
        training.resume_training(
            folder, game, config, machine, iterations=iterations, seconds=seconds, json=json
        )
        return
    manifest = SolverFolder(folder).manifest()
    if replace(machine, device=training.DeviceName.cpu) != training.Machine() or config is not None:
        raise OptionError("--config, --workers and --backend are for training runs")
    if device is not None and (manifest.table or manifest.sampling):
        raise OptionError("a sampled run has no --device")
    options.check_folder(folder)
    if manifest.table:
        sampling.check_simulated(delivery, until, every)
        _resume_simulated(
            folder, manifest, game, delivery, iterations=iterations, seconds=seconds, memory=memory
        )
    else:
        limits = {"iterations": iterations, "until": until, "seconds": seconds, "every": every}
        given = limits | {"device": device and device.value}
        _resume_compiled(folder, manifest, game, delivery, given)


def _refuse(kind: str, **given: Any) -> None:
    """Raise an error if an option was given (is not None) that this kind of run does not have."""
    for name, value in given.items():
        if value is not None:
            raise OptionError(f"a {kind} run has no --{name}")


def _resume_simulated(
    folder: Path,
    manifest: SolverManifest,
    game: str | None,
    delivery: Delivery,
    *,
    iterations: int | None,
    seconds: float | None,
    memory: str | None,
) -> None:
    """Go on with a run on a game that is not compiled."""
    from fogtree.solvers.simulated import resume_simulated

    spec = game or manifest.game
    loaded = load_game(game) if game else find_named_game(manifest.game, folder)
    with (
        user_game_errors(spec),
        prints_to_stderr(),
        sampling.TableLine(f"{manifest.game} {manifest.algorithm}") as line,
    ):
        found = to_the_end(
            partial(
                resume_simulated,
                folder,
                game=loaded,
                iterations=iterations,
                seconds=seconds,
                memory=sampling.read_memory(memory),
                pulse=line.pulse,
            )
        )
    sampling.deliver_simulated(found, delivery)
    sampling.say_rounded(found, iterations)


def _resume_compiled(
    folder: Path,
    manifest: SolverManifest,
    game: str | None,
    delivery: Delivery,
    given: dict[str, Any],
) -> None:
    """Go on with a run on a compiled game. ``given`` are the limits and the device of the command
    line, None where an option was not given."""
    tree = compile_game(game) if game else compile_named(manifest.game, folder)
    goal = manifest.goal.limits(given["iterations"], given["until"], given["seconds"])
    base = Pulse(manifest.iteration, manifest.seconds)
    meter = Meter(goal.iterations, goal.until, goal.seconds)
    with SolveBar(f"{tree.game} {manifest.algorithm}", meter, tree.players, base) as bar:
        run = to_the_end(
            partial(
                fogtree.resume,
                folder,
                game=tree,
                **given,
                progress=bar.check,
                pulse=bar.pulse,
            )
        )
    if run.iterations == base.iteration and run.stopped not in ENDED_EARLY:
        messages().print(
            f"nothing to do: at iteration {run.iterations:,} the run has met its limits already; "
            "give larger --iterations or --seconds, or a smaller --until",
            soft_wrap=True,
        )
    deliver(run, tree, delivery)
    sampling.say_rounded(run, given["iterations"])
