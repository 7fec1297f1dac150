"""The walk over a game in Python, divided among processes if it takes long.

The walk begins in this process. If it has not ended after two seconds, and the rest will take
another two by estimate, processes are started; each makes the game again from its pickled copy.
What is left to visit, in the order of the walk, is a queue. Processes take tasks from its front and
answer with the histories they visited and what they left, which takes the task's place in the
queue. This process absorbs the answers in order, so all numbers are those of the undivided walk.

Where anything is wrong (the game raises an error, its copy differs, its views cannot be sent), the
game is walked again from its root in this process alone: then errors are those of a plain walk.
"""

from __future__ import annotations

import pickle
from collections import deque
from dataclasses import dataclass, field
from queue import Empty
from time import thread_time

from fogtree.game import Game
from fogtree.game.tree_source import TreeParts
from fogtree.system.task_process import FAILED, Inbox, TaskProcess, in_worker
from fogtree.system.termination import signals_held_back
from fogtree.tree.history_walk import Group, HistoryWalk, Part
from fogtree.tree.walk_worker import DEEPEST_TASK, Answer, Task, packed_game

_PROBE, _PROBE_CHILDREN = 1000, 100
"""Histories, and children of the root, that a process visits first: the results are compared with
those of this process."""

_WAIT = 0.1
"""Seconds after which waiting for an answer is interrupted, so that progress can be reported."""

_TASKS_AHEAD, _PARTS_AHEAD = 2, 8
"""Tasks that a worker has at a time, and answers per worker that may wait to be absorbed."""

_FORGET = 0.7
"""The factor by which older tasks count less in the estimate of a task's size."""

_PREPARED = 4
"""Times the processor time of preparing a task that its work should take at least."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When the walk is divided, and how finely. The tree does not depend on it."""

    alone: float = 2.0
    """Seconds of processor time before processes are started."""
    rest: float = 2.0
    """Seconds that the rest of the walk must take by estimate."""
    task: float = 0.3
    """Seconds of work that a task should take, at the speed of the latest tasks."""
    task_nodes: int = 1 << 17
    """Most histories that a task should have."""
    patient: bool = False
    """Wait until a process is ready, instead of walking on meanwhile."""


@dataclass(eq=False, slots=True)
class _Segment:
    """A stretch of the queue: groups that wait for a worker, or that a worker has (``running``), or
    the part that a worker made of them."""

    groups: list[Group]
    running: bool = False
    part: Part | None = None

    @property
    def waits(self) -> bool:
        """Whether no worker has begun it."""
        return not self.running and self.part is None


@dataclass(eq=False, slots=True)
class _Worker:
    """A process, the segments it has, and whether its copy of the game agrees."""

    process: TaskProcess
    running: deque[_Segment] = field(default_factory=deque)
    ready: bool = False


class _NotDividedError(Exception):
    """The walk cannot be divided."""


