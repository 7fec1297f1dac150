"""Monte Carlo regret minimization without compiling, for games too large for it.

A game with a native simulator is walked by that, any other game in Python through its protocol.

Information sets are added to a growing table when they are first visited, under a hash of what
their player has seen. When the allowed memory is full, the run drops the epoch that did not fit and
stops; it can be resumed with more memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import asdict, replace

from fogtree import _core
from fogtree.errors import OptionError
from fogtree.game.checks import checked_players
from fogtree.runs.limits import Limits, Stopped, never
from fogtree.runs.loop import finished
from fogtree.runs.manifest import Goal
from fogtree.runs.progress import Progress
from fogtree.solvers.folder import SolverFolder
from fogtree.solvers.manifest import SolverManifest, new_manifest
from fogtree.solvers.recipes import Recipe, recipe
from fogtree.solvers.run import SampledWork
from fogtree.solvers.solve import check_run
from fogtree.solvers.task import Pulses, SavedRun, run_solver
from fogtree.solvers.trainers import (
    Backend,
    SamplingSolver,
    Schedule,
    SimulatorDescription,
    check_players,
    table_batch,
)
from fogtree.strategy.hashed import HashedStrategy
from fogtree.strategy.mixes import mixes_of
from fogtree.system.memory import usual_memory
from fogtree.text.amounts import duration
from fogtree.tree import AnyGame, game_of

TABLE_SHARE = 0.3
"""Share of the allowed memory that the table may take; the rest is for copies of it while it is
written to disk or read back."""

_ARRAYS = ("keys", "counts", "regret", "average", "baseline")


@dataclass(frozen=True, slots=True)
class SimulatedRun:
    """A finished (or interrupted, or full) run on a game that was not compiled."""

    game: str
    algorithm: str
    recipe: Recipe
    iterations: int
    seconds: float
    stopped: Stopped
    sampled: SampledWork
    abstraction: str | None
    solver: SimulatedSolver
    folder: Path | None = None

    def __repr__(self) -> str:
        return (
            f"<SimulatedRun {self.game}, {self.algorithm}: {self.iterations:,} iterations in "
            f"{duration(self.seconds)}, {self.sampled.infosets:,} information sets>"
        )

    def strategy(self) -> HashedStrategy:
        """The strategy that the run found; made on request, because it is as large as the table."""
        return self.solver.strategy()


class SimulatedSolver(SamplingSolver):
    """Any ``mccfr`` recipe on any game, which is not compiled.

    ``abstraction`` is one of the game's: information sets that it does not distinguish are
    merged, so the table stays small, but convergence is no longer guaranteed. ``memory`` is in
    bytes, for the table and all copies of it (default: four fifths of free memory); Python and its
    libraries, some 100 MB, are not counted. ``native`` says whether a native simulator walks the
    game; else its states are walked in Python. See
    :class:`~fogtree.solvers.sampled.SampledSolver` for the rest.
    """

    precision = "float64"

    def __init__(
        self,
        game: AnyGame,
        algorithm: str | Recipe = "mccfr-external",
        *,
        abstraction: str | None = None,
        workers: int = 1,
        seed: int = 0,
        batch: int | None = None,
        backend: Backend = "threads",
        memory: int | None = None,
    ) -> None:
        game, row = game_of(game), recipe(algorithm)
        self.game, self.abstraction, self.memory = game, abstraction, memory
        check_players(str(game), checked_players(game))
        self.native = game.simulator() is not None
        if batch is None:
            kind = "" if row.sampler is None else row.sampler.kind
            batch = table_batch(kind, native=self.native)
        schedule = Schedule(batch, workers, seed)
        description = SimulatorDescription(row, schedule, game, abstraction)
        super().__init__(str(game), description, backend)
        self._limit()

    def _limit(self) -> None:
        """Bound the table's memory; the default bound does not apply to a larger saved table."""
        self.allowed = usual_memory() if self.memory is None else self.memory
        try:
            self.trainer.limit(int(self.allowed * TABLE_SHARE))
        except _core.OutOfMemory as error:
            if self.memory is None:
                return  # a resumed table may exceed the limit, but will not grow
            raise OptionError(
                f"{self.memory:,} bytes of memory are too few: the table alone has "
                f"{self.trainer.bytes:,}"
            ) from error

    def strategy(self) -> HashedStrategy:
        """The answer so far: the average strategy, or the last iterate if the recipe says so."""
        contents = self.trainer.contents()
        counts, weights = contents["counts"], contents["average"]
        if self.recipe.averaging == "last":
            weights = np.maximum(contents["regret"], 0.0)
        shares = mixes_of(weights, counts)
        return HashedStrategy.of(self.game, self.abstraction, contents["keys"], counts, shares)

    def state(self) -> dict[str, Any]:
        """Everything needed to continue exactly."""
        return {"iteration": self.iteration, **self.trainer.contents()}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what :meth:`state` returned."""
        super().restore(state)
        self._limit()


def simulate(
    game: AnyGame,
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
    pulse: Pulses | None = None,
) -> SimulatedRun:
    """Sample any game without compiling it: by its native simulator, or in Python.

    It stops after ``iterations``, ``seconds`` or when the allowed ``memory``, in bytes, is used; if
    neither of the first two is given, after 1,000 iterations. With ``save`` the run is kept in that
    folder and :func:`resume_simulated` continues it.

    >>> import fogtree
    >>> run = fogtree.simulate("cambia", "mccfr-outcome", iterations=100)
    >>> len(run.strategy()) == run.sampled.infosets
    True
    """
    row, limits = recipe(algorithm), Limits.for_new_run(iterations, seconds=seconds)
    check_run(row, limits, save)
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
    return simulate_new(solver, limits, save=save, pulse=pulse)


def simulate_new(
    solver: SimulatedSolver,
    limits: Limits,
    *,
    save: str | Path | None = None,
    pulse: Pulses | None = None,
) -> SimulatedRun:
    """:func:`simulate` with a new solver, and with limits that ``check_run`` has accepted."""
    if save is None:
        return _run(solver, limits, Progress(), None, pulse)
    folder = SolverFolder(save)
    with folder.lock_new():
        saved = SavedRun(folder, _manifest(solver, limits))
        return _run(solver, limits, Progress(), saved, pulse)


def resume_simulated(
    folder: str | Path,
    *,
    game: AnyGame | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    pulse: Pulses | None = None,
) -> SimulatedRun:
    """Continue a saved run of :func:`simulate` exactly as if it had never stopped.

    ``iterations`` and ``seconds`` count from the run's beginning; if neither is given, those of
    the saved run hold. ``memory``, in bytes, replaces the saved run's. ``game`` is needed only for
    games that fogtree cannot find by name. ``pulse`` is called after every step with what the run
    has done so far.

    >>> import fogtree, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = fogtree.simulate("cambia", "mccfr-outcome", iterations=100, save=f"{folder}/run")
    ...     fogtree.resume_simulated(run.folder, iterations=200).iterations >= 200
    True
    """
    place = SolverFolder(folder)
    with place.lock_saved():
        manifest = place.manifest()
        limits = manifest.goal.limits(iterations, None, seconds)
        solver, so_far = _restored(place, manifest, game, memory)
        solver.recipe.check_delay(limits.iterations)
        place.clear(manifest)
        saved = SavedRun(place, replace(manifest, goal=Goal.of(limits, solver.memory)))
        return _run(solver, limits, so_far, saved, pulse)


def _restored(
    place: SolverFolder, manifest: SolverManifest, game: AnyGame | None, memory: int | None
) -> tuple[SimulatedSolver, Progress]:
    """A solver in the state of the saved run, and the run's progress."""
    sampling = asdict(manifest.sampling) if manifest.sampling else {}
    solver = SimulatedSolver(
        manifest.game if game is None else game,
        manifest.recipe(place.path),
        abstraction=manifest.abstraction or None,
        workers=manifest.threads,
        memory=(manifest.goal.memory or None) if memory is None else memory,
        **sampling,
    )
    state, progress = place.load_state(manifest, _ARRAYS)
    solver.restore(state)
    return solver, progress


