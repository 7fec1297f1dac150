"""``solve`` and ``resume``: run an algorithm until it is good enough, and lose nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

from fogtree.errors import OptionError
from fogtree.evaluate import exploitability as exact_exploitability
from fogtree.game import Game
from fogtree.solvers.driving import (
    SAVE_EVERY_SECONDS,
    Beside,
    Every,
    Limits,
    Pulse,
    interruptible,
    next_step,
)
from fogtree.solvers.recipes import Averaging, Recipe, recipe
from fogtree.solvers.run import (
    Check,
    Progress,
    Run,
    SampledWork,
    Stopped,
    compiled_manifest,
    fingerprint,
    load_manifest,
    load_state,
    save_run,
)
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.saved import check_new, recipe_options, saved_recipe, saved_sampling
from fogtree.solvers.tabular import Precision, TabularSolver
from fogtree.solvers.trainers import Backend, end_workers
from fogtree.strategy import Strategy
from fogtree.system.folder_lock import locked
from fogtree.system.termination import Terminated
from fogtree.tree import GameTree, compile

Watcher = Callable[[Check], None]
Solver = TabularSolver | SampledSolver
Watch = Callable[[SampledSolver], None]


def solve(
    game: Game | GameTree | str,
    algorithm: str | Recipe = "cfr+",
    *,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    every: Every | None = None,
    alternating: bool | None = None,
    averaging: Averaging | None = None,
    delay: int | None = None,
    precision: Precision | None = None,
    threads: int = 1,
    workers: int | None = None,
    seed: int = 0,
    batch: int | None = None,
    backend: Backend = "threads",
    memory: int | None = None,
    save: str | Path | None = None,
    progress: Watcher | None = None,
    pulse: Pulse | None = None,
    watch: Watch | None = None,
) -> Run:
    """Runs ``algorithm`` until it reaches ``iterations``, exploitability ``until`` or ``seconds``;
    if no limit is given, for 1,000 iterations.

    The answer is measured every ``every`` iterations (default: at 1, 2, 5, 10, 20, 50, ...) and at
    the end; ``every`` may also be a function from an iteration to the next one to measure at.
    Ctrl-C ends the run early and loses nothing; SIGTERM does the same and then ends the process, by
    raising :class:`~fogtree.system.termination.Terminated`. With ``save`` the run is kept in that
    folder from its first moment, and :func:`resume` goes on from it. ``progress`` is called with
    every measurement, ``pulse`` many times a second with the iteration and the solving time.

    ``workers`` (default: ``threads``), ``seed``, ``batch`` and ``backend`` are for the sampled
    algorithms; see :class:`~fogtree.solvers.sampled.SampledSolver`, which ``watch`` is called with
    before every pulse. ``memory`` bounds compiling and the sampled tables, in bytes. Numbers are
    ``float64``, in sampled algorithms ``float32``, if ``precision`` does not say otherwise.

    >>> import fogtree
    >>> run = fogtree.solve("kuhn_poker", "cfr+", until=1e-4)
    >>> run.stopped, run.exploitability <= 1e-4
    ('until', True)
    """
    row = recipe(algorithm, alternating=alternating, averaging=averaging, delay=delay)
    limits = Limits.of_new_run(iterations, until, seconds, every)
    limits.check_delay(row)
    check_new(save, row)
    if save is not None and callable(every):
        raise OptionError("a run with a schedule of your own cannot be saved")
    tree = game if isinstance(game, GameTree) else compile(game, memory=memory)
    solver = make_solver(
        tree,
        row,
        memory=memory,
        precision=precision,
        threads=threads if workers is None else workers,
        seed=seed,
        batch=batch,
        backend=backend,
    )
    folder = Path(save) if save is not None else None
    with locked(folder):
        return _drive(
            solver, limits, Progress(), folder, watcher=progress, pulse=pulse, watch=watch
        )


def make_solver(
    tree: GameTree,
    row: Recipe,
    *,
    precision: Precision | None,
    threads: int,
    seed: int,
    batch: int | None,
    backend: Backend,
    memory: int | None = None,
) -> Solver:
    """The solver that a recipe asks for."""
    if row.sampler is None:
        if backend != "threads":
            raise OptionError(f"'{row.name}' samples nothing: backend is for the mccfr algorithms")
        return TabularSolver(tree, row, precision=precision or "float64", threads=threads)
    return SampledSolver(
        tree,
        row,
        precision=precision or "float32",
        workers=threads,
        seed=seed,
        batch=batch,
        backend=backend,
        memory=memory,
    )


def resume(
    folder: str | Path,
    *,
    game: Game | GameTree | None = None,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    every: Every | None = None,
    progress: Watcher | None = None,
    pulse: Pulse | None = None,
    watch: Watch | None = None,
) -> Run:
    """Goes on with a saved run exactly as if it had never stopped.

    ``iterations`` and ``seconds`` count from the run's beginning; if no limit is given, those of
    the saved run hold. ``game`` is needed only for games that fogtree cannot find by name.

    >>> import fogtree, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = fogtree.solve("kuhn_poker", iterations=100, save=f"{folder}/run")
    ...     fogtree.resume(run.folder, iterations=200).iterations
    200
    """
    folder = Path(folder)
    load_manifest(folder)  # where there is no run there is nothing to lock
    with locked(folder):
        manifest = load_manifest(folder)
        goal = manifest["goal"]
        if iterations is None and until is None and seconds is None:
            iterations, until, seconds = goal["iterations"], goal["until"], goal["seconds"]
        limits = Limits(iterations, until, seconds, goal["every"] if every is None else every)
        solver, so_far = _restored(folder, manifest, game)
        return _drive(solver, limits, so_far, folder, watcher=progress, pulse=pulse, watch=watch)


def saved_strategy(folder: str | Path, *, game: Game | GameTree | None = None) -> Strategy:
    """The answer of a saved run, as it stands; nothing is solved or written."""
    folder = Path(folder)
    manifest = compiled_manifest(folder)
    if "sampling" in manifest:  # looking at it takes no workers elsewhere
        manifest["sampling"] = {**manifest["sampling"], "backend": "threads"}
    solver, _ = _restored(folder, manifest, game)
    return solver.strategy()


def _restored(
    folder: Path, manifest: dict[str, Any], game: Game | GameTree | None
) -> tuple[Solver, Progress]:
    """A solver that stands where the saved run stood."""
    row = saved_recipe(folder, manifest)
    if game is None:
        from fogtree.registry import load_game  # noqa: PLC0415 - games are many, and imported when used

        game = load_game(manifest["game"])
    tree = game if isinstance(game, GameTree) else compile(game)
    if fingerprint(tree) != manifest["fingerprint"]:
        made = manifest["game"]
        if tree.game != made:
            raise OptionError(f"'{folder}' is a run of '{made}', and not of '{tree.game}'")
        raise OptionError(f"'{folder}' was made with other rules of '{made}' than there are now")
    solver = make_solver(
        tree,
        row,
        precision=manifest["precision"],
        threads=manifest["threads"],
        **saved_sampling(folder, manifest),
    )
    state, so_far = load_state(folder, manifest)
    solver.restore(state)
    return solver, so_far


def _drive(
    solver: Solver,
    limits: Limits,
    progress: Progress,
    folder: Path | None,
    *,
    watcher: Watcher | None,
    pulse: Pulse | None,
    watch: Watch | None,
) -> Run:
    options: dict[str, Any] = {
        **recipe_options(solver.recipe),
        "precision": solver.precision,
        "threads": solver.threads,
        "goal": limits.goal(),
    }
    if isinstance(solver, SampledSolver):
        options["sampling"] = {
            "seed": solver.schedule.seed,
            "batch": solver.schedule.batch,
            "backend": solver.backend,
        }

    def save() -> float:
        if folder is not None:
            save_run(folder, solver.tree, options, solver.state(), progress)
        return monotonic()

    step = 1
    limits.check_delay(solver.recipe)
    with interruptible() as asked, Beside(asked) as beside:
        saved = save()  # at once: a folder that cannot be written is found before the work is done
        while True:
            stopped = limits.stopped(solver.iteration, progress, asked())
            if stopped is not None:
                break
            due = limits.next_check(solver.iteration)
            ends = due if limits.iterations is None else min(due, limits.iterations)
            count = min(step, ends - solver.iteration)
            start = perf_counter()
            if isinstance(solver, SampledSolver):
                beside.run(partial(solver.run, count), limits.seconds_left(progress))
            else:
                solver.run(count)
            took = perf_counter() - start
            progress.seconds += took
            step = next_step(step, count, took)
            if watch is not None and isinstance(solver, SampledSolver):
                watch(solver)
            if pulse is not None:
                pulse(solver.iteration, progress.seconds)
            if solver.iteration >= due:  # sampling goes in whole epochs
                _measure(solver, progress, watcher)
            if monotonic() - saved > SAVE_EVERY_SECONDS:
                saved = save()
        if not progress.curve or progress.curve[-1].iteration != solver.iteration:
            _measure(solver, progress, watcher)
        save()
    if isinstance(solver, SampledSolver):
        end_workers(solver.trainer)
    run = _finish(solver, progress, stopped, folder)
    if stopped == "terminated":
        raise Terminated(run)
    return run


def _measure(solver: Solver, progress: Progress, watcher: Watcher | None) -> None:
    start = perf_counter()
    result = solver.evaluate()
    progress.check_seconds += perf_counter() - start
    nodes = solver.nodes if isinstance(solver, SampledSolver) else 0
    check = Check(solver.iteration, progress.seconds, result.exploitability, result.value, nodes)
    progress.curve.append(check)
    if watcher is not None:
        watcher(check)


def _finish(solver: Solver, progress: Progress, stopped: Stopped, folder: Path | None) -> Run:
    strategy = solver.strategy()
    exact = exact_exploitability(solver.tree, strategy)
    return Run(
        game=solver.tree.game,
        algorithm=solver.recipe.name,
        recipe=solver.recipe,
        iterations=solver.iteration,
        exploitability=exact.exploitability,
        nash_conv=exact.nash_conv,
        value=exact.value,
        strategy=strategy,
        curve=tuple(progress.curve),
        seconds=progress.seconds,
        check_seconds=progress.check_seconds,
        compile_seconds=solver.tree.seconds,
        stopped=stopped,
        precision=solver.precision,
        threads=solver.threads,
        folder=folder,
        sampled=sampled_work(solver) if isinstance(solver, SampledSolver) else None,
    )


def sampled_work(solver: SampledSolver) -> SampledWork:
    schedule = solver.schedule
    return SampledWork(
        nodes=solver.nodes,
        infosets=solver.infosets,
        bytes=solver.bytes,
        workers=schedule.workers,
        batch=schedule.batch,
        seed=schedule.seed,
        backend=solver.backend,
        constants={} if solver.recipe.sampler is None else solver.recipe.sampler.constants(),
    )
