"""Trainers of sampled algorithms, and descriptions from which other processes build the same."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fogtree import _core
from fogtree.errors import FileFormatError, GameError, OptionError, require
from fogtree.game import Game
from fogtree.game.simulators import simulator_of
from fogtree.solvers.manifest import Sampling
from fogtree.solvers.recipes import AVERAGING_EXPONENT, Recipe
from fogtree.solvers.run import SampledWork
from fogtree.system.archives import check_finite
from fogtree.tree import GameTree

Backend = Literal["threads", "ray"]

SMALLEST_BATCH = 1000
SLOTS_PER_WALK = 8
"""Slots per walk of an epoch: merging costs about a nanosecond a slot, a few per cent of the walks.
"""

PATH_BATCH = 8000
SLOTS_PER_PATH = 1
"""The same two numbers for outcome sampling, whose walks are short."""

PARALLEL_EPOCH_FACTOR = 8
"""Walks in an epoch of several workers, as a multiple of a single worker's: merging tables of other
cores takes longer, but learning depends on the number of epochs more than on that of walks."""

MOST_BATCH_DIVISION = 4
"""A worker's batch is at least a single worker's divided by this, or it would mostly merge."""

CHANCE_BATCH = 100
"""Small, because a walk of chance sampling visits all actions of all players."""

TABLE_BATCH = 1000
"""Walks per player in an epoch of a game that is not compiled, whose size is not known."""

PYTHON_PATH_BATCH, PYTHON_BATCH = 100, 1
"""The same for a game that is walked in Python, a hundred times slower: for outcome sampling, and
for samplers that try several actions, of which one walk may take seconds."""


MOST_PLAYERS = 60


def check_players(game: str, players: int) -> None:
    """Refuse games that cannot be sampled for their number of players."""
    if players < 2:
        raise OptionError(f"{game} has one player; sampling needs two or more")
    if players > MOST_PLAYERS:
        raise OptionError(f"{game} has {players} players; at most {MOST_PLAYERS} can be sampled")


def tree_batch(kind: str, slots: int, workers: int) -> int:
    """The default batch, which is the number of iterations per worker and epoch, on a compiled game
    with this many slots. ``kind`` is the kind of sampler."""
    if kind == "chance":
        return CHANCE_BATCH
    batch = max(SMALLEST_BATCH, slots // SLOTS_PER_WALK)
    if kind.startswith("outcome"):
        batch = max(PATH_BATCH, slots // SLOTS_PER_PATH)
    if workers <= 1:
        return batch
    return max(PARALLEL_EPOCH_FACTOR * batch // workers, batch // MOST_BATCH_DIVISION)


def table_batch(kind: str, *, native: bool) -> int:
    """The default batch, which is the number of iterations per worker and epoch, on a game that is
    not compiled. ``kind`` is the kind of sampler; games without native rules, walked in Python, get
    a far smaller one."""
    if native:
        return TABLE_BATCH
    return PYTHON_PATH_BATCH if kind.startswith("outcome") else PYTHON_BATCH


class Trainer(Protocol):
    """The interface of trainers: native ones with threads, or with workers in other processes."""

    @property
    def epoch(self) -> int:
        """Epochs done so far."""

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""

    @property
    def infosets(self) -> int:
        """The number of information sets that walks have reached so far."""

    @property
    def bytes(self) -> int:
        """Memory of the tables, in bytes."""

    def run(self, epochs: int, stop: _core.Stop | None = None) -> int:
        """Run epochs and return their number; on a stop request the current epoch is dropped."""
        ...

    def contents(self) -> dict[str, Any]:
        """The tables as arrays, to be saved or sent."""

    def restore(self, contents: dict[str, Any]) -> None:
        """Replace the tables by saved ones."""

    def limit(self, bytes: int) -> None:
        """Bound the memory of the tables; a run ends before they outgrow it."""


NativeTrainer = _core.Trainer32 | _core.Trainer64


@dataclass(frozen=True)
class Schedule:
    """The numbers of a sampled run: ``batch`` iterations per worker and epoch, ``workers`` and the
    random ``seed``; the same for all its processes."""

    batch: int
    workers: int
    seed: int

    def __post_init__(self) -> None:
        """Refuse numbers that are out of range."""
        if self.batch < 1:
            raise OptionError(f"batch must be at least 1, not {self.batch}")
        if self.workers < 1:
            raise OptionError(f"workers must be at least 1, not {self.workers}")
        if not 0 <= self.seed < 2**64:
            raise OptionError(f"seed must be from 0 to 2^64 - 1, not {self.seed}")

    @property
    def iterations(self) -> int:
        """Iterations of one epoch."""
        return self.batch * self.workers


def sampling_plan(row: Recipe, schedule: Schedule) -> _core.SamplingPlan:
    """The native trainer's options for a recipe, which must be a sampled one; the delay of its
    average is counted in epochs."""
    if row.sampler is None:
        raise OptionError(f"'{row.name}' samples nothing; choose one of the mccfr algorithms")
    if row.minimizer != "regret_matching" or not row.alternating:
        raise OptionError("sampling goes with regret matching, the players in turn")
    return _core.SamplingPlan(
        scheme=row.sampler.options(),
        positive_exponent=row.positive_exponent,
        negative_exponent=row.negative_exponent,
        averaging_exponent=AVERAGING_EXPONENT[row.averaging],
        delay=row.delay / schedule.iterations,
        **asdict(schedule),
    )


@dataclass(frozen=True)
class TreeDescription:
    """Everything from which a process builds a trainer on a compiled game, which is given as plain
    arrays."""

    row: Recipe
    schedule: Schedule
    precision: str
    players: int
    arrays: dict[str, NDArray[Any]] = field(repr=False)

    @classmethod
    def of(cls, tree: GameTree, row: Recipe, schedule: Schedule, precision: str) -> TreeDescription:
        """The description of training by a recipe on a compiled game."""
        return cls(row, schedule, precision, tree.players, tree.native_arrays)

    def build(self) -> NativeTrainer:
        """A trainer of the compiled game."""
        flat = _core.FlatTree(self.players, **self.arrays)
        plan = sampling_plan(self.row, self.schedule)
        if self.precision == "float32":
            return _core.TreeTrainer32(flat, plan)
        return _core.TreeTrainer64(flat, plan)


@dataclass(frozen=True)
class SimulatorDescription:
    """Everything from which a process builds a trainer on a game that is not compiled."""

    row: Recipe
    schedule: Schedule
    game: Game
    abstraction: str | None = None

    def build(self) -> NativeTrainer:
        """A trainer of the game that is not compiled."""
        plan = sampling_plan(self.row, self.schedule)
        return simulator_of(self.game, self.abstraction).trainer(plan)


def start_trainer(description: TreeDescription | SimulatorDescription, backend: Backend) -> Trainer:
    """A new trainer, with its workers in threads or in Ray's processes."""
    if backend == "threads":
        return description.build()
    if backend != "ray":
        require(backend, str, "a backend, threads or ray,")
        raise OptionError(f"backend must be threads or ray, not {backend!r:.40}")
    from fogtree.solvers.ray_backend import RayTrainer  # noqa: PLC0415 - an optional dependency

    return RayTrainer(description)