def _manifest(solver: SimulatedSolver, limits: Limits) -> SolverManifest:
    """The manifest of a new run of this solver."""
    return new_manifest(
        str(solver.game),
        solver.recipe,
        Goal.of(limits, solver.memory),
        precision=solver.precision,
        threads=solver.threads,
        sampling=solver.sampling(),
        table=True,
        abstraction=solver.abstraction,
    )


def _run(
    solver: SimulatedSolver,
    limits: Limits,
    progress: Progress,
    saved: SavedRun | None,
    pulse: Pulses | None,
) -> SimulatedRun:
    """Run the solver until a limit is reached, and return the result; raise
    :class:`~fogtree.system.termination.Terminated` with it if SIGTERM ended the run."""
    # The exploitability of a game that is not compiled cannot be measured.
    unmeasured = Limits(iterations=limits.iterations, seconds=limits.seconds, every=never)
    stopped = run_solver(solver, unmeasured, progress, saved, pulse=pulse)
    run = SimulatedRun(
        game=str(solver.game),
        algorithm=solver.recipe.name,
        recipe=solver.recipe,
        iterations=solver.iteration,
        seconds=progress.seconds,
        stopped=stopped,
        sampled=solver.work(),
        abstraction=solver.abstraction,
        solver=solver,
        folder=None if saved is None else saved.folder.path,
    )
    return finished(run)
