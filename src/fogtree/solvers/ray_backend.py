"""Workers in other processes or on other machines, by Ray.

The learner is an ordinary native trainer in this process. Every worker holds one too and keeps it
equal to the learner's by adding the same changes. An epoch ends when the changes of all workers are
there; they are added in the order of the workers, so that nothing counts twice. A worker that dies,
or whose changes are lost on their way, is replaced by one that starts from the learner's table and
makes the batch again; its random numbers depend on seed, epoch and worker alone, so that it comes
out the same.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fogtree import _core
from fogtree.errors import FogtreeError, MissingExtraError
from fogtree.system.processes import cores

if TYPE_CHECKING:
    from fogtree.solvers.trainers import SimulatorDescription, TreeDescription

try:
    ray: Any = import_module("ray")
except ImportError as error:
    raise MissingExtraError("ray", "ray") from error

LOST = (
    ray.exceptions.RayActorError,
    ray.exceptions.WorkerCrashedError,
    ray.exceptions.OutOfMemoryError,  # Ray ended the worker, because its machine was full
    ray.exceptions.ObjectLostError,  # also that its owner died, or that it could not be fetched
)
"""What is mended by another worker that does it again."""
LOOK_SECONDS = 0.1
MOST_REPLACEMENTS = 100
"""Of one worker in one epoch; beyond that it is the work that kills the workers."""


class _Worker:
    """Lives in another process. ``start`` is the learner's table, or what ended the last epoch."""

    def __init__(self, description: TreeDescription | SimulatorDescription) -> None:
        self.trainer = description.build()

    def sample(self, worker: int, epoch: int, start: dict[str, Any] | list[dict[str, Any]]) -> Any:
        if isinstance(start, dict):
            self.trainer.restore(start)
        elif self.trainer.epoch < epoch:
            self.trainer.merge(start)
        return self.trainer.sample(worker)

    def limit(self, bytes_: int) -> None:
        self.trainer.limit(bytes_)

    def process(self) -> int:
        return os.getpid()


class RayTrainer:
    """The interface of a native trainer, with its workers elsewhere."""

    def __init__(self, description: TreeDescription | SimulatorDescription) -> None:
        self._learner = description.build()
        self._count = description.schedule.workers
        connect(self._count)
        self._description = ray.put(description)
        # Processes of this run on this machine, each with a table of its own.
        self._here = self._count + 1 if _all_here() else 1
        self._limit: int | None = None
        self._fresh = [True] * self._count
        self._workers: list[Any] = []
        self._last: Any = None  # the changes that ended the last epoch
        self.replaced = 0

    def _start(self) -> Any:
        # A cluster started here is for this run: its workers need not wait for free processors.
        share = 1 if os.environ.get("RAY_ADDRESS") else 0
        kind = ray.remote(_Worker).options(num_cpus=share, max_restarts=0)
        worker = kind.remote(self._description)
        if self._limit is not None:
            worker.limit.remote(self._limit)
        return worker

    @property
    def epoch(self) -> int:
        return self._learner.epoch

    @property
    def nodes(self) -> int:
        return self._learner.nodes

    @property
    def infosets(self) -> int:
        return self._learner.infosets

    @property
    def bytes(self) -> int:
        """Of the tables in all processes, if these are on this machine; else of the learner's."""
        return self._learner.bytes * self._here

    def processes(self) -> list[int]:
        """Process numbers of the workers."""
        self._wake()

        def ask(number: int) -> Any:
            return self._workers[number].process.remote()

        pending = [ask(number) for number in range(self._count)]
        return [int(self._insist(number, pending[number], ask)) for number in range(self._count)]

    def contents(self) -> dict[str, Any]:
        return self._learner.contents()

    def restore(self, contents: dict[str, Any]) -> None:
        self._learner.restore(contents)
        self._fresh = [True] * self._count

    def limit(self, bytes: int) -> None:
        """Shared evenly by the processes on this machine; elsewhere each may have so much."""
        self._limit = bytes // self._here
        for worker in self._workers:
            worker.limit.remote(self._limit)
        self._learner.limit(self._limit)

    def _wake(self) -> None:
        if not self._workers:
            self._workers = [self._start() for _ in range(self._count)]
            self._fresh = [True] * self._count

    def run(self, epochs: int, stop: _core.Stop | None = None) -> int:
        self._wake()
        for done in range(epochs):
            if stop is not None and stop.requested:
                return done
            pending = [self._ask(number) for number in range(self._count)]
            changes = []
            for number in range(self._count):
                change = self._answer(number, pending[number], stop)
                if change is None:
                    self.close()
                    return done
                changes.append(change)
            self._learner.merge(changes)
            self._last = ray.put(changes)
        return epochs

    def _ask(self, number: int) -> Any:
        """Starts a batch: a new worker is told the whole table, the others what changed."""
        fresh = self._fresh[number] or self._last is None
        start = ray.put(self._learner.contents()) if fresh else self._last
        return self._workers[number].sample.remote(number, self._learner.epoch, start)

    def _answer(self, number: int, pending: Any, stop: _core.Stop | None) -> dict[str, Any] | None:
        """What a worker has changed; ``None`` if asked to stop meanwhile."""
        try:
            change: dict[str, Any] | None = self._insist(number, pending, self._ask, stop)
        except _core.OutOfMemory as error:
            raise _core.OutOfMemory(*error.args) from None
        self._fresh[number] = self._fresh[number] and change is None
        return change

    def _insist(
        self, number: int, pending: Any, ask: Callable[[int], Any], stop: _core.Stop | None = None
    ) -> Any:
        """What a worker answers; is it lost, another worker is asked."""
        for _ in range(MOST_REPLACEMENTS):
            try:
                while not ray.wait([pending], timeout=LOOK_SECONDS)[0]:
                    if stop is not None and stop.requested:
                        return None
                return ray.get(pending)
            except LOST:
                self._replace(number)
                pending = ask(number)
        raise FogtreeError(f"worker {number} died {MOST_REPLACEMENTS} times in one epoch; stopped")

    def _replace(self, number: int) -> None:
        ray.kill(self._workers[number])  # it may live, only its answer be lost
        self._workers[number] = self._start()
        self._fresh[number] = True
        self.replaced += 1

    def close(self) -> None:
        """Ends the workers; another :meth:`run` starts new ones. The cluster stays."""
        for worker in self._workers:
            ray.kill(worker)
        self._workers = []


def _all_here() -> bool:
    """Whether the cluster is this machine alone."""
    machines = {node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]}
    return machines == {ray.util.get_node_ip_address()}


def connect(workers: int) -> None:
    """To the cluster that ``RAY_ADDRESS`` names, or to one started here."""
    if ray.is_initialized():
        return
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if os.environ.get("RAY_ADDRESS"):
        ray.init(**quiet)
    else:
        ray.init(num_cpus=max(workers, cores()), include_dashboard=False, **quiet)
