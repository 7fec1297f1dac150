"""``train``: networks trained on a game, from options to a finished run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from fogtree.deep.blas import one_thread_each
from fogtree.deep.checkpoint import TrainingFolder
from fogtree.deep.config import (
    RUN_OPTIONS_KEPT,
    SECTIONS_KEPT,
    TrainingOptions,
    TraversalOptions,
    default_options,
    options_from,
)
from fogtree.deep.engine import EngineName, PreparedGame, prepare
from fogtree.deep.fitting import Backend, NumpyBackend
from fogtree.deep.methods import trainer_class
from fogtree.deep.report import Activity, Report, TrainingRun
from fogtree.deep.support import support_for
from fogtree.deep.training_task import TrainingTask
from fogtree.deep.win_rates import check_baselines
from fogtree.errors import OptionError, require
from fogtree.runs.loop import finished
from fogtree.runs.worker_thread import WorkerThread
from fogtree.system.device_errors import device_errors
from fogtree.text.choices import Device
from fogtree.tree import AnyGame, GameTree, game_of

__all__ = ["Activity", "Device", "Report", "TrainingRun", "WorkerBackend", "train"]

WorkerBackend = Literal["threads", "ray"]
"""Where walks are made: in threads, or in processes of a Ray cluster."""


def make_backend(device: Device, threads: int) -> Backend:
    """The backend that fits networks: NumPy with ``threads`` threads on a CPU, JAX on an
    accelerator."""
    if device == "cpu":
        return NumpyBackend(threads)
    if device != "gpu":
        raise OptionError(f"device must be cpu or gpu, not {device}")
    from fogtree.deep.jax_backend import JaxBackend  # noqa: PLC0415 - an optional dependency

    return JaxBackend()


@device_errors()
def train(
    game: AnyGame,
    options: TrainingOptions | Mapping[str, Any] | None = None,
    *,
    folder: str | Path | None = None,
    device: Device = "cpu",
    workers: int = 1,
    backend: WorkerBackend = "threads",
    resume: bool = False,
    engine: EngineName = "native",
    watch: Callable[[Report], None] | None = None,
    pulse: Callable[[Activity], None] | None = None,
) -> TrainingRun:
    """Train networks on a game; in a ``folder`` the run is saved and can be resumed exactly.

    ``options`` are an object or nested tables, as a TOML file has them; what tables do not name is
    the game's default, or as it was when a run is resumed. Given options may change how long a
    resumed run goes on. ``watch`` is called after every iteration, ``pulse`` several times a
    second.

    Ctrl-C ends the run after the iteration, a second one at once, by ``KeyboardInterrupt``, with
    the last save unchanged. SIGTERM does the same and then ends the process, by raising
    :class:`~fogtree.system.termination.Terminated`.

    >>> import fogtree
    >>> quick = {"steps": 10, "batch": 64}
    >>> tables = {"run": {"iterations": 2}, "regret": quick, "average": quick}
    >>> fogtree.train("kuhn_poker", tables).iterations
    2
    """
    given, game = game, game_of(game)
    run_folder = None if folder is None else TrainingFolder(folder)
    with ExitStack() as held:  # the lock, until the worker thread has it
        lock = None
        if resume:
            if run_folder is None:
                raise OptionError("resuming needs the run's folder")
            lock = held.enter_context(run_folder.lock_saved())
            options = resumed_options(run_folder, str(game), options)
        else:
            options = _chosen(options, default_options(game, compiled=_compiled(given, options)))
            if run_folder is not None:
                run_folder.check_new()
        check_baselines(game, support_for(game), options.evaluation.baselines)
        if options.run.tensorboard and run_folder is not None:
            import_module("fogtree.deep.tensorboard")  # a missing package is an early error
        prepared = _prepared(
            given, options, engine=engine, device=device, backend=backend, workers=workers
        )
        fits = make_backend(device, workers)
        if run_folder is not None and lock is None:
            lock = held.enter_context(run_folder.lock_new())
        held.pop_all()
    try:
        with WorkerThread(lock.release if lock else None) as worker, one_thread_each():
            path = run_folder.path if run_folder else None
            trainer = trainer_class(options)(prepared, options, fits, path)
            task = TrainingTask(
                trainer, run_folder, worker, watch=watch, pulse=pulse, workers=workers
            )
            if resume:
                task.load()
            run = task.run()
    finally:
        close = getattr(prepared.engine, "close", None)
        if close is not None:
            close()
    return finished(run)


def _prepared(
    game: AnyGame,
    options: TrainingOptions,
    *,
    engine: EngineName,
    device: Device,
    backend: WorkerBackend,
    workers: int,
) -> PreparedGame:
    """The game with the engine that the arguments of :func:`train` ask for."""
    own, values = options.network.encoding == "auto", options.needs_value
    prepared = prepare(
        game,
        own_features=own,
        engine=engine,
        threads=workers,
        values=values,
        compiled=options.run.compiled,
    )
    if prepared.by_protocol and (device != "cpu" or options.traversal.inference == "device"):
        raise OptionError(f"{prepared.game} is not compiled: it is trained on the processor only")
    if backend == "ray":
        return _on_ray(prepared, workers, own_features=own)
    inference = options.traversal.inference
    on_device = inference == "device" or (inference == "auto" and device == "gpu")
    if engine == "native" and on_device:
        return _on_device(prepared, workers, options.traversal, accelerator=device == "gpu")
    return prepared


def _on_device(
    prepared: PreparedGame, threads: int, options: TraversalOptions, *, accelerator: bool
) -> PreparedGame:
    """The prepared game with an engine whose networks run on a device."""
    from fogtree.deep.accelerator import AcceleratorEngine  # noqa: PLC0415 - an optional dependency

    engine = AcceleratorEngine(
        prepared.engine.game,
        threads,
        prepared.tree,
        accelerator=accelerator,
        groups=options.device_groups,
        batch=options.device_batch,
        precision=options.precision,
    )
    return replace(prepared, engine=engine)


def _on_ray(prepared: PreparedGame, workers: int, *, own_features: bool) -> PreparedGame:
    """The game with an engine that walks in Ray workers."""
    from fogtree.deep.ray_engine import RayEngine  # noqa: PLC0415 - an optional dependency

    return replace(prepared, engine=RayEngine(prepared, workers, own_features=own_features))


def _compiled(game: AnyGame, given: TrainingOptions | Mapping[str, Any] | None) -> bool | None:
    """Whether the game is compiled, as far as the game or given options say so."""
    if isinstance(game, GameTree):
        return True
    if isinstance(given, TrainingOptions):
        return given.run.compiled
    return said_compiled(given) if isinstance(given, Mapping) else None


def said_compiled(tables: Mapping[str, Any]) -> bool | None:
    """Whether the game is compiled, if tables of options say so."""
    run = tables.get("run")
    said = run.get("compiled") if isinstance(run, Mapping) else None
    return said if isinstance(said, bool) else None


def _chosen(
    given: TrainingOptions | Mapping[str, Any] | None, defaults: TrainingOptions
) -> TrainingOptions:
    """The options that were given: an object is taken as it is, tables are read with ``defaults``
    for what they do not name."""
    if given is None or isinstance(given, Mapping):
        return options_from(given or {}, defaults)
    require(given, TrainingOptions, "a TrainingOptions or nested tables")
    return given


def resumed_options(
    folder: TrainingFolder, game: str, given: TrainingOptions | Mapping[str, Any] | None
) -> TrainingOptions:
    """The options of a resumed run: the saved ones, or given ones, which must be equal to those
    wherever a change would change the course of the training."""
    manifest = folder.manifest()
    if manifest.game != game:
        raise OptionError(f"'{folder.path}' holds a run of {manifest.game}, not of {game}")
    saved = manifest.options
    given = _chosen(given, saved)
    for section in SECTIONS_KEPT:
        if getattr(given, section) != getattr(saved, section):
            raise OptionError(f"[{section}] is not as it was when this run began")
    same = RUN_OPTIONS_KEPT
    if any(getattr(given.run, name) != getattr(saved.run, name) for name in same):
        raise OptionError(f"[run] {', '.join(same)} must be as they were when this run began")
    return given
