"""``fogtree solve``: run an algorithm on a game and show the answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import fogtree
from fogtree.cli import sampling
from fogtree.cli.report import Delivery, deliver
from fogtree.errors import OptionError
from fogtree.registry import load_game
from fogtree.system.user_code import prints_to_stderr, user_game_errors
from fogtree.terminal import options
from fogtree.terminal.console import output as standard_output
from fogtree.terminal.inputs import compile_game, find_algorithm
from fogtree.terminal.outcome import to_the_end
from fogtree.terminal.progress import Meter, SolveBar

if TYPE_CHECKING:
    from fogtree import Run
    from fogtree.runs.limits import Limits
    from fogtree.solvers.simulated import SimulatedRun, SimulatedSolver
    from fogtree.solvers.solve import Solver


def solve(
    game: options.GameArgument,
    *,
    algorithm: options.Algorithm = "cfr+",
    iterations: options.Iterations = None,
    until: options.Until = None,
    seconds: options.Seconds = None,
    every: options.Every = None,
    averaging: options.AveragingOption = None,
    alternating: Annotated[
        bool | None,
        typer.Option(
            "--alternating/--simultaneous",
            help="Update the players in turn or at the same time.",
            show_default="as the algorithm defines",
        ),
    ] = None,
    delay: Annotated[
        int | None,
        typer.Option(
            min=0,
            callback=options.at_most(options.MOST_ITERATIONS),
            help="Leave this many first iterates out of the average.",
        ),
    ] = None,
    precision: options.PrecisionOption = None,
    threads: options.Threads = 1,
    device: options.DeviceOption = None,
    workers: sampling.Workers = None,
    seed: sampling.Seed = None,
    batch: sampling.Batch = None,
    backend: sampling.Backend = sampling.BackendName.threads,
    memory: sampling.Memory = None,
    abstraction: sampling.Abstraction = None,
    no_compile: sampling.NoCompile = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Save the run in this folder, for 'fogtree resume'."),
    ] = None,
    output: options.Output = None,
    plot: options.Plot = None,
    digits: options.Digits = 3,
    rounding: options.Rounding = None,
    json: options.Json = False,
    **constants: float | None,
) -> None:
    """Solve a game until the first limit is reached, by default after 1,000 iterations.

    Ctrl-C or SIGTERM ends the run early with the answer so far; with --save nothing is lost.
    """
    from fogtree.runs.limits import Limits
    from fogtree.solvers.accelerated.choice import check_device
    from fogtree.solvers.simulated import SimulatedSolver
    from fogtree.solvers.solve import check_run, make_solver

    delivery = Delivery(json, output, plot, digits, rounding)
    delivery.check()
    options.check_folder(save)
    row = fogtree.recipe(
        find_algorithm(algorithm),
        alternating=alternating,
        averaging=averaging,
        delay=delay,
    )
    row = sampling.with_constants(row, **constants)
    limits = Limits.for_new_run(iterations, until, seconds, every)
    check_run(row, limits, save)
    check_device(device, row, players=2)  # before the game is compiled
    if abstraction is not None and row.sampler is None:
        raise OptionError(f"'{row.name}' knows no abstraction; choose one of the mccfr algorithms")
    if no_compile and row.sampler is None:
        raise OptionError(f"'{row.name}' needs the compiled game; --no-compile is for mccfr")
    common: dict[str, Any] = {
        "seed": seed or 0,
        "batch": batch,
        "backend": backend.value,
        "memory": sampling.read_memory(memory),
    }
    sampling.check_recipe(row, backend, seed=seed, batch=batch, workers=workers)
    if row.sampler is not None:
        large = load_game(game)
        with user_game_errors(game), prints_to_stderr():
            alone = no_compile or abstraction is not None
            sampled = alone or sampling.too_large(large, common["memory"])
        if sampled:
            sampling.check_simulated(delivery, until, every, precision)
            common |= {"abstraction": abstraction, "workers": workers or threads}
            with user_game_errors(game), prints_to_stderr():
                found = _simulated(SimulatedSolver(large, row, **common), limits, save)
            sampling.deliver_simulated(found, delivery)
            sampling.say_rounded(found, limits.iterations)
            return
    tree = compile_game(game, common["memory"], histories=row.sampler is not None)
    if not json:
        from fogtree.cli.tables import sizes_table

        standard_output().print(sizes_table(tree, tree.sizes()), "")
    common |= {"precision": precision, "threads": workers or threads, "device": device}
    with prints_to_stderr():
        solver = make_solver(tree, row, **common)
        run = _solved(solver, limits, save)
    deliver(run, tree, delivery)
    sampling.say_rounded(run, limits.iterations)


def _simulated(solver: SimulatedSolver, limits: Limits, save: Path | None) -> SimulatedRun:
    """Sample a game that is not compiled, with a line on standard error."""
    from fogtree.solvers.simulated import simulate_new

    with sampling.TableLine(f"{solver.game} {solver.recipe.name}") as line:
        return to_the_end(partial(simulate_new, solver, limits, save=save, pulse=line.pulse))


def _solved(solver: Solver, limits: Limits, save: Path | None) -> Run:
    """Solve a compiled game, with a bar on standard error."""
    from fogtree.solvers.solve import run_new

    tree, meter = solver.tree, Meter(limits.iterations, limits.until, limits.seconds)
    with SolveBar(f"{tree.game} {solver.recipe.name}", meter, tree.players) as bar:
        return to_the_end(
            partial(run_new, solver, limits, save=save, progress=bar.check, pulse=bar.pulse)
        )
