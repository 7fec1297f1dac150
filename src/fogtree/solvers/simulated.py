"""Monte Carlo regret minimization on a native simulator, for games too large to be compiled.

Information sets are met as they come and kept in a growing table by the hash of what their player
remembers. The run stops cleanly when the memory allowed is full; the last epoch, which did not fit,
is as if it had never been, so that the run can go on where there is more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from fogtree import _core
from fogtree.errors import FileFormatError, OptionError
from fogtree.game import Game
from fogtree.solvers.driving import (
    SAVE_EVERY_SECONDS,
    Beside,
    Limits,
    interruptible,
    next_step,
)
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.run import (
    Progress,
    SampledWork,
    Stopped,
    load_manifest,
    load_state,
    save_run,
)
from fogtree.solvers.saved import check_new, recipe_options, saved_recipe, saved_sampling
from fogtree.solvers.trainers import (
    TABLE_BATCH,
    Backend,
    Schedule,
    SimulatorDescription,
    end_workers,
    start_trainer,
)
from fogtree.strategy.hashed import HashedStrategy
from fogtree.system.folder_lock import locked
from fogtree.system.memory import usual_memory
from fogtree.system.termination import Terminated

TABLE_SHARE = 0.3
"""Of the memory allowed: the rest is for copies while the table is written to disk or read back."""

_ARRAYS = ("keys", "counts", "regret", "average", "baseline")


@dataclass(frozen=True, slots=True)
class SimulatedRun:
    """A finished (or interrupted, or full) run on a native simulator."""

    game: str
    algorithm: str
    recipe: Recipe
    iterations: int
    seconds: float
    stopped: Stopped
    work: SampledWork
    abstraction: str | None
    solver: SimulatedSolver = field(repr=False)
    folder: Path | None = None

    def strategy(self) -> HashedStrategy:
        """The answer; as large as the table, so made when asked for."""
        return self.solver.strategy()


class SimulatedSolver:
    """Any ``mccfr`` recipe on any game that has a native simulator.

    ``abstraction`` is one of the game's: what it forgets is merged, the table stays small, and
    there is no guarantee of convergence any more.
    ``memory`` is in bytes, for the table and all copies of it; if nothing is said, it is four
    fifths of what is free. Python and its libraries, some 100 MB, are not counted. See
    :class:`~fogtree.solvers.sampled.SampledSolver` for the rest.
    """

    def __init__(
        self,
        game: Game,
        algorithm: str | Recipe = "mccfr-external",
        *,
        abstraction: str | None = None,
        workers: int = 1,
        seed: int = 0,
        batch: int | None = None,
        backend: Backend = "threads",
        memory: int | None = None,
    ) -> None:
        self.game = game
        self.recipe = recipe(algorithm)
        self.schedule = Schedule(TABLE_BATCH if batch is None else batch, workers, seed)
        self.backend: Backend = backend
        self.memory = memory
        self.abstraction = abstraction
        description = SimulatorDescription(self.recipe, self.schedule, game, abstraction)
        self.trainer = start_trainer(description, backend)
        self._limit()

    def _limit(self) -> None:
        self.allowed = usual_memory() if self.memory is None else self.memory
        try:
            self.trainer.limit(int(self.allowed * TABLE_SHARE))
        except _core.OutOfMemory as error:
            if self.memory is None:
                return  # what is there may stay; it will not grow
            raise OptionError(
                f"{self.memory:,} bytes of memory are too few: the table alone has "
                f"{self.trainer.bytes:,}"
            ) from error

    @property
    def iteration(self) -> int:
        return self.trainer.epoch * self.schedule.iterations

    def run(self, iterations: int, stop: _core.Stop | None = None) -> bool:
        """Whole epochs; ``False`` if the memory was full before all of them were done.

        Asked to ``stop``, it drops the epoch that it is in.
        """
        if iterations < 0:
            raise OptionError(f"iterations must be at least 0, not {iterations}")
        try:
            self.trainer.run(-(-iterations // self.schedule.iterations), stop)
        except _core.OutOfMemory:
            return False
        return True

    def strategy(self) -> HashedStrategy:
        contents = self.trainer.contents()
        counts, weights = contents["counts"], contents["average"]
        if self.recipe.averaging == "last":
            weights = np.maximum(contents["regret"], 0.0)
        owner = np.repeat(np.arange(len(counts)), counts)
        totals = np.bincount(owner, weights=weights, minlength=len(counts))[owner]
        shares = np.where(totals > 0, weights / np.where(totals > 0, totals, 1), 1 / counts[owner])
        return HashedStrategy.of(self.game, self.abstraction, contents["keys"], counts, shares)

    def state(self) -> dict[str, Any]:
        return {"iteration": self.iteration, **self.trainer.contents()}

    def restore(self, state: dict[str, Any]) -> None:
        try:
            self.trainer.restore(state)
        except (ValueError, TypeError, KeyError, RuntimeError) as error:
            raise FileFormatError(f"the saved state does not fit {self.game}") from error
        self._limit()

    def work(self) -> SampledWork:
        return SampledWork(
            nodes=self.trainer.nodes,
            infosets=self.trainer.infosets,
            bytes=self.trainer.bytes,
            workers=self.schedule.workers,
            batch=self.schedule.batch,
            seed=self.schedule.seed,
            backend=self.backend,
            constants={} if self.recipe.sampler is None else self.recipe.sampler.constants(),
        )


def simulate(
    game: Game,
    algorithm: str | Recipe = "mccfr-external",
    *,
    abstraction: str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    seed: int = 0,
    batch: int | None = None,
    backend: Backend = "threads",
    memory: int | None = None,
    save: str | Path | None = None,
    pulse: Callable[[SimulatedSolver, float], None] | None = None,
) -> SimulatedRun:
    """Trains until ``iterations``, ``seconds`` or the ``memory`` allowed, in bytes, is reached; if
    neither of the first two is given, for 1,000 iterations.

    With ``save`` the run is kept in that folder and :func:`resume_simulated` goes on from it.
    """
    row, limits = recipe(algorithm), Limits.of_new_run(iterations, None, seconds, None)
    limits.check_delay(row)
    check_new(save, row)
    solver = SimulatedSolver(
        game,
        row,
        abstraction=abstraction,
        workers=workers,
        seed=seed,
        batch=batch,
        backend=backend,
        memory=memory,
    )
    folder = None if save is None else Path(save)
    with locked(folder):
        return _drive(solver, limits, Progress(), folder, pulse)


def resume_simulated(
    folder: str | Path,
    *,
    game: Game | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    pulse: Callable[[SimulatedSolver, float], None] | None = None,
) -> SimulatedRun:
    """Goes on exactly as if the run had never stopped; limits count from its beginning."""
    folder = Path(folder)
    load_manifest(folder)  # where there is no run there is nothing to lock
    with locked(folder):
        solver, limits, so_far = _restored(folder, game, iterations, seconds, memory)
        return _drive(solver, limits, so_far, folder, pulse)


def _restored(
    folder: Path,
    game: Game | None,
    iterations: int | None,
    seconds: float | None,
    memory: int | None,
) -> tuple[SimulatedSolver, Limits, Progress]:
    """A solver that stands where the saved run stood."""
    manifest = load_manifest(folder)
    if iterations is None and seconds is None:
        iterations, seconds = manifest["goal"]["iterations"], manifest["goal"]["seconds"]
    if game is None:
        from fogtree.registry import load_game  # noqa: PLC0415 - imported when used

        game = load_game(manifest["game"])
    solver = SimulatedSolver(
        game,
        saved_recipe(folder, manifest),
        abstraction=manifest.get("abstraction"),
        workers=manifest["threads"],
        memory=manifest["goal"].get("memory") if memory is None else memory,
        **saved_sampling(folder, manifest),
    )
    state, so_far = load_state(folder, manifest, _ARRAYS)
    solver.restore(state)
    return solver, Limits(iterations, None, seconds, None), so_far


def _drive(
    solver: SimulatedSolver,
    limits: Limits,
    progress: Progress,
    folder: Path | None,
    pulse: Callable[[SimulatedSolver, float], None] | None,
) -> SimulatedRun:
    def save() -> float:
        if folder is not None:
            save_run(folder, str(solver.game), _manifest(solver, limits), solver.state(), progress)
        return monotonic()

    step = 1
    limits.check_delay(solver.recipe)
    stopped: Stopped | None = None
    with interruptible() as asked, Beside(asked) as beside:
        saved = save()
        while True:
            stopped = stopped or limits.stopped(solver.iteration, progress, asked())
            if stopped is not None:
                break
            left = None if limits.iterations is None else limits.iterations - solver.iteration
            count = step if left is None else min(step, left)
            start = perf_counter()
            fitted = beside.run(partial(solver.run, count), limits.seconds_left(progress))
            took = perf_counter() - start
            progress.seconds += took
            stopped = None if fitted else "memory"
            step = next_step(step, count, took)
            if pulse is not None:
                pulse(solver, progress.seconds)
            if monotonic() - saved > SAVE_EVERY_SECONDS:
                saved = save()
        save()
    end_workers(solver.trainer)
    run = SimulatedRun(
        game=str(solver.game),
        algorithm=solver.recipe.name,
        recipe=solver.recipe,
        iterations=solver.iteration,
        seconds=progress.seconds,
        stopped=stopped,
        work=solver.work(),
        abstraction=solver.abstraction,
        solver=solver,
        folder=folder,
    )
    if stopped == "terminated":
        raise Terminated(run)
    return run


def _manifest(solver: SimulatedSolver, limits: Limits) -> dict[str, Any]:
    schedule = solver.schedule
    return {
        **recipe_options(solver.recipe),
        "precision": "float64",
        "threads": schedule.workers,
        "table": True,
        "abstraction": solver.abstraction,
        "goal": {**limits.goal(), "memory": solver.memory},
        "sampling": {
            "seed": schedule.seed,
            "batch": schedule.batch,
            "backend": solver.backend,
        },
    }
