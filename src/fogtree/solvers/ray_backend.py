"""Workers in other processes or on other machines, by Ray.

The learner is an ordinary native trainer in this process. Every worker holds one too and keeps it
equal to the learner's by adding the same changes. An epoch ends when all workers' changes have
arrived; they are added in the order of the workers, each once. A worker that dies, or whose
changes are lost on their way, is replaced by one that starts from the learner's table and makes the
batch again; its random numbers depend on seed, epoch and worker alone, so the result is the same.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fogtree import _core
from fogtree.errors import FogtreeError, MissingExtraError
from fogtree.system.cores import cores

if TYPE_CHECKING:
    from fogtree.solvers.trainers import SimulatorDescription, TreeDescription

try:
    ray: Any = import_module("ray")
except ImportError as error:
    raise MissingExtraError("ray", "ray") from error

RECOVERABLE_ERRORS = (
    ray.exceptions.RayActorError,
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.OutOfMemoryError,  # Ray ended the worker, because its machine was full
    ray.exceptions.ObjectLostError,  # also if its owner died, or if it could not be fetched
)
"""Errors after which a new worker repeats the lost work."""
LOOK_SECONDS = 0.1
MOST_REPLACEMENTS = 100
"""Replacements of one worker in one epoch; beyond that the work itself kills the workers."""


class _Worker:
    """A trainer in another process, which makes one worker's walks.

    ``start`` is the learner's table, or the changes that all workers made in the last epoch."""

    def __init__(self, description: TreeDescription | SimulatorDescription) -> None:
        self.trainer = description.build()

    def sample(self, worker: int, epoch: int, start: dict[str, Any] | list[dict[str, Any]]) -> Any:
        """The changes of one worker's batch in an epoch, after bringing the trainer up to date with
        ``start``."""
        if isinstance(start, dict):
            self.trainer.restore(start)
        elif self.trainer.epoch < epoch:
            self.trainer.merge(start)
        return self.trainer.sample(worker)

    def limit(self, bytes_: int) -> None:
        """Bound the memory of the worker's table."""
        self.trainer.limit(bytes_)

    def process(self) -> int:
        """The number of the worker's process."""
        return os.getpid()


