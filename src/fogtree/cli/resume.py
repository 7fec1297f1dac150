"""``fogtree resume``: go on with a saved run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import fogtree
from fogtree.cli import options
from fogtree.cli.console import messages
from fogtree.cli.progress import Meter, SolveBar
from fogtree.cli.report import Delivery, deliver
from fogtree.cli.sources import compile_game, compile_named


def resume(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", show_default=False, help="Where the run was saved.")
    ],
    *,
    iterations: options.Iterations = None,
    until: options.Until = None,
    seconds: options.Seconds = None,
    every: options.Every = None,
    game: options.GameOption = None,
    output: options.Output = None,
    plot: options.Plot = None,
    digits: options.Digits = 3,
    rounding: options.Rounding = None,
    json: options.Json = False,
) -> None:
    """Go on with a saved run, exactly as if it had never stopped.

    Limits count from the run's beginning; without any, those it was started with hold.
    """
    from fogtree.solvers.run import load_manifest

    delivery = Delivery(json, output, plot, digits, rounding)
    delivery.check()
    options.check_folder(folder)
    manifest = load_manifest(folder)
    tree = compile_game(game) if game else compile_named(manifest["game"], folder)
    limits = iterations, until, seconds
    if limits == (None, None, None):
        goal = manifest["goal"]
        limits = goal["iterations"], goal["until"], goal["seconds"]
    base = manifest["iteration"], float(manifest["seconds"])
    name = f"{tree.game} {manifest['algorithm']}"
    with SolveBar(name, Meter(*limits), tree.players, base) as bar:
        run = fogtree.resume(
            folder,
            game=tree,
            iterations=iterations,
            until=until,
            seconds=seconds,
            every=every,
            progress=bar.check,
            pulse=bar.pulse,
        )
    if run.iterations == base[0]:
        messages().print("the run was already there: give --iterations, --until or --seconds")
    deliver(run, tree, delivery)
