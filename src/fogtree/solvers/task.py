"""A solver on the run loop."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from fogtree.runs.limits import Limits, Stopped
from fogtree.runs.loop import drive
from fogtree.runs.progress import Check, Progress, Pulse
from fogtree.runs.worker_thread import run_until
from fogtree.solvers.folder import SolverFolder
from fogtree.solvers.manifest import SolverManifest
from fogtree.solvers.sampled import SampledSolver
from fogtree.solvers.tabular import TabularSolver
from fogtree.solvers.trainers import SamplingSolver
from fogtree.system.termination import StopRequest, stop_requests

Watcher = Callable[[Check], None]
Pulses = Callable[[Pulse], None]


@dataclass(frozen=True, slots=True)
class SavedRun:
    """Where a run is saved, and the manifest that does not change while it goes on."""

    folder: SolverFolder
    manifest: SolverManifest


def run_solver(
    solver: TabularSolver | SamplingSolver,
    limits: Limits,
    progress: Progress,
    saved: SavedRun | None,
    *,
    watcher: Watcher | None = None,
    pulse: Pulses | None = None,
) -> Stopped:
    """Run a solver until a limit or a signal stops it, and return the reason. ``watcher`` is called
    with every measurement, ``pulse`` after every step; a run with ``saved`` is saved there."""
    with stop_requests() as asked, ThreadPoolExecutor(1) as threads:
        task = _SolverTask(solver, progress, saved, asked, threads, watcher, pulse)
        stopped = drive(task, limits, progress, asked)
        if not progress.curve or progress.curve[-1].iteration != solver.iteration:
            task.check()
        task.save()
    if isinstance(solver, SamplingSolver):
        solver.close()
    return stopped


@dataclass(frozen=True, slots=True)
class _SolverTask:
    """A solver as the task of a run. Sampled walks run in a thread, because one batch may take
    long."""

    solver: TabularSolver | SamplingSolver
    progress: Progress
    saved: SavedRun | None
    asked: StopRequest
    threads: ThreadPoolExecutor
    watcher: Watcher | None
    pulses: Pulses | None

    @property
    def iteration(self) -> int:
        """Iterations done so far."""
        return self.solver.iteration

    def advance(self, count: int, seconds: float | None) -> Stopped | None:
        """Run some iterations; returns ``memory`` if a sampled table is full."""
        if not isinstance(self.solver, SamplingSolver):
            self.solver.run(count)
            return None
        fits = run_until(self.threads, partial(self.solver.run, count), self.asked, seconds)
        return None if fits else "memory"

    def pulse(self) -> None:
        """Report the work done so far to the caller of the run."""
        if self.pulses is None:
            return
        solver, seconds = self.solver, self.progress.seconds
        if isinstance(solver, SamplingSolver):
            work = solver.nodes, solver.infosets, solver.bytes
            self.pulses(Pulse(solver.iteration, seconds, *work))
        else:
            self.pulses(Pulse(solver.iteration, seconds))

    def check(self) -> None:
        """Measure the answer's exploitability, if the game is compiled, and add it to the curve."""
        solver, progress = self.solver, self.progress
        if not isinstance(solver, TabularSolver | SampledSolver):
            return  # a game that is not compiled cannot be measured
        start = perf_counter()
        result = solver.evaluate()
        progress.check_seconds += perf_counter() - start
        nodes = solver.nodes if isinstance(solver, SampledSolver) else 0
        check = Check(
            solver.iteration, progress.seconds, result.exploitability, result.value, nodes
        )
        progress.curve.append(check)
        if self.watcher is not None:
            self.watcher(check)

    def save(self) -> None:
        """Save the state of the run in its folder, if it has one."""
        if self.saved is not None:
            self.saved.folder.save_state(self.saved.manifest, self.solver.state(), self.progress)