class ParallelWalk:
    """A tree source, see :class:`fogtree.game.tree_source.TreeSource`, that uses up to ``workers``
    processes. It must be closed."""

    bytes_per_node = HistoryWalk.bytes_per_node

    def __init__(self, game: Game, workers: int, pace: Pace | None = None) -> None:
        """Prepare a walk from the root. In a worker process it is never divided."""
        self._game, self._pace = game, pace or Pace()
        self._walk = HistoryWalk(game)
        self._count = 1 if in_worker() else workers
        self._seconds = 0.0  # of the processor, for walking here: other programs do not count
        self._began: tuple[float, int, float] | None = None  # see _since_began
        self._workers: list[_Worker] = []
        self._inbox: Inbox = Inbox()
        self._queue: list[_Segment] | None = None  # once the walk is divided
        self._task_nodes = 1
        self._recent = (0.0, 0.0, 0.0)  # histories, shares and seconds of the latest tasks

    @property
    def nodes(self) -> int:
        """The number of histories visited so far."""
        return self._walk.nodes

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that run now."""
        return [worker.process.pid for worker in self._workers]

    @property
    def divided(self) -> bool:
        """Whether processes walk now."""
        return self._queue is not None

    def share_visited(self) -> float:
        """The share of the game visited so far, if all children of a history had equal shares."""
        return self._walk.share_visited()

    def parts(self) -> TreeParts:
        """The arrays of the tree, once every history has been visited."""
        return self._walk.parts()

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.process.end()
        self._workers = []

    def grow(self, nodes: int) -> bool:
        """Visit more histories, up to ``nodes`` of them while the walk is not divided; False when
        none is left."""
        try:
            if self._queue is None:
                return self._walk_here(nodes)
            return self._walk_there(self._queue)
        except _NotDividedError:
            self._walk_alone()
            return True

    def _walk_alone(self) -> None:
        """End the processes; walk from the root again if the walk cannot go on here."""
        self.close()
        self._count = 1
        if self._queue is not None:
            self._queue = None
            self._walk = HistoryWalk(self._game)

    def _walk_here(self, nodes: int) -> bool:
        """Visit up to ``nodes`` histories in this process, then divide the walk if that helps."""
        start = thread_time()
        more = self._walk.grow(nodes)
        self._seconds += thread_time() - start
        if self._began is None:
            self._began = self._seconds, self.nodes, self.share_visited()
        if not more:
            self.close()
        elif self._workers:
            self._divide()
        elif self._count > 1 and self._takes_long():
            self._start()
        return more

    def _takes_long(self) -> bool:
        """Whether enough is left of the walk, by estimate."""
        if self._seconds < self._pace.alone or self.nodes < 2:
            return False
        seconds, _, share = self._since_began()
        return seconds * (1 - self.share_visited()) >= self._pace.rest * share

    def _since_began(self) -> tuple[float, int, float]:
        """The seconds, histories and share of the walk in this process, without its first stretch
        if there are others: making all children of a wide root can take long."""
        assert self._began is not None
        seconds, nodes, share = self._began
        if nodes == self.nodes:
            seconds, nodes, share = 0.0, 0, 0.0
        return self._seconds - seconds, self.nodes - nodes, self.share_visited() - share

    def _start(self) -> None:
        """Start the processes, and give each the same first task."""
        packed = packed_game(self._game)
        if packed is None:
            raise _NotDividedError
        probe = Task([([], 0, _PROBE_CHILDREN, 0.0)], min(_PROBE, self.nodes - 1))
        first = packed, pickle.dumps(probe)
        try:
            for _ in range(self._count):
                with signals_held_back():  # so that close() knows every process
                    process = TaskProcess("fogtree.tree.walk_worker", first, self._inbox)
                    self._workers.append(_Worker(process))
        except OSError:  # the system starts no more processes
            raise _NotDividedError from None

    def _divide(self) -> None:
        """Make a queue of what is left, if a process is ready."""
        self._receive(wait=False)
        while not any(worker.ready for worker in self._workers):
            if not self._pace.patient:
                return
            self._receive(wait=True)
        groups = self._walk.pending()
        if any(len(path) > DEEPEST_TASK for path, *_ in groups):
            raise _NotDividedError
        seconds, nodes, share = self._since_began()
        self._recent = float(nodes), max(share, 1e-300), max(seconds, 1e-9)
        self._set_task_nodes(0.0)
        self._queue = [_Segment(groups)]

    def _set_task_nodes(self, prepare_seconds: float) -> None:
        """Set the size of tasks by the speed of the latest ones."""
        nodes, _, seconds = self._recent
        wanted = nodes / seconds * max(self._pace.task, _PREPARED * prepare_seconds)
        self._task_nodes = max(1, min(int(wanted), self._pace.task_nodes))

    def _walk_there(self, queue: list[_Segment]) -> bool:
        """Hand out tasks, wait a moment for answers and absorb them."""
        self._hand_out(queue)
        self._receive(wait=True)
        while queue and queue[0].part is not None:
            try:
                self._walk.absorb(queue[0].part)
            except Exception as error:  # a wrong copy of the game can cause any
                raise _NotDividedError from error
            del queue[0]
            self._hand_out(queue)
        if queue:
            return True
        if self._walk.grow(0):
            raise _NotDividedError
        self.close()
        return False

    def _receive(self, *, wait: bool) -> None:
        """Take all answers that have come; with ``wait``, wait a moment for the first one."""
        try:
            while True:
                process, message = self._inbox.get(wait, _WAIT if wait else None)
                wait = False
                for worker in self._workers:
                    if worker.process is process:
                        self._take(worker, message)
                        break
        except Empty:
            pass

    def _take(self, worker: _Worker, message: bytes | None) -> None:
        """Take an answer of a worker, or its end."""
        if message is None:
            self._lose(worker)
            return
        if message == FAILED:
            raise _NotDividedError
        try:
            answer: Answer = pickle.loads(message)
        except Exception as error:  # whatever the game's objects raise
            raise _NotDividedError from error
        if worker.ready:
            self._keep(worker.running.popleft(), answer)
            return
        if not self._agrees(answer.part):
            self._queue = self._queue or []  # so that the walk begins again
            raise _NotDividedError
        worker.ready = True

    def _agrees(self, part: Part) -> bool:
        """Whether the first histories that a worker visited are equal to those visited here."""
        try:
            return self._walk.agrees(part)
        except Exception:  # a wrong copy of the game can cause any
            return False

    def _lose(self, worker: _Worker) -> None:
        """Others do the work of a worker that was ended from outside."""
        worker.process.end()
        self._workers.remove(worker)
        for segment in worker.running:
            segment.running = False
        if not self._workers:
            raise _NotDividedError

    def _keep(self, segment: _Segment, answer: Answer) -> None:
        """Put an answer into its place in the queue, and what it left behind it."""
        assert self._queue is not None
        done = _share(segment.groups) - _share(answer.left)
        nodes, share, seconds = self._recent
        visited = len(answer.part["parent"])
        self._recent = (
            _FORGET * nodes + visited,
            _FORGET * share + max(done, 0.0),
            _FORGET * seconds + answer.walk_seconds,
        )
        self._set_task_nodes(answer.prepare_seconds)
        segment.part, segment.running, segment.groups = answer.part, False, []
        if answer.left:
            place = self._queue.index(segment) + 1
            follows = self._queue[place] if place < len(self._queue) else None
            if follows is not None and follows.waits:
                follows.groups = answer.left + follows.groups
            else:
                self._queue.insert(place, _Segment(answer.left))

    def _hand_out(self, queue: list[_Segment]) -> None:
        """Give tasks to the workers that have fewer than two, the next in the queue first."""
        for _ in range(_TASKS_AHEAD):
            for worker in self._workers:
                if worker.ready and len(worker.running) < _TASKS_AHEAD:
                    segment = self._next_task(queue)
                    if segment is None:
                        return
                    segment.running = True
                    worker.running.append(segment)
                    task = Task(segment.groups, 2 * self._task_nodes)
                    worker.process.send(pickle.dumps(task))

    def _next_task(self, queue: list[_Segment]) -> _Segment | None:
        """The first segment that waits, cut to the size of a task; None if there is none, or if
        too many answers wait to be absorbed."""
        place = next((n for n, segment in enumerate(queue) if segment.waits), None)
        if place is None:
            return None
        parts = sum(segment.part is not None for segment in queue)
        if place > 0 and parts >= _PARTS_AHEAD * len(self._workers):
            return None
        first, rest = _cut(queue[place].groups, self._task_share(queue))
        queue[place].groups = first
        if rest:
            queue.insert(place + 1, _Segment(rest))
        return queue[place]

    def _task_share(self, queue: list[_Segment]) -> float:
        """The share of the game that a task should have: smaller when little is left, so that all
        workers end together."""
        nodes, share, _ = self._recent
        usual = self._task_nodes * share / max(nodes, 1.0)
        waiting = sum(_share(segment.groups) for segment in queue if segment.waits)
        return min(usual, max(usual / 8, waiting / (2 * len(self._workers))))


def _share(groups: list[Group]) -> float:
    """The share of groups in the game."""
    return sum((last - first) * share for _, first, last, share in groups)


def _cut(groups: list[Group], most: float) -> tuple[list[Group], list[Group]]:
    """The first groups, up to about a share of the game and at least one history, and the rest."""
    taken: list[Group] = []
    for n, (path, first, last, share) in enumerate(groups):
        count = min(last - first, int(most / share) if share > 0 else last - first)
        count = max(count, 0 if taken else 1)
        if count > 0:
            taken.append((path, first, first + count, share))
        if count < last - first:
            return taken, [(path, first + count, last, share), *groups[n + 1 :]]
        most -= count * share
    return taken, []
