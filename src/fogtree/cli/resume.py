"""``fogtree resume``: go on with a saved run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import fogtree
from fogtree.cli import sampling
from fogtree.cli.report import Delivery, deliver
from fogtree.runs.progress import Pulse
from fogtree.terminal import options
from fogtree.terminal.console import messages
from fogtree.terminal.inputs import compile_game, compile_named, find_game
from fogtree.terminal.outcome import ENDED_EARLY, to_the_end
from fogtree.terminal.progress import Meter, SolveBar


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
    json: options.Json = False,
) -> None:
    """Go on with a saved run, exactly as if it had never stopped.

    Limits count from the run's beginning; without any, those it was started with hold.
    """
    from fogtree.solvers.folder import SolverFolder
    from fogtree.solvers.simulated import resume_simulated

    delivery = Delivery(json, output, plot, digits, rounding)
    delivery.check()
    manifest = SolverFolder(folder).manifest()
    options.check_folder(folder)
    if manifest.table:
        sampling.check_simulated(delivery, until, every)
        with sampling.TableLine(f"{manifest.game} {manifest.algorithm}") as line:
            found = to_the_end(
                partial(
                    resume_simulated,
                    folder,
                    game=find_game(game) if game else None,
                    iterations=iterations,
                    seconds=seconds,
                    memory=sampling.read_memory(memory),
                    pulse=line.pulse,
                )
            )
        sampling.deliver_simulated(found, delivery)
        sampling.say_rounded(found, iterations)
        return
    tree = compile_game(game) if game else compile_named(manifest.game, folder)
    limits = manifest.goal.limits(iterations, until, seconds)
    base = Pulse(manifest.iteration, manifest.seconds)
    meter = Meter(limits.iterations, limits.until, limits.seconds)
    with SolveBar(f"{tree.game} {manifest.algorithm}", meter, tree.players, base) as bar:
        run = to_the_end(
            partial(
                fogtree.resume,
                folder,
                game=tree,
                iterations=iterations,
                until=until,
                seconds=seconds,
                every=every,
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
    sampling.say_rounded(run, iterations)