class SamplingSolver(ABC):
    """The base of sampled solvers, which run a trainer with threads or Ray workers.

    An iteration is one walk for every player. Only whole epochs are run, so iterations are rounded
    up to a multiple of ``workers * batch``.
    """

    precision: str

    def __init__(
        self,
        game: str,
        description: TreeDescription | SimulatorDescription,
        backend: Backend,
    ) -> None:
        """Start the trainer that a description describes, with threads or Ray workers."""
        self.recipe, self.schedule = description.row, description.schedule
        self.backend: Backend = backend
        self.trainer = start_trainer(description, backend)
        self._game = game

    @property
    def threads(self) -> int:
        """The number of workers."""
        return self.schedule.workers

    @property
    def iteration(self) -> int:
        """Iterations of all workers so far, in whole epochs."""
        return self.trainer.epoch * self.schedule.iterations

    @property
    def nodes(self) -> int:
        """The number of histories visited so far (chance, decisions and ends), each counted on
        every visit."""
        return self.trainer.nodes

    @property
    def infosets(self) -> int:
        """Information sets seen so far."""
        return self.trainer.infosets

    @property
    def bytes(self) -> int:
        """Memory of the tables, in bytes."""
        return self.trainer.bytes

    def run(self, iterations: int, stop: _core.Stop | None = None) -> bool:
        """Run at least this many iterations, in whole epochs; False if the memory was full before
        all of them were done.

        A ``stop`` request discards the epoch in progress.
        """
        if iterations < 0:
            raise OptionError(f"iterations must be at least 0, not {iterations}")
        try:
            self.trainer.run(-(-iterations // self.schedule.iterations), stop)
        except _core.OutOfMemory:
            return False
        except _core.KeyCollision as error:
            raise GameError(
                f"{self._game}: an information set has more actions in one history than in "
                "another; its player could tell them apart"
            ) from error
        return True

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything needed to continue exactly."""

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from what :meth:`state` returned."""
        try:
            for name, values in state.items():
                if isinstance(values, np.ndarray):
                    check_finite(values, name)
            if np.min(state["average"], initial=0.0) < 0:
                raise FileFormatError("'average' has negative values")
            self.trainer.restore(state)
        except (ValueError, TypeError, KeyError, ArithmeticError, RuntimeError) as error:
            raise FileFormatError(f"the saved state does not fit {self._game}") from error

    def sampling(self) -> Sampling:
        """The sampling options for the run's manifest."""
        return Sampling(self.schedule.seed, self.schedule.batch, self.backend)

    def work(self) -> SampledWork:
        """The work so far, for reports."""
        sampler = self.recipe.sampler
        return SampledWork(
            nodes=self.nodes,
            infosets=self.infosets,
            bytes=self.bytes,
            workers=self.schedule.workers,
            batch=self.schedule.batch,
            seed=self.schedule.seed,
            backend=self.backend,
            constants={} if sampler is None else sampler.constants(),
        )

    def close(self) -> None:
        """End the trainer's worker processes."""
        close = getattr(self.trainer, "close", None)
        if close is not None:
            close()
