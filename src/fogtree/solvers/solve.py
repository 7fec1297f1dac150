"""``solve`` and ``resume``: run an algorithm on a compiled game until it is good enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from fogtree.errors import OptionError
from fogtree.evaluate import exploitability as exact_exploitability
from fogtree.runs.limits import Every, Limits
from fogtree.runs.loop import finished
from fogtree.runs.manifest import Goal
from fogtree.runs.progress import Progress
from fogtree.solvers.accelerated.choice import check_device, choose_device
from fogtree.solvers.folder import SolverFolder
from fogtree.solvers.manifest import SolverManifest, fingerprint, new_manifest
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.run import Run
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.tabular import TabularSolver
from fogtree.solvers.task import Pulses, SavedRun, Watcher, run_solver
from fogtree.solvers.trainers import Backend
from fogtree.strategy import Strategy
from fogtree.text.choices import Averaging, Device, Precision
from fogtree.tree import AnyGame, GameTree, compile, compile_to_solve

Solver = TabularSolver | SampledSolver
_ARRAYS = ("strategy", "average")


def solve(
    game: AnyGame,
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
    device: Device | None = None,
    workers: int | None = None,
    seed: int = 0,
    batch: int | None = None,
    backend: Backend = "threads",
    memory: int | None = None,
    save: str | Path | None = None,
    progress: Watcher | None = None,
    pulse: Pulses | None = None,
) -> Run:
    """Run ``algorithm`` until it reaches ``iterations``, exploitability ``until`` or ``seconds``;
    if no limit is given, for 1,000 iterations.

    The answer is measured every ``every`` iterations (default: at 1, 2, 5, 10, 20, 50, ...) and at
    the end; ``every`` may also be a function from an iteration to the next one to measure at.
    Ctrl-C ends the run early with the answer so far; SIGTERM does the same and then ends the
    process, by raising :class:`~fogtree.system.termination.Terminated`. With ``save`` the run is
    kept in that folder from its start, and :func:`resume` continues it. ``progress`` is called with
    every measurement, ``pulse`` many times a second with the iteration and the work so far.

    ``device`` is ``cpu`` or ``gpu``: an NVIDIA GPU, with CuPy, for two players and the algorithms
    based on regret matching. By default it is ``gpu`` for large games if there is one and
    ``threads`` is 1.

    ``workers`` (default: ``threads``), ``seed``, ``batch`` and ``backend`` are for the sampled
    algorithms; see :class:`~fogtree.solvers.sampled.SampledSolver`. ``memory`` bounds compiling and
    the sampled tables, in bytes. Numbers are ``float64``, in sampled algorithms ``float32``, unless
    ``precision`` says otherwise.

    >>> import fogtree
    >>> run = fogtree.solve("kuhn_poker", "cfr+", until=1e-4)
    >>> run.stopped, run.exploitability <= 1e-4
    ('until', True)
    """
    row = recipe(algorithm, alternating=alternating, averaging=averaging, delay=delay)
    limits = Limits.for_new_run(iterations, until, seconds, every)
    check_run(row, limits, save)
    compiler = compile if row.sampler is not None else compile_to_solve
    solver = make_solver(
        compiler(game, memory=memory),
        row,
        precision=precision,
        threads=threads if workers is None else workers,
        device=device,
        seed=seed,
        batch=batch,
        backend=backend,
        memory=memory,
    )
    return run_new(solver, limits, save=save, progress=progress, pulse=pulse)


def check_run(row: Recipe, limits: Limits, save: str | Path | None) -> None:
    """Refuse impossible options of a run before any work begins."""
    row.check_delay(limits.iterations)
    if save is None:
        return
    SolverFolder(save).check_new()
    if not isinstance(row.minimizer, str):
        raise OptionError(f"a run with a minimizer of your own ('{row.name}') cannot be saved")
    if callable(limits.every):
        raise OptionError("a run with a schedule of your own cannot be saved")


def run_new(
    solver: Solver,
    limits: Limits,
    *,
    save: str | Path | None = None,
    progress: Watcher | None = None,
    pulse: Pulses | None = None,
) -> Run:
    """:func:`solve` with a new solver, and with limits that :func:`check_run` has accepted."""
    if save is None:
        return _run(solver, limits, Progress(), None, watcher=progress, pulse=pulse)
    folder = SolverFolder(save)
    with folder.lock_new():
        saved = SavedRun(folder, _manifest(solver, limits))
        return _run(solver, limits, Progress(), saved, watcher=progress, pulse=pulse)


def resume(
    folder: str | Path,
    *,
    game: AnyGame | None = None,
    device: Device | None = None,
    iterations: int | None = None,
    until: float | None = None,
    seconds: float | None = None,
    every: Every | None = None,
    progress: Watcher | None = None,
    pulse: Pulses | None = None,
) -> Run:
    """Continue a saved run exactly as if it had never stopped.

    ``iterations`` and ``seconds`` count from the run's beginning; if no limit is given, those of
    the saved run hold. ``game`` is needed only for games that fogtree cannot find by name, and
    ``device`` to continue on another one; there the result may differ by rounding.

    >>> import fogtree, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = fogtree.solve("kuhn_poker", iterations=100, save=f"{folder}/run")
    ...     fogtree.resume(run.folder, iterations=200).iterations
    200
    """
    place = SolverFolder(folder)
    with place.lock_saved():
        manifest = place.compiled_manifest()
        limits = manifest.goal.limits(iterations, until, seconds, every)
        manifest = replace(manifest, device=device or manifest.device)
        solver, so_far = _restored(place, manifest, game)
        solver.recipe.check_delay(limits.iterations)
        place.clear(manifest)
        saved = SavedRun(place, replace(manifest, goal=Goal.of(limits)))
        return _run(solver, limits, so_far, saved, watcher=progress, pulse=pulse)


def saved_strategy(folder: Path, tree: GameTree) -> Strategy:
    """The strategy of a saved run as it is now; nothing is solved or written."""
    place = SolverFolder(folder)
    manifest = replace(place.compiled_manifest(), device="cpu")
    if manifest.sampling:  # reading the strategy takes no workers elsewhere
        manifest.sampling.backend = "threads"
    solver, _ = _restored(place, manifest, tree)
    return solver.strategy()


def make_solver(
    tree: GameTree,
    row: Recipe,
    *,
    precision: Precision | None = None,
    threads: int = 1,
    device: Device | None = None,
    seed: int = 0,
    batch: int | None = None,
    backend: Backend = "threads",
    memory: int | None = None,
) -> Solver:
    """A sampled solver if the recipe samples, else a tabular one."""
    if row.sampler is None:
        if backend != "threads":
            raise OptionError(f"'{row.name}' samples nothing: backend is for the mccfr algorithms")
        check_device(device, row, tree.players)
        chosen = choose_device(device, row, tree, threads)
        return TabularSolver(
            tree, row, precision=precision or "float64", threads=threads, device=chosen
        )
    check_device(device, row, tree.players)
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


def _restored(
    place: SolverFolder, manifest: SolverManifest, game: AnyGame | None
) -> tuple[Solver, Progress]:
    """A solver in the state of the saved run, and the run's progress."""
    row = manifest.recipe(place.path)
    tree = compile(manifest.game if game is None else game)
    if fingerprint(tree) != manifest.fingerprint:
        if tree.game != manifest.game:
            raise OptionError(
                f"'{place.path}' is a run of '{manifest.game}', and not of '{tree.game}'"
            )
        raise OptionError(
            f"'{place.path}' was made with other rules of '{manifest.game}' than there are now"
        )
    sampling = asdict(manifest.sampling) if manifest.sampling else {}
    solver = make_solver(
        tree,
        row,
        precision=manifest.precision,
        threads=manifest.threads,
        device=manifest.device,
        **sampling,
    )
    expected = sum(value.nbytes for value in solver.state().values() if hasattr(value, "nbytes"))
    state, progress = place.load_state(manifest, _ARRAYS, expected)
    solver.restore(state)
    return solver, progress