class RayTrainer:
    """A :class:`~fogtree.solvers.trainers.Trainer` whose walks are made by Ray workers."""

    def __init__(self, description: TreeDescription | SimulatorDescription) -> None:
        """Build the learner in this process and connect to the cluster; workers are started when
        first used."""
        self._learner = description.build()
        self._count = description.schedule.workers
        connect(self._count)
        self._description = ray.put(description)
        # The workers and the learner, if they share this machine's memory.
        self._local_tables = self._count + 1 if _is_local_cluster() else 1
        self._limit: int | None = None
        self._fresh = [True] * self._count
        self._workers: list[Any] = []
        self._last: Any = None  # the changes of all workers in the last epoch
        self.replaced = 0

    def _new_worker(self) -> Any:
        """Start a worker process that makes its trainer from the description."""
        # A cluster started here is for this run: its workers need not wait for free processors.
        share = 1 if os.environ.get("RAY_ADDRESS") else 0
        kind = ray.remote(_Worker).options(num_cpus=share, max_restarts=0)
        worker = kind.remote(self._description)
        if self._limit is not None:
            worker.limit.remote(self._limit)
        return worker

    @property
    def epoch(self) -> int:
        """Epochs done so far."""
        return self._learner.epoch

    @property
    def nodes(self) -> int:
        """Nodes that all workers have visited so far."""
        return self._learner.nodes

    @property
    def infosets(self) -> int:
        """The number of information sets in the learner's table."""
        return self._learner.infosets

    @property
    def bytes(self) -> int:
        """Bytes of all tables on a single machine; on a cluster, of the learner's table."""
        return self._learner.bytes * self._local_tables

    def processes(self) -> list[int]:
        """The workers' process IDs, for tests that kill one; starts the workers if needed."""
        self._start_workers()

        def ask(number: int) -> Any:
            """Ask a worker for its process ID; the answer is a Ray reference."""
            return self._workers[number].process.remote()

        pending = [ask(number) for number in range(self._count)]
        return [int(self._result(number, pending[number], ask)) for number in range(self._count)]

    def contents(self) -> dict[str, Any]:
        """The learner's table as arrays, to be saved."""
        return self._learner.contents()

    def restore(self, contents: dict[str, Any]) -> None:
        """Continue from saved contents; every worker is sent the whole table before its next
        epoch."""
        self._learner.restore(contents)
        self._fresh = [True] * self._count

    def limit(self, bytes: int) -> None:
        """Bound the tables' memory: in total on a single machine, per process on a cluster."""
        self._limit = bytes // self._local_tables
        for worker in self._workers:
            worker.limit.remote(self._limit)
        self._learner.limit(self._limit)

    def _start_workers(self) -> None:
        """Start the worker processes at the first use."""
        if not self._workers:
            self._workers = [self._new_worker() for _ in range(self._count)]
            self._fresh = [True] * self._count

    def run(self, epochs: int, stop: _core.Stop | None = None) -> int:
        """Run epochs: all workers make their batches, whose changes are then merged. Returns the
        number of epochs done."""
        self._start_workers()
        for done in range(epochs):
            if stop is not None and stop.requested:
                return done
            pending = [self._start_batch(number) for number in range(self._count)]
            changes = []
            for number in range(self._count):
                change = self._finish_batch(number, pending[number], stop)
                if change is None:
                    self.close()
                    return done
                changes.append(change)
            self._learner.merge(changes)
            self._last = ray.put(changes)
        return epochs

    def _start_batch(self, number: int) -> Any:
        """Start a worker's batch; a new worker gets the whole table, others the last changes."""
        fresh = self._fresh[number] or self._last is None
        start = ray.put(self._learner.contents()) if fresh else self._last
        return self._workers[number].sample.remote(number, self._learner.epoch, start)

    def _finish_batch(
        self, number: int, pending: Any, stop: _core.Stop | None
    ) -> dict[str, Any] | None:
        """Wait for a worker's batch and return its changes; None if a stop was requested."""
        try:
            change: dict[str, Any] | None = self._result(number, pending, self._start_batch, stop)
        except _core.OutOfMemory as error:
            raise _core.OutOfMemory(*error.args) from None  # without the worker's traceback
        self._fresh[number] = self._fresh[number] and change is None
        return change

    def _result(
        self, number: int, pending: Any, ask: Callable[[int], Any], stop: _core.Stop | None = None
    ) -> Any:
        """The result of a call ``pending`` of a worker; if it is lost, a new worker repeats the
        call by ``ask(number)``. None if a stop was requested."""
        for _ in range(MOST_REPLACEMENTS):
            try:
                while not ray.wait([pending], timeout=LOOK_SECONDS)[0]:
                    if stop is not None and stop.requested:
                        return None
                return ray.get(pending)
            except RECOVERABLE_ERRORS:
                self._replace(number)
                pending = ask(number)
        raise FogtreeError(f"worker {number} died {MOST_REPLACEMENTS} times in one epoch; stopped")

    def _replace(self, number: int) -> None:
        """Start another worker in place of one that was lost."""
        ray.kill(self._workers[number])  # it may be alive, with only its result lost
        self._workers[number] = self._new_worker()
        self._fresh[number] = True
        self.replaced += 1

    def close(self) -> None:
        """End the workers; another :meth:`run` starts new ones. The cluster stays."""
        for worker in self._workers:
            ray.kill(worker)
        self._workers = []


def _is_local_cluster() -> bool:
    """Whether the cluster is this machine alone."""
    machines = {node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
    return machines == {ray.util.get_node_ip_address()}


def connect(workers: int) -> None:
    """Connect to the cluster that ``RAY_ADDRESS`` names, or start one on this machine."""
    if ray.is_initialized():
        return
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if os.environ.get("RAY_ADDRESS"):
        ray.init(**quiet)
    else:
        ray.init(num_cpus=max(workers, cores()), include_dashboard=False, **quiet)