def _manifest(solver: Solver, limits: Limits) -> SolverManifest:
    """The manifest of a new run of this solver."""
    return new_manifest(
        solver.tree,
        solver.recipe,
        Goal.of(limits),
        precision=solver.precision,
        threads=solver.threads,
        device=_device(solver),
        sampling=solver.sampling() if isinstance(solver, SampledSolver) else UNSET,
    )


def _device(solver: Solver) -> Device:
    """The device that a solver computes on."""
    return solver.device if isinstance(solver, TabularSolver) else "cpu"


def _run(
    solver: Solver,
    limits: Limits,
    so_far: Progress,
    saved: SavedRun | None,
    **watching: Any,
) -> Run:
    """Run the solver until a limit is reached, measure its strategy, and make the result;
    :class:`~fogtree.system.termination.Terminated` with it if SIGTERM ended the run."""
    stopped = run_solver(solver, limits, so_far, saved, **watching)
    strategy = solver.strategy()
    exact = exact_exploitability(solver.tree, strategy)
    run = Run(
        game=solver.tree.game,
        algorithm=solver.recipe.name,
        recipe=solver.recipe,
        iterations=solver.iteration,
        exploitability=exact.exploitability,
        nash_conv=exact.nash_conv,
        value=exact.value,
        values=exact.values,
        strategy=strategy,
        curve=tuple(so_far.curve),
        seconds=so_far.seconds,
        check_seconds=so_far.check_seconds,
        compile_seconds=solver.tree.seconds,
        stopped=stopped,
        precision=solver.precision,
        threads=solver.threads,
        device=_device(solver),
        folder=None if saved is None else saved.folder.path,
        sampled=solver.work() if isinstance(solver, SampledSolver) else None,
    )
    return finished(run)
